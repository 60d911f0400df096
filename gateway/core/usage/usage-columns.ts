import { getAppName } from "../../contract/apps.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import { addCounts, toCounts, DURATION_BUCKETS } from "./durations.ts";
import type { DurationCounts, Durations } from "./durations.ts";
import type { UsageSums } from "./usage-sums.ts";
import { SUMS } from "./usage-totals.ts";

/** Maps names of groups to numbers, counted from 0: rows of any time are compared without comparing texts. */
export class UsageNames {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #rename: (name: string) => string;

  /** @param rename returns one name for all names of the same thing. */
  constructor(rename: (name: string) => string = (name) => name) {
    this.#rename = rename;
  }

  /** Returns the number of a name, adding it if new. */
  number(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const text = this.#rename(name);
    const number = this.#numbers.get(text) ?? this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    this.#numbers.set(name, number);
    return number;
  }

  /** Undefined for a name that no row has. */
  findNumber(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  text(number: number): string {
    return this.#texts[number] ?? "";
  }

  /** All names, in the order of their numbers. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  get size(): number {
    return this.#texts.length;
  }
}

export type NamesByGroup = Readonly<Record<UsageGroup, UsageNames>>;

export function namesByGroup(): NamesByGroup {
  return {
    model: new UsageNames(),
    key: new UsageNames(),
    client: new UsageNames(getAppName),
    endpoint: new UsageNames(),
    project: new UsageNames(),
    connection: new UsageNames(),
  };
}

/** The rows of one time bucket as columns: summing a hundred thousand of them takes milliseconds. */
export interface UsageColumns {
  readonly rows: number;
  /** Number of each row's name. */
  readonly groups: Readonly<Record<UsageGroup, Uint32Array>>;
  /** Sums of each row, in the order of SUMS. */
  readonly sums: Float64Array;
  readonly durations: DurationCounts;
  readonly firstDurations: DurationCounts;
}

const NOTHING: Readonly<Durations> = {};

/** @param names take the names that are new */
export function toColumns(rows: Iterable<Readonly<UsageSums>>, names: NamesByGroup): UsageColumns {
  const all = [...rows];
  const numbers = (by: UsageGroup): Uint32Array => Uint32Array.from(all, (row) => names[by].number(getGroup(row, by)));
  const sums = new Float64Array(all.length * SUMS.length);
  let place = 0;
  for (const row of all) for (const name of SUMS) sums[place++] = row[name];
  return {
    rows: all.length,
    groups: eachGroup(numbers),
    sums,
    durations: toCounts(all.map((row) => row.durations ?? NOTHING)),
    firstDurations: toCounts(all.map((row) => row.first_durations ?? NOTHING)),
  };
}

export const eachGroup = (numbers: (by: UsageGroup) => Uint32Array): UsageColumns["groups"] => ({
  model: numbers("model"),
  key: numbers("key"),
  client: numbers("client"),
  endpoint: numbers("endpoint"),
  project: numbers("project"),
  connection: numbers("connection"),
});

const EMPTY = new Uint32Array();
/** Empty numbers for groups whose names are not read. */
export const NO_NUMBERS = eachGroup(() => EMPTY);

/** Sums the rows by one group and the endpoint, which latencies depend on: the result has no other group. */
export function addedUp(columns: UsageColumns, by: UsageGroup): UsageColumns {
  const { [by]: names, endpoint } = columns.groups;
  const kinds = endpoint.reduce((most, number) => Math.max(most, number), 0) + 1;
  const all = Array.from(names, (number, row) => number * kinds + (endpoint[row] ?? 0));
  const places = new Map<number, number>();
  for (const number of all) if (!places.has(number)) places.set(number, places.size);
  const sums = new Float64Array(places.size * SUMS.length);
  const durations = new Float64Array(places.size * DURATION_BUCKETS);
  const first = new Float64Array(places.size * DURATION_BUCKETS);
  for (let row = 0; row < columns.rows; row += 1) {
    const place = places.get(all[row] ?? 0) ?? 0;
    const [from, to] = [row * SUMS.length, place * SUMS.length];
    for (let sum = 0; sum < SUMS.length; sum += 1)
      sums[to + sum] = (sums[to + sum] ?? 0) + (columns.sums[from + sum] ?? 0);
    addCounts(durations, place * DURATION_BUCKETS, columns.durations, row);
    addCounts(first, place * DURATION_BUCKETS, columns.firstDurations, row);
  }
  return {
    rows: places.size,
    groups: {
      ...NO_NUMBERS,
      endpoint: Uint32Array.from(places.keys(), (number) => number % kinds),
      [by]: Uint32Array.from(places.keys(), (number) => Math.floor(number / kinds)),
    },
    sums,
    durations: compactCounts(durations),
    firstDurations: compactCounts(first),
  };
}

/** Rows of several, one after the other. */
export function joinCounts(all: readonly DurationCounts[]): DurationCounts {
  const rows = all.reduce((sum, { starts }) => sum + starts.length - 1, 0);
  const counted = all.reduce((sum, { buckets }) => sum + buckets.length, 0);
  const starts = new Uint32Array(rows + 1);
  const buckets = new Uint8Array(counted);
  const counts = new Float64Array(counted);
  let [row, place] = [0, 0];
  for (const one of all) {
    buckets.set(one.buckets, place);
    counts.set(one.counts, place);
    for (let index = 1; index < one.starts.length; index += 1) starts[++row] = place + (one.starts[index] ?? 0);
    place += one.buckets.length;
  }
  return { starts, buckets, counts };
}

/** Returns the rows of all buckets without empty ones. */
function compactCounts(all: Float64Array): DurationCounts {
  const starts = new Uint32Array(all.length / DURATION_BUCKETS + 1);
  const buckets: number[] = [];
  const counts: number[] = [];
  for (let row = 1; row < starts.length; row += 1) {
    const from = (row - 1) * DURATION_BUCKETS;
    for (let bucket = 0; bucket < DURATION_BUCKETS; bucket += 1) {
      const count = all[from + bucket] ?? 0;
      if (count === 0) continue;
      buckets.push(bucket);
      counts.push(count);
    }
    starts[row] = buckets.length;
  }
  return { starts, buckets: Uint8Array.from(buckets), counts: Float64Array.from(counts) };
}

/** Returns the group of sums. Without an endpoint: from a version that did not store it; without a connection: of a day. */
export function getGroup(row: Readonly<UsageSums>, by: UsageGroup): string {
  return row[by] ?? "";
}

/** Source of time buckets. */
export interface UsageSource {
  readonly names: NamesByGroup;
  /**
   * Returns the bucket with this start; undefined without usage.
   * @param by group whose numbers are included, besides the endpoint's
   */
  at(begins: number, by: UsageGroup): UsageColumns | undefined;
}
