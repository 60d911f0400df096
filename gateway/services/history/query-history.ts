import type { CheckedInput, ControlOutput } from "../../contract/control.ts";
import type { HistoryGroup, HistoryRow, HistoryUsage } from "../../contract/history.ts";
import { GatewayError } from "../../core/errors.ts";
import { HistorySums } from "../../core/history/history-sums.ts";
import type { HistoryTable } from "../../core/history/history-table.ts";
import { HISTORY_UNITS } from "../../core/history/history-entry.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { DaysInOrder, dayAfter, findDay, isZone, startOfDay } from "../../lib/zone.ts";
import { checkedDay } from "../query-usage.ts";
import type { CountedHistory } from "./counted-history.ts";
import { EntryPricer } from "./history-prices.ts";
import type { HistoryPrices } from "./history-prices.ts";

const GROUPS = 500;
/** Models with a series of their own. */
const SERIES = 8;
const STRETCH = 4_096;
const WIDTH = HISTORY_UNITS.length;

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

interface Group {
  readonly sums: HistorySums;
  /** The first row and the last. */
  readonly first: number;
  last: number;
}

/** Sums of what was imported, with the prices of today's knowledge. */
export class QueryHistory {
  readonly #counted: CountedHistory;
  readonly #prices: HistoryPrices;
  readonly #clock: Clock;

  constructor(counted: CountedHistory, prices: HistoryPrices, clock: Clock) {
    this.#counted = counted;
    this.#prices = prices;
    this.#clock = clock;
  }

  async usage(input: CheckedInput<"historyUsage">): Promise<ControlOutput<"historyUsage">> {
    const { table } = await this.#counted.table();
    const now = this.#clock.now();
    const { zone, since, until, from, to } = historyPeriod(input, table.at[0] ?? now, now);
    const by = input.by ?? "model";
    const pricer = new EntryPricer(this.#prices, true);
    const slices = new Slices(this.#clock);
    const days = new DaysInOrder(zone);
    const [total, ours] = [new HistorySums(), new HistorySums()];
    const groups = new Map<string, Group>();
    const daily = new Map<string, Map<number, HistorySums>>();
    const end = table.from(to);
    for (let row = table.from(from); row < end; row += 1) {
      if (row % STRETCH === 0 && slices.over) await slices.pause();
      if (input.agent !== undefined && table.agent(row) !== input.agent) continue;
      const at = table.at[row] as number;
      const model = table.model[row] as number;
      const served = table.names.text(table.served[row] as number);
      const { nano } = pricer.cost(table.names.text(model), served, at, table.tokens, row * WIDTH);
      const add = (sums: HistorySums): void => sums.add(table.tokens, row * WIDTH, nano, table.sidechain[row] === 1);
      if (table.postern[row] === 1) {
        add(ours);
        if (input.all !== "true") continue;
      }
      add(total);
      const day = days.of(at);
      const group = getGroup(groups, by === "day" ? day : getName(table, row, by), row);
      add(group.sums);
      group.last = row;
      add(getSums(daily, day, model));
    }
    const rows = [...groups].map(([name, group]) => getRow(table, by, name, group));
    const sorted = by === "day" ? rows : rows.toSorted(dearestFirst);
    const listed = sorted.slice(0, input.limit ?? GROUPS);
    return {
      since,
      until,
      total: total.totals,
      through_postern: ours.totals,
      data: listed,
      more_groups: sorted.length - listed.length,
      days: [...daily.keys()],
      series: getSeries(table, daily),
    };
  }
}

function getName(table: HistoryTable, row: number, by: Exclude<HistoryGroup, "day">): string {
  return by === "agent" ? table.agent(row) : table.names.text(table[by][row] as number);
}

function getGroup(groups: Map<string, Group>, name: string, row: number): Group {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const made = { sums: new HistorySums(), first: row, last: row };
  groups.set(name, made);
  return made;
}

function getSums(daily: Map<string, Map<number, HistorySums>>, day: string, model: number): HistorySums {
  const models = daily.get(day) ?? new Map<number, HistorySums>();
  daily.set(day, models);
  const sums = models.get(model) ?? new HistorySums();
  models.set(model, sums);
  return sums;
}

function getRow(table: HistoryTable, by: HistoryGroup, group: string, { sums, first, last }: Group): HistoryRow {
  const one = by === "session";
  return {
    group,
    project: one ? table.names.text(table.project[first] as number) : null,
    agent: one || by === "agent" ? table.agent(first) : null,
    from: table.at[first] as number,
    to: table.at[last] as number,
    totals: sums.totals,
  };
}

const getTokens = ({ totals }: HistoryRow): number => totals.input_tokens + totals.output_tokens;
const dearestFirst = (one: HistoryRow, other: HistoryRow): number =>
  other.totals.nano - one.totals.nano || getTokens(other) - getTokens(one) || (one.group < other.group ? -1 : 1);

function getSeries(table: HistoryTable, daily: Map<string, Map<number, HistorySums>>): HistoryUsage["series"] {
  const whole = new Map<number, { nano: number; tokens: number }>();
  for (const models of daily.values())
    for (const [model, sums] of models) {
      const { nano = 0, tokens = 0 } = whole.get(model) ?? {};
      whole.set(model, { nano: nano + sums.nano, tokens: tokens + sums.size });
    }
  const ranked = [...whole].toSorted(([, a], [, b]) => b.nano - a.nano || b.tokens - a.tokens).map(([model]) => model);
  const lone = ranked.length > SERIES ? ranked.slice(0, SERIES) : ranked;
  const rest = ranked.slice(lone.length);
  const line = (name: string | null, models: readonly number[]): HistoryUsage["series"][number] => {
    const of = (figure: (sums: HistorySums) => number): number[] =>
      [...daily.values()].map((day) =>
        models.reduce((sum, model) => {
          const sums = day.get(model);
          return sums === undefined ? sum : sum + figure(sums);
        }, 0),
      );
    return { model: name, nano: of(({ nano }) => nano), tokens: of(({ size }) => size) };
  };
  return [
    ...lone.map((model) => line(table.names.text(model), [model])),
    ...(rest.length === 0 ? [] : [line(null, rest)]),
  ];
}
