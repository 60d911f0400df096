import type { CheckedInput, ControlOutput } from "../contract/control.ts";
import { GatewayError } from "../core/errors.ts";
import type { UsageSource } from "../core/usage/usage-columns.ts";
import { DAY_MS, periodBetween, periodOf } from "../core/usage/usage-period.ts";
import type { UsagePeriod } from "../core/usage/usage-period.ts";
import { usageCells, usageSeries } from "../core/usage/usage-series.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { Slices } from "../lib/slices.ts";
import type { Store } from "../store/store.ts";
import { checkedDay } from "./query-usage.ts";

const GROUPS = 8;
/** Three years. */
const MOST_DAYS = 1_100;

/** What was used over time: days from the daily rows, hours from what the usage log counts besides. */
export class QueryUsageSeries {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async series(input: CheckedInput<"usageSeries">): Promise<ControlOutput<"usageSeries">> {
    const period = this.#period(input);
    const { source, wholeFrom } = await this.#source(period);
    const { bucket, buckets, from, to } = period;
    const whole_from = wholeFrom !== null && wholeFrom > from ? wholeFrom : null;
    const read = () => usageSeries(source, buckets, input.by ?? "model", input.groups ?? GROUPS);
    const sums = await this.#store.usage.told(read);
    // Whoever looks at days may look at hours next: those of before the start are read back meanwhile.
    if (bucket === "day") void this.#store.usage.hours(this.#clock.now()).catch(() => undefined);
    return { bucket, from, to, whole_from, ...sums };
  }

  async cells(input: CheckedInput<"usageCells">): Promise<ControlOutput<"usageCells">> {
    const period = this.#period(input);
    const { source } = await this.#source(period);
    const data = await this.#store.usage.told(() => usageCells(source, period.buckets, input.by ?? "model"));
    return { bucket: period.bucket, data };
  }

  #period({ range, since, until }: CheckedInput<"usageCells">): UsagePeriod {
    const now = this.#clock.now();
    if (since === undefined && until === undefined) return periodOf(range ?? "30d", now);
    if (range !== undefined) {
      throw new GatewayError("invalid_value", "Ask for a range or for days, not for both.", { param: "range" });
    }
    const last = startOf(checkedDay(until, "until") ?? utcDay(now));
    const first = startOf(checkedDay(since, "since") ?? utcDay(last - 29 * DAY_MS));
    if (first > last) {
      throw new GatewayError("invalid_value", "since is after until.", { param: "since" });
    }
    if (last - first >= MOST_DAYS * DAY_MS) {
      throw new GatewayError("invalid_value", `Ask for at most ${MOST_DAYS} days at once.`, { param: "since" });
    }
    return periodBetween(first, last);
  }

  async #source({ bucket, from, to }: UsagePeriod): Promise<{ source: UsageSource; wholeFrom: number | null }> {
    if (bucket === "hour") return this.#store.usage.hours(this.#clock.now());
    const { days } = this.#store.usage;
    await days.prepare({ since: utcDay(from), until: utcDay(to - 1) }, new Slices(this.#clock));
    return { source: days, wholeFrom: null };
  }
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
