import { useMemo, type ReactNode } from "react";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { useLogColumns, type RowNames } from "../../components/request/request-columns.tsx";
import { RunningState, RunningTime } from "../../components/request/running.tsx";
import type { Column } from "../../components/table/column.ts";
import { Moment, nothing } from "../../components/ui/figures.tsx";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { isRunning, type LogRow } from "./log-rows.ts";

export interface LogColumns {
  /** Of requests that are over: what is copied. */
  readonly settled: readonly Column<Receipt>[];
  /** The same, with cells for requests that run. */
  readonly live: readonly Column<LogRow>[];
}

/** The columns of the log. @param names stable */
export function useLiveColumns(names: RowNames): LogColumns {
  const settled = useLogColumns(names);
  return useMemo(() => {
    const live = settled.map((column): Column<LogRow> => ({
      ...column,
      cell: (row) => (isRunning(row) ? runningCell(column.id, row, names) : column.cell(row)),
      text: (row) => (isRunning(row) ? "" : column.text(row)),
    }));
    return { settled, live };
  }, [settled, names]);
}

/** What can be said of a request before it is over: who asks whom, since when, and how far it is. */
function runningCell(column: string, row: RunningRequest, names: RowNames): ReactNode {
  switch (column) {
    case "time":
      return quiet(<Moment at={row.at} />);
    case "status":
      return <RunningState request={row} />;
    case "duration":
      return <RunningTime since={row.at} />;
    case "model":
      return <span title={row.model}>{row.model}</span>;
    case "provider":
      return quiet(names.provider(row), names.provider(row));
    case "client":
      return quiet(row.client, row.client);
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
