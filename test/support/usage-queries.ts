import type { Price } from "../../gateway/core/models/model.ts";
import type { Clock } from "../../gateway/lib/clock.ts";
import { LoggedUsage } from "../../gateway/services/history/logged-usage.ts";
import { QueryUsage } from "../../gateway/services/query-usage.ts";
import { QueryUsageSeries } from "../../gateway/services/usage-series.ts";
import { HistoryLog } from "../../gateway/store/history/history-log.ts";
import { ImportedUsage } from "../../gateway/store/history/imported-usage.ts";
import type { Store } from "../../gateway/store/store.ts";

export interface UsageQueriesParts {
  readonly dir: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly zone?: string;
  readonly prices?: Readonly<Record<string, Price>>;
}

/** Questions about usage, as a gateway over this store responds to them, and the log of imported usage. */
export function makeUsageQueries({ dir, store, clock, zone = "UTC", prices = {} }: UsageQueriesParts) {
  const history = new HistoryLog({ dir, readOnly: false });
  const imported = new ImportedUsage({ history, ledger: store.ledger, log: () => undefined });
  const price = (model: string): Price | null => prices[model] ?? null;
  const series = new QueryUsageSeries(store, new LoggedUsage(imported, { price, getId: (model) => model }), clock);
  return { history, series, usage: new QueryUsage(store, series, clock, () => zone) };
}
