import { getAppName } from "../../../gateway/contract/apps.ts";
import { useMemo, type ReactNode } from "react";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { Marked } from "../../components/request/marked.tsx";
import { FIGURES, isUnbilled, useLogColumns, type RowNames } from "../../components/request/request-columns.tsx";
import { RunningState, RunningTime } from "../../components/request/running.tsx";
import type { AcrossCells, Column } from "../../components/table/column.ts";
import { Dot } from "../../components/ui/badge.tsx";
import { Moment, nothing } from "../../components/ui/figures.tsx";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { formatProblemInWords, formatProblemTooltip } from "../../lib/error-sentence.ts";
import { useSpeech, type Spoken } from "../../lib/i18n.tsx";
import { isRunning, type LogRow } from "./log-rows.ts";

export interface LogColumns {
  /** Columns of settled requests, which are copied. */
  readonly settled: readonly Column<Receipt>[];
  /** The same, with cells for requests that run. */
  readonly live: readonly Column<LogRow>[];
  readonly across: AcrossCells<LogRow>;
}

export interface LogColumnsOptions {
  readonly names: RowNames;
  /** Search text. */
  readonly q: string;
  /** Column by which the log is sorted, which is always shown. */
  readonly sorted: string | null;
  /** Since when nothing moves; null while the log is live. */
  readonly pausedAt: number | null;
}

/** The columns of the log. Names are to be stable. */
export function useLiveColumns({ names, q, sorted, pausedAt }: LogColumnsOptions): LogColumns {
  const speech = useSpeech();
  const settled = useLogColumns(names, q);
  const live = useMemo(
    () =>
      settled.map((column): Column<LogRow> => ({
        ...column,
        ...(column.id === sorted && { from: 0 }),
        cell: (row) => (isRunning(row) ? runningCell(column.id, row, names, pausedAt) : column.cell(row)),
        text: (row) => (isRunning(row) ? "" : column.text(row)),
      })),
    [settled, names, sorted, pausedAt],
  );
  const across = useMemo(
    () => ({
      columns: FIGURES,
      cell: (row: LogRow) =>
        isRunning(row) ? (
          <RunningState request={row} />
        ) : isUnbilled(row) ? (
          <Problem receipt={row} q={q} spoken={speech} />
        ) : null,
    }),
    [q, speech],
  );
  return { settled, live, across };
}

/** Problem of a settled request, in place of its missing values. */
function Problem(props: { readonly receipt: Receipt; readonly q: string; readonly spoken: Spoken }): ReactNode {
  const { receipt, q, spoken } = props;
  const problem = formatProblemInWords(receipt, spoken);
  if (problem === null) return nothing;
  const { code, outcome } = receipt;
  return (
    <span
      className={outcome === "cancelled" ? "text-muted" : "text-danger-text"}
      title={formatProblemTooltip(receipt, spoken)}
    >
      <Marked text={problem} q={q} />
      {code !== null && code !== problem && (
        <code className="ml-1.5 font-mono text-meta text-muted">
          <Marked text={code} q={q} />
        </code>
      )}
    </span>
  );
}

/** Cell of a running request: client and model, start and progress. */
function runningCell(column: string, row: RunningRequest, names: RowNames, pausedAt: number | null): ReactNode {
  switch (column) {
    case "time":
      return quiet(<Moment at={row.at} />);
    case "status":
      return <Dot tone="info" />;
    case "duration":
      return <RunningTime since={row.at} until={pausedAt} />;
    case "model":
      return <span title={row.model}>{row.model}</span>;
    case "provider":
      return quiet(names.provider(row), names.provider(row));
    case "client":
      return quiet(getAppName(row.client), row.client);
    case "key":
      return quiet(names.key(row.key), names.key(row.key));
    default:
      return nothing;
  }
}

const quiet = (content: ReactNode, title?: string): ReactNode => (
  <span className="text-muted" title={title}>
    {content}
  </span>
);
