/**
 * Histogram of response durations, in buckets whose bounds grow by 2^(1/8): percentiles are accurate to 5 %, counts of
 * hours, days and groups can be added, and no receipt is read again.
 */
export type Durations = Record<number, number>;

const PER_DOUBLING = 8;
/** Three days and more: the longest task. */
const LAST = 224;
/** How many buckets there are. */
export const DURATION_BUCKETS = LAST + 1;

/** Returns the histogram bucket of a duration in ms; bucket 0 is below one millisecond. */
export function durationBucket(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(LAST, Math.ceil(Math.log2(ms) * PER_DOUBLING));
}

/** Counts a duration; skips values that are no number (an old or foreign line of the log). */
export function countDuration(durations: Durations, ms: number): void {
  if (!Number.isFinite(ms)) return;
  const bucket = durationBucket(ms);
  durations[bucket] = (durations[bucket] ?? 0) + 1;
}

/** The counts of many rows: those of row `i` stand from `starts[i]` up to `starts[i + 1]`. */
export interface DurationCounts {
  readonly starts: Uint32Array;
  readonly buckets: Uint8Array;
  readonly counts: Float64Array;
}

export function toCounts(rows: readonly Readonly<Durations>[]): DurationCounts {
  const starts = new Uint32Array(rows.length + 1);
  const buckets: number[] = [];
  const counts: number[] = [];
  for (const [index, row] of rows.entries()) {
    for (const name in row) {
      const bucket = Number(name);
      if (!(bucket >= 0 && bucket <= LAST && Number.isInteger(bucket))) continue;
      buckets.push(bucket);
      counts.push(row[bucket] ?? 0);
    }
    starts[index + 1] = buckets.length;
  }
  return { starts, buckets: Uint8Array.from(buckets), counts: Float64Array.from(counts) };
}

/** Adds the counts of row `index` to the buckets in `sum` from `start`. */
export function addCounts(
  sum: Float64Array,
  start: number,
  { starts, buckets, counts }: DurationCounts,
  index: number,
) {
  const end = starts[index + 1] ?? 0;
  for (let place = starts[index] ?? 0; place < end; place += 1) {
    const at = start + (buckets[place] ?? 0);
    sum[at] = (sum[at] ?? 0) + (counts[place] ?? 0);
  }
}

/**
 * Returns the duration in ms at percentile `share` (0 to 1): the middle of its bucket, to a tenth. Null if nothing was
 * counted.
 */
export function percentile(durations: { readonly [bucket: number]: number }, share: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket <= LAST; bucket += 1) all += durations[bucket] ?? 0;
  if (all === 0) return null;
  let left = Math.ceil(all * share);
  for (let bucket = 0; bucket <= LAST; bucket += 1) {
    left -= durations[bucket] ?? 0;
    if (left <= 0) return computeMiddle(bucket);
  }
  return null;
}

function computeMiddle(bucket: number): number {
  return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING) * 10) / 10;
}
