import type { CheckedInput, ControlOutput } from "../contract/control.ts";
import type { UsageSourceName } from "../contract/list.ts";
import type { Search } from "../contract/matches-request.ts";
import type { UsageGroup } from "../contract/usage.ts";
import { MergedUsage } from "../core/usage/merged-usage.ts";
import type { UsageSource } from "../core/usage/usage-columns.ts";
import { listHours } from "../core/usage/local-period.ts";
import type { LocalPeriod } from "../core/usage/local-period.ts";
import { usageCells, usageSeries } from "../core/usage/usage-series.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { Slices } from "../lib/slices.ts";
import { dayAfter } from "../lib/zone.ts";
import type { Store } from "../store/store.ts";
import type { LoggedUsage } from "./history/logged-usage.ts";
import { findPeriod, findUtcDays, getFilter } from "./usage-time.ts";
import type { UsageTime } from "./usage-time.ts";

const GROUPS = 8;

/** Read beforehand: three months of 11,000 requests a day, or years of some hundred; about 150 ms of work. */
const ROWS_AHEAD = 100_000;
/** Milliseconds of a slice of reading ahead, which no request waits for. */
const AHEAD_SLICE_MS = 1;

/** The usage of a period that was read. */
interface Found {
  readonly rebuilding: number | null;
  /** Returns what some sources have together. */
  select(sources: readonly UsageSourceName[]): UsageSource;
}

/** A question to the sources: the group, and which requests. */
interface SeriesQuery {
  readonly by: UsageGroup;
  readonly search: Search;
  readonly sources: readonly UsageSourceName[];
}

/**
 * Reads usage over time: UTC days of receipts from the daily rows, hours, days of a time zone, filtered requests and agents'
 * logs from the index.
 */
export class QueryUsageSeries {
  readonly #store: Store;
  readonly #logged: LoggedUsage;
  readonly #clock: Clock;

  constructor(store: Store, logged: LoggedUsage, clock: Clock) {
    this.#store = store;
    this.#logged = logged;
    this.#clock = clock;
  }

  /** Has what first looks go over read beforehand, in small pieces: the newest days. */
  async prepare(): Promise<void> {
    const { usage } = this.#store;
    await usage.days.prepareNewest(ROWS_AHEAD, new Slices(this.#clock, AHEAD_SLICE_MS));
  }

  async series(input: CheckedInput<"usageSeries">): Promise<ControlOutput<"usageSeries">> {
    const { period, query, found } = await this.#find(input);
    const { bucket, buckets, from, to, utcUntil } = period;
    const source = found.select(query.sources);
    const sums = await this.#store.usage.readDurable(() =>
      usageSeries(source, buckets, query.by, input.groups ?? GROUPS, input.timed),
    );
    return { bucket, from, to, utc_until: utcUntil, rebuilding: found.rebuilding, ...sums };
  }

  async cells(input: CheckedInput<"usageCells">): Promise<ControlOutput<"usageCells">> {
    const { period, query, found } = await this.#find(input);
    const read = () =>
      query.sources.flatMap((source) =>
        usageCells(found.select([source]), period.buckets, query.by).map((cell) => ({ ...cell, source })),
      );
    const data = await this.#store.usage.readDurable(read);
    return { bucket: period.bucket, data: data.toSorted((a, b) => a.at - b.at) };
  }

  async #find(input: CheckedInput<"usageCells">) {
    const now = this.#clock.now();
    const query = { by: input.by ?? "model", search: getFilter(input), sources: listSources(input.source) };
    const whole = findPeriod(input, now);
    const first = input.range === "all" ? await this.#findFirst(utcDay(whole.from), utcDay(now), query.sources) : null;
    // A UTC day may start on the previous day of a zone.
    const since = first === null ? null : dayAfter(first, -1);
    const { range: _, ...rest } = input;
    const period = since === null || since < utcDay(whole.from) ? whole : findPeriod({ ...rest, since }, now);
    return { period, query, found: await this.#read(period, query) };
  }

  /** Reads a period from its sources. */
  async #read(period: UsageTime, { by, search, sources }: SeriesQuery): Promise<Found> {
    const receipts = sources.includes("postern") ? await this.#readReceipts(period, by, search) : null;
    const logs = sources.includes("logs") ? await this.#logged.sumHours(period.from, period.to, by, search) : undefined;
    const parts = { postern: period.parts, logs: logs === undefined ? [] : listHours("logs", period) };
    const { day, hour } = receipts ?? {};
    const select = (chosen: readonly UsageSourceName[]): UsageSource => {
      if (day !== undefined && hour === undefined && !chosen.includes("logs")) return day;
      const chosenParts = period.buckets.map((_, place) => chosen.flatMap((source) => parts[source][place] ?? []));
      const all = { ...(day && { day }), ...(hour && { hour }), ...(logs && { logs }) };
      return new MergedUsage(all, { buckets: period.buckets, parts: chosenParts }, by);
    };
    return { rebuilding: receipts?.rebuilding ?? null, select };
  }

  /** Reads inclusive UTC days; those before the first one with something in it are left out. */
  async readDays(
    since: string,
    until: string,
    query: SeriesQuery,
  ): Promise<{ period: UsageTime; source: UsageSource }> {
    const first = await this.#findFirst(since, until, query.sources);
    const period = findUtcDays(first < since ? since : first, until);
    return { period, source: (await this.#read(period, query)).select(query.sources) };
  }

  /** Returns the first UTC day with something in it; `until` without any. */
  async #findFirst(since: string, until: string, sources: SeriesQuery["sources"]): Promise<string> {
    const { days } = this.#store.usage;
    await days.prepare({ since, until }, new Slices(this.#clock));
    const [counted] = sources.includes("postern") ? days.totals({ since, until }) : [];
    const logged = sources.includes("logs") ? await this.#logged.findFirst() : null;
    return [counted?.day ?? until, logged === null ? until : utcDay(logged)].toSorted()[0] ?? until;
  }

  /** Days come from the daily rows, hours from the index. */
  async #readReceipts({ parts, from, to }: LocalPeriod, by: UsageGroup, search: Search) {
    const { usage } = this.#store;
    const firstHour = parts.flat().find(({ unit }) => unit === "hour")?.at ?? to;
    if (firstHour > from)
      await usage.days.prepare({ since: utcDay(from), until: utcDay(firstHour - 1) }, new Slices(this.#clock));
    if (firstHour === to) return { day: usage.days, rebuilding: null };
    const { hours, rebuilding } = await usage.sumHours(firstHour, to, by, search);
    return { day: usage.days, hour: hours, rebuilding };
  }
}

const SOURCES = { postern: ["postern"], logs: ["logs"], both: ["postern", "logs"] } as const;

export const listSources = (source: CheckedInput<"usageCells">["source"] = "postern"): readonly UsageSourceName[] =>
  SOURCES[source];
