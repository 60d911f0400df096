import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import type { RowList } from "../../lib/row-list.ts";

/** A row of the log: a finished or a running request. */
export type LogRow = Receipt | RunningRequest;

export const isRunning = (row: LogRow): row is RunningRequest => "state" in row;

/** Receipts that are searched for a request that was running a moment ago. */
const RECENT = 250;

/** Returns the log with running requests on top. A request with a receipt no longer counts as running. */
export function withRunning(running: readonly RunningRequest[], settled: RowList<Receipt>): RowList<LogRow> {
  if (running.length === 0) return settled;
  const recent = new Set<string>();
  for (let index = 0; index < Math.min(RECENT, settled.length); index += 1) recent.add(settled.at(index)?.id ?? "");
  const top = running.filter(({ id }) => !recent.has(id));
  const above = top.length;
  return {
    length: above + settled.length,
    at: (index) => (index < above ? top[index] : settled.at(index - above)),
    findIndex(match) {
      const found = top.findIndex(match);
      if (found !== -1) return found;
      const below = settled.findIndex(match);
      return below === -1 ? -1 : above + below;
    },
    want: (first, last) => settled.want?.(Math.max(0, first - above), Math.max(0, last - above)),
  };
}
