import { useConnections } from "../../api/queries.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { getTroubles } from "../connection-health.ts";
import type { Tone } from "../ui/badge.tsx";

/** Describes degraded or failing providers by the tone of a dot and their names; null while all are healthy. */
export function useTroubles(): { readonly tone: Tone; readonly text: string } | null {
  const t = useMessages();
  const { data: connections = [] } = useConnections();
  const troubles = getTroubles(connections);
  if (troubles.length === 0) return null;
  const named = (tone: Tone): string =>
    troubles
      .filter(({ health }) => health.tone === tone)
      .map(({ connection: { name } }) => name)
      .join(t.app.listed);
  const [down, degraded] = [named("danger"), named("warning")];
  const text = [
    ...(down === "" ? [] : [t.status.providersDown(down)]),
    ...(degraded === "" ? [] : [t.status.providersDegraded(degraded)]),
  ].join(" · ");
  return { tone: down === "" ? "warning" : "danger", text };
}
