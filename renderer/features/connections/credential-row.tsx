import type { ReactNode } from "react";
import type { ConnectionView, CredentialHealth } from "../../../gateway/contract/connection.ts";
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

type Trouble = Pick<CredentialHealth, "state" | "until" | "reason">;

/** A line for each key if keys differ, and one for each model that fails while others work; else empty. */
export function CredentialRows({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const { name, credentials } = connection;
  const differ = credentials.some(({ state }) => state !== credentials[0]?.state);
  const models = credentials.flatMap((credential) => credential.models);
  if (!differ && models.length === 0) return null;
  return (
    <ul aria-label={t.connections.credentials(name)}>
      {differ &&
        credentials.map((credential, index) => (
          <Row key={`${credential.hint} ${index}`} name={credential.hint} trouble={credential} />
        ))}
      {models.map((each, index) => (
        <Row key={`${each.model} ${index}`} name={each.model} trouble={each} />
      ))}
    </ul>
  );
}

function Row({ name, trouble }: { readonly name: string; readonly trouble: Trouble }): ReactNode {
  const t = useMessages();
  const ageOf = useAge();
  const now = useNow();
  const { state, until, reason } = trouble;
  const why = [
    t.connections.healthHelp[state],
    // The provider's or network's own message, whatever the language of the page is.
    reason === null || reason === "" ? "" : t.connections.quoted(reason),
    until !== null && until > now ? `(${t.connections.until(ageOf(until))})` : "",
  ];
  return (
    <li className="grid min-h-8 grid-cols-[minmax(112px,auto)_minmax(0,1fr)] items-center gap-x-3 border-t border-line px-3.5 py-1 wide:grid-cols-[minmax(112px,auto)_160px_minmax(0,1fr)]">
      <code className="font-mono text-meta wrap-anywhere text-muted">{name}</code>
      <span className="flex items-center gap-2">
        <Dot tone={tones[state]} />
        <span>{t.connections.health[state]}</span>
      </span>
      {state !== "ready" && (
        <span className="text-muted wrap-anywhere max-wide:col-span-2">{why.join(" ").trim()}</span>
      )}
    </li>
  );
}
