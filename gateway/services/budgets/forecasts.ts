import { endsAtThisPace, getSpan } from "../../contract/pace.ts";
import type { Period } from "../../contract/pace.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import type { UsageColumns, UsageNames } from "../../core/usage/usage-columns.ts";
import type { HourSums } from "../../core/usage/hour-sums.ts";
import { DAY_MS, HOUR_MS } from "../../core/usage/usage-period.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";
import { utcDay, utcMonth } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { Store } from "../../store/store.ts";

const NANO = SUMS.indexOf("nano");
const SANDBOX_NANO = SUMS.indexOf("sandbox_nano");

/** Start times of the days of a month, or hours of a day, in which a name had spend, by name. */
export type SpentIn = ReadonlyMap<string, readonly number[]>;
const NEVER: SpentIn = new Map();

/**
 * Forecasts when limits and budgets are used up at the current pace. Data that is not loaded yet is not waited for:
 * there is then no forecast.
 */
export class Forecasts {
  readonly #store: Pick<Store, "usage">;
  readonly #clock: Clock;
  /** The month whose days are read. */
  #month = "";
  /** Hours of a day by group, as last prepared, with the start of that day. */
  readonly #hours = new Map<UsageGroup, { readonly from: number; readonly hours: HourSums }>();

  constructor(store: Pick<Store, "usage">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Loads the data that forecasts of these periods need. @param groups groups by which days are summed */
  async prepare(periods: ReadonlySet<string>, groups: Iterable<UsageGroup>): Promise<void> {
    const now = this.#clock.now();
    const { usage } = this.#store;
    if (periods.has("daily")) {
      const { from } = getSpan("daily", now);
      for (const by of new Set(groups)) {
        const { hours, rebuilding } = await usage.sumHours(from, now + HOUR_MS, by);
        if (rebuilding === null) this.#hours.set(by, { from, hours });
      }
    }
    if (!periods.has("monthly")) return;
    await usage.days.prepare({ since: `${utcMonth(now)}-01`, until: utcDay(now) }, new Slices(this.#clock));
    this.#month = utcMonth(now);
  }

  /** @param spent 10⁻⁹ USD in the period so far @returns Unix milliseconds; null without a forecast */
  predictEnd(period: Period, limit: number, spent: number, spentIn: readonly number[]): number | null {
    return endsAtThisPace({ period, limit, spent, spentIn }, this.#clock.now());
  }

  /** When the budget of all ends. @param spent 10⁻⁹ USD, this month */
  getMonthEnds(limit: number | null, spent: number): number | null {
    if (limit === null) return null;
    const now = this.#clock.now();
    const days = this.#store.usage.days.totals({ since: `${utcMonth(now)}-01`, until: utcDay(now) });
    const spentIn = days.filter(({ totals }) => totals.nano > 0).map(({ day }) => Date.parse(`${day}T00:00:00Z`));
    return this.predictEnd("monthly", limit, spent, spentIn);
  }

  /**
   * When each key or client has spent in the period that runs.
   * @param withSandbox whether the sandbox's money counts, as it does for keys
   */
  readSpend(period: Period, by: UsageGroup, withSandbox: boolean): SpentIn {
    const now = this.#clock.now();
    const { from, slot } = getSpan(period, now);
    const found = new Map<string, number[]>();
    const { days } = this.#store.usage;
    if (period === "monthly") {
      if (this.#month !== utcMonth(now)) return NEVER;
      for (let at = from; at <= now; at += DAY_MS) addTo(found, at, days.at(at, by), days.names[by], by, withSandbox);
      return found;
    }
    const prepared = this.#hours.get(by);
    if (prepared?.from !== from) return NEVER;
    const { hours } = prepared;
    for (let at = from; at <= now; at += slot) addTo(found, at, hours.at(at), hours.names[by], by, withSandbox);
    return found;
  }
}

function addTo(
  found: Map<string, number[]>,
  at: number,
  columns: UsageColumns | undefined,
  names: UsageNames,
  by: UsageGroup,
  withSandbox: boolean,
): void {
  if (columns === undefined) return;
  const { rows, groups, sums } = columns;
  const spent = new Set<number>();
  for (let row = 0; row < rows; row += 1) {
    const start = row * SUMS.length;
    const nano = (sums[start + NANO] ?? 0) + (withSandbox ? (sums[start + SANDBOX_NANO] ?? 0) : 0);
    if (nano > 0) spent.add(groups[by][row] ?? 0);
  }
  for (const number of spent) {
    const name = names.text(number);
    const slots = found.get(name);
    if (slots === undefined) found.set(name, [at]);
    else slots.push(at);
  }
}
