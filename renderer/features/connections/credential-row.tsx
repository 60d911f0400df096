import type { ReactNode } from "react";
import type { CredentialHealth } from "../../../gateway/contract/connection.ts";
import { Dot, type Tone } from "../../components/ui/badge.tsx";
import { useAge } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";

const tones: Record<CredentialHealth["state"], Tone> = {
  ready: "success",
  failed: "warning",
  cooling: "warning",
  open: "warning",
  refused: "danger",
  out_of_credit: "danger",
  locked: "danger",
};

/** One provider key: its ends, its health, and why. */
export function CredentialRow({ credential }: { readonly credential: CredentialHealth }): ReactNode {
  const t = useMessages();
  const ageOf = useAge();
  const now = useNow();
  const { hint, state, models } = credential;
  const whyOf = ({ state, until, reason }: Pick<CredentialHealth, "state" | "until" | "reason">): string =>
    [
      t.connections.healthHelp[state],
      // In the words of the provider or the network, whatever the language of the page is.
      reason === null || reason === "" ? "" : t.connections.quoted(reason),
      until !== null && until > now ? `(${t.connections.until(ageOf(until))})` : "",
    ]
      .join(" ")
      .trim();
  const keyless = hint === "no key";
  return (
    <li className="grid min-h-8 grid-cols-[112px_minmax(0,1fr)] items-center gap-x-3 border-t border-line px-3.5 py-1 wide:grid-cols-[112px_160px_minmax(0,1fr)]">
      <code className={`font-mono text-meta ${keyless ? "text-faint" : "text-muted"}`}>
        {keyless ? t.connections.noKey : hint}
      </code>
      <span className="flex items-center gap-2">
        <Dot tone={tones[state]} />
        <span>{t.connections.health[state]}</span>
      </span>
      {state !== "ready" && <span className="text-muted wrap-anywhere max-wide:col-span-2">{whyOf(credential)}</span>}
      {models.map((each) => (
        <span key={each.model} className="col-span-full flex items-start gap-2 text-muted">
          <Dot tone={tones[each.state]} />
          <span className="wrap-anywhere">
            <code className="font-mono text-meta">{each.model}</code> {whyOf(each)}
          </span>
        </span>
      ))}
    </li>
  );
}
