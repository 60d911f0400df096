import type { ReactNode } from "react";
import type { SessionView } from "../../../gateway/contract/sessions.ts";
import { Count, Moment, nothing } from "../../components/ui/figures.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatCompact, formatCount, formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { SessionCost } from "./session-columns.tsx";
import { cachedShare } from "./session-words.ts";

/** Totals of a session, in one row of cells. */
export function SessionStrip({ session }: { readonly session: SessionView }): ReactNode {
  const { sessions, money } = useMessages();
  const t = sessions.strip;
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = session;
  const share = cachedShare(cached, input);
  const [client = "", ...clients] = session.clients;
  return (
    <dl className="panel mb-3 grid grid-cols-2 gap-px overflow-hidden bg-line max-wide:*:last:odd:col-span-2 wide:grid-cols-5">
      <StatCell
        label={t.cost}
        figure={<SessionCost session={session} />}
        note={
          <>
            {session.unpriced > 0 && <span>{money.plusUnpriced(formatCount(session.unpriced))}</span>}
            {session.sandbox > 0 && <span>{t.sandbox(formatCount(session.sandbox))}</span>}
          </>
        }
      />
      <StatCell
        label={t.requests}
        figure={<Count value={session.requests} />}
        note={
          <>
            {session.failed === 0 ? (
              <span>{t.noFailures}</span>
            ) : (
              <span className="text-danger-text">{t.failures(formatCount(session.failed))}</span>
            )}
            {session.agents > 0 && <span>{t.agents(formatCount(session.agents))}</span>}
          </>
        }
      />
      <StatCell
        label={t.tokens}
        figure={<Count value={input + output} />}
        note={
          <>
            <span>{t.input(formatCompact(input))}</span>
            {share !== null && (
              <span title={sessions.cachedOf(formatCount(cached), formatCount(input))}>{t.cached(share)}</span>
            )}
            <span>{t.output(formatCompact(output))}</span>
          </>
        }
      />
      <StatCell
        label={t.time}
        figure={formatDuration(Math.max(0, session.ended_at - session.started_at))}
        note={
          <>
            <Moment at={session.ended_at} />
            {session.slowest_ms !== null && <span>{t.slowest(formatDuration(session.slowest_ms))}</span>}
          </>
        }
      />
      <StatCell
        label={t.by}
        figure={
          client === "" ? (
            nothing
          ) : (
            <span className="truncate" title={session.clients.join(", ")}>
              {clients.length === 0 ? client : `${client} +${clients.length}`}
            </span>
          )
        }
        note={
          <span className="wrap-anywhere" title={session.models.join(", ")}>
            {session.models.slice(0, 2).join(", ")}
            {session.models.length > 2 && ` +${session.models.length - 2}`}
          </span>
        }
      />
    </dl>
  );
}
