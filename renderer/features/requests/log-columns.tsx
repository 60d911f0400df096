import { useMemo, type ReactNode } from "react";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { useLogColumns } from "../../components/request/request-columns.tsx";
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

/** The columns of the log. */
export function useLiveColumns(keyName: (id: string) => string): LogColumns {
  const settled = useLogColumns(keyName);
  return useMemo(() => {
    const live = settled.map((column): Column<LogRow> => ({
      ...column,
      cell: (row) => (isRunning(row) ? runningCell(column.id, row, keyName) : column.cell(row)),
      text: (row) => (isRunning(row) ? "" : column.text(row)),
    }));
    return { settled, live };
  }, [settled, keyName]);
}

/** What can be said of a request before it is over: who asks whom, since when, and how far it is. */
function runningCell(column: string, row: RunningRequest, keyName: (id: string) => string): ReactNode {
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
      return quiet(row.provider, row.provider);
    case "client":
      return quiet(row.client, row.client);
    case "key":
      return quiet(keyName(row.key), keyName(row.key));
    default:
      return nothing;
  }
}

const quiet = (content: ReactNode, title?: string): ReactNode => (
  <span className="text-muted" title={title}>
    {content}
  </span>
);
