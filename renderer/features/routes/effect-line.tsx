import { useMemo, type ReactNode } from "react";
import type { SetRoute } from "../../../gateway/contract/routes.ts";
import { useRouteEffect } from "../../api/route-queries.ts";
import { useDebounced } from "../../lib/debounced.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { formatEffectInWords } from "./effect-words.ts";
import { readRoute, type RouteDraft } from "./route-draft.ts";

/** Milliseconds without typing before the effect is fetched. */
const REST_MS = 350;

interface EffectLineProps {
  readonly draft: RouteDraft;
  /** The name of the route that is changed; null for a new one. */
  readonly before: string | null;
}

/** The draft's effect on the newest requests; it follows the draft and blocks nothing. */
export function EffectLine({ draft, before }: EffectLineProps): ReactNode {
  const t = useMessages();
  const draftText = useDebounced(
    useMemo(() => writtenAs(draft, before), [draft, before]),
    REST_MS,
  );
  const route = useMemo(() => (draftText === "" ? null : (JSON.parse(draftText) as SetRoute)), [draftText]);
  const { data, error, isPlaceholderData } = useRouteEffect(route);
  const known = route === null ? undefined : data;
  const words = known === undefined ? null : formatEffectInWords(known, t);
  const effect = known !== undefined && words === null ? t.routes.effect.nothing : words;
  return (
    <output
      aria-label={t.routes.effect.title}
      className={`numeric mb-1 max-h-24 basis-full overflow-y-auto rounded-md px-3 py-1.5 wrap-anywhere empty:hidden ${
        words === null ? "bg-canvas text-faint" : "bg-info-soft text-info-text forced-colors:border"
      } ${isPlaceholderData ? "opacity-60" : ""}`}
    >
      {error !== null && known === undefined && route !== null ? t.routes.effect.failed : effect}
    </output>
  );
}

/** Returns the query for a draft; empty while the draft is no valid route. */
function writtenAs(draft: RouteDraft, before: string | null): string {
  const read = readRoute(draft);
  const renames = before === null || (read.ok && read.route.name === before) ? {} : { renames: before };
  return read.ok ? JSON.stringify({ ...read.route, ...renames, enabled: true }) : "";
}
