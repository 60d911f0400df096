import { CONVERSATIONS } from "../../contract/conversations.ts";
import type { Totals } from "../../contract/totals.ts";
import type { Latency, TimedKind, UsageCell, UsageGroup, UsageSeries } from "../../contract/usage.ts";
import { addCounts, DURATION_BUCKETS, percentile } from "./durations.ts";
import type { UsageColumns, UsageNames, UsageSource } from "./usage-columns.ts";
import { addTotals, emptyTotals, SUMS, readTotals } from "./usage-totals.ts";
import { addNano } from "../../lib/money.ts";

/** So many groups are listed. */
const MOST_GROUPS = 500;
const NANO = SUMS.indexOf("nano");
const REQUESTS = SUMS.indexOf("requests");
const SANDBOX_REQUESTS = SUMS.indexOf("sandbox_requests");

/** Endpoints of the calls of a kind. */
const ENDPOINTS: Readonly<Record<TimedKind, ReadonlySet<string>>> = {
  chat: CONVERSATIONS,
  images: new Set(["images", "edits"]),
  speech: new Set(["speech"]),
  transcriptions: new Set(["transcriptions", "translations"]),
  embeddings: new Set(["embeddings"]),
  videos: new Set(["videos"]),
};

/** A group in the order in which groups are shown. */
interface Ranked {
  readonly name: string;
  readonly number: number;
  readonly totals: Totals;
}

/**
 * Sums over buckets and groups.
 * @param buckets start times, ascending
 * @param shown max groups with their own series
 * @param timed the calls whose latencies are used; by default chats, or all requests if no chat was measured
 */
export function usageSeries(
  source: UsageSource,
  buckets: readonly number[],
  by: UsageGroup,
  shown: number,
  timed?: TimedKind,
): Pick<UsageSeries, "total" | "latency" | "buckets" | "groups" | "more_groups" | "series"> {
  const columns = buckets.map((at) => source.at(at, by));
  const groups = dearestGroups(columns, source.names[by], by);
  const listed = groups.slice(0, MOST_GROUPS);
  // Durations take the most memory, so only listed groups have them.
  const places = indexGroups(listed, source.names[by].size);
  const times = new Times(listed.length, timed);
  const all = new Times(1, timed);
  const perColumn = columns.map((one) => {
    const own = new Times(1, timed);
    if (one !== undefined) addTimes(one, by, source.names.endpoint, places, times, own);
    all.addAll(own);
    return own;
  });
  const perBucket = buckets.map((at, place) => {
    const one = columns[place];
    const latency = (perColumn[place] ?? new Times(1, timed)).latency(0, all.isOfKind(0));
    return { at, totals: one === undefined ? emptyTotals() : sumColumns(one), latency };
  });
  const total = emptyTotals();
  for (const { totals } of perBucket) addTotals(total, totals);
  return {
    total,
    latency: all.latency(0),
    buckets: perBucket,
    groups: listed.map(({ name, totals }, place) => ({ group: name, totals, latency: times.latency(place) })),
    more_groups: groups.length - listed.length,
    series: buildSeries(columns, groups, by, source.names[by].size, shown, perBucket),
  };
}

/** Each bucket of each group that has something in it, in the order of time and of names. */
export function usageCells(
  source: UsageSource,
  buckets: readonly number[],
  by: UsageGroup,
): Omit<UsageCell, "source">[] {
  return buckets.flatMap((at) =>
    dearestGroups([source.at(at, by)], source.names[by], by)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, totals }) => ({ at, group: name, totals })),
  );
}

/** Ranks the groups of all these columns: the most expensive first, then by requests and by name. */
export function dearestGroups(
  columns: readonly (UsageColumns | undefined)[],
  names: UsageNames,
  by: UsageGroup,
): Ranked[] {
  const sums = new Float64Array(names.size * SUMS.length);
  const seen = new Uint8Array(names.size);
  for (const one of columns) {
    if (one === undefined) continue;
    const numbers = one.groups[by];
    for (let row = 0; row < one.rows; row += 1) {
      const number = numbers[row] ?? 0;
      seen[number] = 1;
      const [from, to] = [row * SUMS.length, number * SUMS.length];
      for (let place = 0; place < SUMS.length; place += 1) {
        sums[to + place] = (sums[to + place] ?? 0) + (one.sums[from + place] ?? 0);
      }
    }
  }
  const figure = (number: number, place: number): number => sums[number * SUMS.length + place] ?? 0;
  const groups: number[] = [];
  for (let number = 0; number < names.size; number += 1) if (seen[number] === 1) groups.push(number);
  groups.sort(
    (a, b) =>
      figure(b, NANO) - figure(a, NANO) ||
      figure(b, REQUESTS) - figure(a, REQUESTS) ||
      figure(b, SANDBOX_REQUESTS) - figure(a, SANDBOX_REQUESTS) ||
      (names.text(a) < names.text(b) ? -1 : 1),
  );
  return groups.map((number) => ({
    name: names.text(number),
    number,
    totals: readTotals(sums, number * SUMS.length),
  }));
}

/** Sums all rows of a bucket, or only those of the given group. */
export function sumColumns(columns: UsageColumns, only?: { readonly by: UsageGroup; readonly number: number }): Totals {
  const sums = new Float64Array(SUMS.length);
  for (let row = 0; row < columns.rows; row += 1) {
    if (only !== undefined && columns.groups[only.by][row] !== only.number) continue;
    const from = row * SUMS.length;
    for (let place = 0; place < SUMS.length; place += 1) {
      sums[place] = (sums[place] ?? 0) + (columns.sums[from + place] ?? 0);
    }
  }
  return readTotals(sums, 0);
}

/** How long the calls of some groups took, and conversations until their first token. */
class Times {
  readonly expected: Float64Array;
  readonly others: Float64Array;
  readonly first: Float64Array;
  readonly #kind: TimedKind | undefined;

  /** @param kind undefined: conversations, or all calls without any */
  constructor(groups: number, kind: TimedKind | undefined) {
    this.#kind = kind;
    this.expected = new Float64Array(groups * DURATION_BUCKETS);
    this.others = new Float64Array(groups * DURATION_BUCKETS);
    this.first = new Float64Array(groups * DURATION_BUCKETS);
  }

  add(group: number, { durations, firstDurations }: UsageColumns, row: number, endpoint: string): void {
    const from = group * DURATION_BUCKETS;
    const kind = this.#kind ?? "chat";
    const isIncluded = ENDPOINTS[kind].has(endpoint);
    addCounts(isIncluded ? this.expected : this.others, from, durations, row);
    if (isIncluded && kind === "chat") addCounts(this.first, from, firstDurations, row);
  }

  addAll(other: Times): void {
    for (const name of ["expected", "others", "first"] as const)
      for (let place = 0; place < this[name].length; place += 1)
        this[name][place] = (this[name][place] ?? 0) + (other[name][place] ?? 0);
  }

  /** Whether the latency of a group is that of the wanted kind. */
  isOfKind(group: number): boolean {
    return this.#kind !== undefined || getCounts(this.expected, group).some((count) => count > 0);
  }

  latency(group: number, isOfKind = this.isOfKind(group)): Latency {
    const durations = getCounts(isOfKind ? this.expected : this.others, group);
    const first = getCounts(this.first, group);
    return {
      p50: percentile(durations, 0.5),
      p95: percentile(durations, 0.95),
      first_p50: percentile(first, 0.5),
      first_p95: percentile(first, 0.95),
    };
  }
}

const getCounts = (counts: Float64Array, group: number): Float64Array =>
  counts.subarray(group * DURATION_BUCKETS, (group + 1) * DURATION_BUCKETS);

const NOT_LISTED = -1;

/** Returns the index among `groups` by the number of a name. */
function indexGroups(groups: readonly Ranked[], names: number): Int32Array {
  const places = new Int32Array(names).fill(NOT_LISTED);
  for (const [place, { number }] of groups.entries()) places[number] = place;
  return places;
}

function addTimes(
  columns: UsageColumns,
  by: UsageGroup,
  endpoints: UsageNames,
  places: Int32Array,
  times: Times,
  own: Times,
): void {
  const { [by]: numbers, endpoint } = columns.groups;
  for (let row = 0; row < columns.rows; row += 1) {
    const name = endpoints.text(endpoint[row] ?? 0);
    own.add(0, columns, row, name);
    const place = places[numbers[row] ?? 0] ?? NOT_LISTED;
    if (place !== NOT_LISTED) times.add(place, columns, row, name);
  }
}

/** The figures of the first `shown` groups in each bucket, and those of all others together. */
function buildSeries(
  columns: readonly (UsageColumns | undefined)[],
  groups: readonly Ranked[],
  by: UsageGroup,
  names: number,
  shown: number,
  perBucket: readonly { readonly totals: Totals }[],
): UsageSeries["series"] {
  const own = groups.slice(0, shown);
  const places = indexGroups(own, names);
  const zeros = (): number[] => columns.map(() => 0);
  const series = own.map(({ name }) => ({ group: name as string | null, nano: zeros(), requests: zeros() }));
  const others = {
    group: null,
    nano: perBucket.map(({ totals }) => totals.nano),
    requests: perBucket.map(({ totals }) => totals.requests),
  };
  for (const [bucket, one] of columns.entries()) {
    if (one === undefined) continue;
    const numbers = one.groups[by];
    for (let row = 0; row < one.rows; row += 1) {
      const figures = series[places[numbers[row] ?? 0] ?? NOT_LISTED];
      if (figures === undefined) continue;
      const nano = one.sums[row * SUMS.length + NANO] ?? 0;
      const requests = one.sums[row * SUMS.length + REQUESTS] ?? 0;
      figures.nano[bucket] = addNano(figures.nano[bucket] ?? 0, nano);
      figures.requests[bucket] = (figures.requests[bucket] ?? 0) + requests;
      others.nano[bucket] = Math.max(0, (others.nano[bucket] ?? 0) - nano);
      others.requests[bucket] = (others.requests[bucket] ?? 0) - requests;
    }
  }
  return groups.length > own.length ? [...series, others] : series;
}
