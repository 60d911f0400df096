import type { HistoryAgent, HistoryGroup, HistoryRow, HistoryUsage } from "../../contract/history.ts";
import { DaysInOrder } from "../../lib/zone.ts";
import type { Price } from "../models/model.ts";
import { EntryPricer } from "./entry-pricer.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { HistorySums } from "./history-sums.ts";

/** Models with a series of their own. */
const SERIES = 8;

/** A counted response. */
export type CountedEntry = Omit<HistoryEntry, "key" | "scope">;

/** Sums of imported usage. */
export interface SumHistory {
  /** Unix ms; `to` left out. */
  readonly from: number;
  readonly to: number;
  /** IANA name: its days are meant. */
  readonly zone: string;
  readonly agent?: HistoryAgent | undefined;
  readonly by: HistoryGroup;
  /** How many groups are listed. */
  readonly limit: number;
  /** Whether requests through Postern are included. */
  readonly isAll: boolean;
  /** Prices by model; null: unknown. */
  readonly prices: Readonly<Record<string, Price | null>>;
}

interface Group {
  readonly sums: HistorySums;
  readonly first: CountedEntry;
  last: CountedEntry;
}

/** @param entries of the time, the oldest first */
export function sumHistory(
  entries: Iterable<CountedEntry>,
  { zone, by, limit, isAll, prices }: SumHistory,
): Omit<HistoryUsage, "since" | "until"> {
  const pricer = new EntryPricer({ price: (model) => prices[model] ?? null }, true);
  const days = new DaysInOrder(zone);
  const [total, ours] = [new HistorySums(), new HistorySums()];
  const groups = new Map<string, Group>();
  const daily = new Map<string, Map<string, HistorySums>>();
  for (const entry of entries) {
    const { at, model, served, tokens, sidechain } = entry;
    const { nano } = pricer.cost(model, served, at, tokens);
    const add = (sums: HistorySums): void => sums.add(tokens, 0, nano, sidechain);
    if (entry.postern) {
      add(ours);
      if (!isAll) continue;
    }
    add(total);
    const day = days.of(at);
    const name = by === "day" ? day : entry[by];
    const group = groups.get(name) ?? { sums: new HistorySums(), first: entry, last: entry };
    groups.set(name, group);
    add(group.sums);
    group.last = entry;
    add(getSums(daily, day, model));
  }
  const rows = [...groups].map(([name, group]) => getRow(by, name, group));
  const sorted = by === "day" ? rows : rows.toSorted(dearestFirst);
  const listed = sorted.slice(0, limit);
  return {
    total: total.totals,
    through_postern: ours.totals,
    data: listed,
    more_groups: sorted.length - listed.length,
    days: [...daily.keys()],
    series: getSeries(daily),
  };
}

function getSums(daily: Map<string, Map<string, HistorySums>>, day: string, model: string): HistorySums {
  const models = daily.get(day) ?? new Map<string, HistorySums>();
  daily.set(day, models);
  const sums = models.get(model) ?? new HistorySums();
  models.set(model, sums);
  return sums;
}

function getRow(by: HistoryGroup, group: string, { sums, first, last }: Group): HistoryRow {
  const one = by === "session";
  return {
    group,
    project: one ? first.project : null,
    agent: one || by === "agent" ? first.agent : null,
    from: first.at,
    to: last.at,
    totals: sums.totals,
  };
}

const getTokens = ({ totals }: HistoryRow): number => totals.input_tokens + totals.output_tokens;
const dearestFirst = (one: HistoryRow, other: HistoryRow): number =>
  other.totals.nano - one.totals.nano || getTokens(other) - getTokens(one) || (one.group < other.group ? -1 : 1);

function getSeries(daily: Map<string, Map<string, HistorySums>>): HistoryUsage["series"] {
  const whole = new Map<string, { nano: number; tokens: number }>();
  for (const models of daily.values())
    for (const [model, sums] of models) {
      const { nano = 0, tokens = 0 } = whole.get(model) ?? {};
      whole.set(model, { nano: nano + sums.nano, tokens: tokens + sums.size });
    }
  const ranked = [...whole].toSorted(([, a], [, b]) => b.nano - a.nano || b.tokens - a.tokens).map(([model]) => model);
  const lone = ranked.length > SERIES ? ranked.slice(0, SERIES) : ranked;
  const rest = ranked.slice(lone.length);
  const line = (name: string | null, models: readonly string[]): HistoryUsage["series"][number] => {
    const of = (figure: (sums: HistorySums) => number): number[] =>
      [...daily.values()].map((day) =>
        models.reduce((sum, model) => {
          const sums = day.get(model);
          return sums === undefined ? sum : sum + figure(sums);
        }, 0),
      );
    return { model: name, nano: of(({ nano }) => nano), tokens: of(({ size }) => size) };
  };
  return [...lone.map((model) => line(model, [model])), ...(rest.length === 0 ? [] : [line(null, rest)])];
}
