import { useMemo, type ReactNode } from "react";
import type { SessionView } from "../../../gateway/contract/sessions.ts";
import { momentColumn, quietColumn } from "../../components/table/column-kinds.tsx";
import type { Column } from "../../components/table/column.ts";
import { Money, nothing } from "../../components/ui/figures.tsx";
import { formatCompact, formatCount, formatDuration, formatMoneyExact } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { cachedShare, shortId } from "./session-words.ts";

/** Several names: the newest, and how many more. */
const several = ([first = "", ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} +${more.length}`;

/** Cost of a session, with the costs that the sum excludes; a session with only sandbox calls has no sum. */
export function SessionCost({ session }: { readonly session: SessionView }): ReactNode {
  const { money } = useMessages();
  const { cost_nano, unpriced, sandbox, requests } = session;
  if (sandbox === requests) return <span className="text-muted">{money.sandbox}</span>;
  const isUnpriced = unpriced > 0 && cost_nano === 0;
  return (
    <>
      {unpriced > 0 && (
        <span className="text-warning-text italic" title={money.unpricedHelp}>
          {isUnpriced ? money.unpriced : "+ "}
        </span>
      )}
      {!isUnpriced && <Money nano={cost_nano} />}
    </>
  );
}

/** The columns of the list. */
export function useSessionColumns(): readonly Column<SessionView>[] {
  const { t, language } = useSpeech();
  const words = t.sessions;
  return useMemo(
    () => [
      momentColumn(
        { id: "ended", label: words.ended, track: "clamp(72px, 10%, 84px)", essential: true },
        language,
        (row) => row.ended_at,
      ),
      {
        id: "project",
        label: words.project,
        track: "minmax(72px, 1.2fr)",
        essential: true,
        cell: ({ project, id }) =>
          project === null ? (
            <code className="font-mono text-meta text-muted" title={id}>
              {shortId(id)}
            </code>
          ) : (
            <span title={project}>{project}</span>
          ),
        text: ({ project, id }) => project ?? id,
      },
      quietColumn({ id: "client", label: t.requests.client, track: "minmax(80px, 0.8fr)", from: 680 }, ({ clients }) =>
        several(clients),
      ),
      quietColumn({ id: "models", label: words.models, track: "minmax(96px, 1.2fr)", from: 780 }, ({ models }) =>
        several(models),
      ),
      {
        id: "requests",
        label: words.requests,
        track: "68px",
        end: true,
        from: 520,
        cell: ({ requests }) => formatCount(requests),
        text: ({ requests }) => String(requests),
      },
      {
        id: "agents",
        label: words.agents,
        track: "56px",
        end: true,
        from: 1_040,
        cell: ({ agents }) => formatCount(agents + 1),
        text: ({ agents }) => String(agents + 1),
      },
      {
        id: "failed",
        label: words.failed,
        track: "52px",
        end: true,
        from: 440,
        cell: ({ failed }) =>
          failed === 0 ? nothing : <span className="text-danger-text">{formatCount(failed)}</span>,
        text: ({ failed }) => String(failed),
      },
      {
        id: "cost",
        label: words.strip.cost,
        track: "clamp(80px, 14%, 108px)",
        end: true,
        essential: true,
        cell: (row) => <SessionCost session={row} />,
        text: ({ cost_nano, sandbox, requests }) =>
          sandbox === requests ? t.money.sandbox : formatMoneyExact(cost_nano),
      },
      {
        id: "input",
        label: t.requestLog.input,
        track: "64px",
        end: true,
        from: 880,
        cell: ({ input_tokens }) => <span title={formatCount(input_tokens)}>{formatCompact(input_tokens)}</span>,
        text: ({ input_tokens }) => String(input_tokens),
      },
      {
        id: "cached",
        label: words.cached,
        track: "56px",
        end: true,
        from: 740,
        cell: ({ cached_input_tokens: cached, input_tokens: input }) => {
          const share = cachedShare(cached, input);
          return share === null ? (
            nothing
          ) : (
            <span title={words.cachedOf(formatCount(cached), formatCount(input))}>{share}</span>
          );
        },
        text: ({ cached_input_tokens: cached, input_tokens: input }) => cachedShare(cached, input) ?? "",
      },
      {
        id: "output",
        label: t.requestLog.output,
        track: "60px",
        end: true,
        from: 960,
        cell: ({ output_tokens }) => <span title={formatCount(output_tokens)}>{formatCompact(output_tokens)}</span>,
        text: ({ output_tokens }) => String(output_tokens),
      },
      {
        id: "length",
        label: words.length,
        track: "92px",
        end: true,
        from: 620,
        cell: ({ started_at, ended_at }) => (
          <span className="text-muted">{formatDuration(Math.max(0, ended_at - started_at))}</span>
        ),
        text: ({ started_at, ended_at }) => formatDuration(Math.max(0, ended_at - started_at)),
      },
      quietColumn({ id: "session", label: words.session, track: "minmax(96px, 0.7fr)", from: 1_180 }, ({ id }) => id),
    ],
    [t, words, language],
  );
}
