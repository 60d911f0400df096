import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { formatBalance, type CreditReading } from "../../../gateway/contract/credit.ts";
import { Dot } from "../../components/ui/badge.tsx";
import { useAge } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** Shows the credit left of each key, as the provider reported it last; empty if it reports none. */
export function CreditRows({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const { name, credentials, credit_notice } = connection;
  const rows = credentials.flatMap(({ hint, credit }) => (credit === null ? [] : [{ hint, credit }]));
  if (rows.length === 0) return null;
  return (
    <ul aria-label={t.connections.creditOf(name)} className="border-t border-line px-3.5 py-1">
      {rows.map(({ hint, credit }, index) => (
        <li key={`${hint} ${index}`} className="flex min-h-6 flex-wrap items-baseline gap-x-2 text-meta">
          <span className="text-muted">{t.connections.credit}</span>
          {rows.length > 1 && <code className="font-mono text-muted">{hint}</code>}
          <Row credit={credit} notice={credit_notice} />
        </li>
      ))}
    </ul>
  );
}

function Row({ credit, notice }: { readonly credit: CreditReading; readonly notice: number | null }): ReactNode {
  const t = useMessages();
  const ageOf = useAge();
  const { balances, used_up, read_at, error } = credit;
  const low = notice !== null && balances.length > 0 && balances.every(({ nano }) => nano < notice * 1e9);
  const left = balances.map(formatBalance).join(t.app.comma);
  return (
    <>
      {read_at !== null && (
        <span className="flex items-center gap-1.5">
          {(used_up || low) && <Dot tone={used_up ? "danger" : "warning"} />}
          <span className="numeric">{left === "" && !used_up ? t.connections.creditUnlimited : left}</span>
          {used_up && <span>{t.connections.creditUsedUp}</span>}
        </span>
      )}
      {read_at !== null && <span className="text-muted">{t.connections.creditRead(ageOf(read_at))}</span>}
      {error !== null && (
        <span className="min-w-0 text-muted wrap-anywhere">
          {t.connections.creditUnread(t.connections.quoted(error))}
        </span>
      )}
    </>
  );
}
