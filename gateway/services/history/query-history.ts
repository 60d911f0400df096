import type { CheckedInput, ControlOutput } from "../../contract/control.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayAfter, findDay, isZone, startOfDay } from "../../lib/zone.ts";
import type { ImportedUsage } from "../../store/history/imported-usage.ts";
import { checkedDay } from "../query-usage.ts";
import type { HistoryPrices } from "./history-prices.ts";

const GROUPS = 500;

/** A time in a zone: inclusive days, and the moments that they begin and end with. */
export interface HistoryPeriod {
  readonly zone: string;
  readonly since: string;
  readonly until: string;
  readonly from: number;
  readonly to: number;
}

/**
 * @param first when the first day begins that is asked for without `since`
 * @throws GatewayError for what is no day or no zone
 */
export function historyPeriod(
  input: {
    readonly since?: string | undefined;
    readonly until?: string | undefined;
    readonly zone?: string | undefined;
  },
  first: number,
  now: number,
): HistoryPeriod {
  const zone = input.zone ?? "UTC";
  if (!isZone(zone))
    throw new GatewayError("invalid_value", "zone must be the IANA name of a time zone.", { param: "zone" });
  const until = checkedDay(input.until, "until") ?? findDay(zone, now);
  const since = checkedDay(input.since, "since") ?? [findDay(zone, first), until].toSorted()[0] ?? until;
  if (since > until) throw new GatewayError("invalid_value", "since is after until.", { param: "since" });
  return { zone, since, until, from: startOfDay(zone, since), to: startOfDay(zone, dayAfter(until, 1)) };
}

/** Sums of what was imported, with the prices of today's knowledge. */
export class QueryHistory {
  readonly #imported: ImportedUsage;
  readonly #prices: HistoryPrices;
  readonly #clock: Clock;

  constructor(imported: ImportedUsage, prices: HistoryPrices, clock: Clock) {
    this.#imported = imported;
    this.#prices = prices;
    this.#clock = clock;
  }

  async usage(input: CheckedInput<"historyUsage">): Promise<ControlOutput<"historyUsage">> {
    const { first, models } = await this.#imported.view();
    const now = this.#clock.now();
    const { since, until, ...period } = historyPeriod(input, first ?? now, now);
    const { agent, by = "model", limit = GROUPS } = input;
    const prices = Object.fromEntries(models.map((model) => [model, this.#prices.price(model)]));
    const question = { ...period, agent, by, limit, isAll: input.all === "true", prices };
    return { since, until, ...(await this.#imported.sum(question)) };
  }
}
