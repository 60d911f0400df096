/**
 * How long answers took, counted in buckets whose bounds grow by 2^(1/8): a percentile is right to within 5 %, counts
 * of any hours, days and groups can be added up, and no receipt has to be read again.
 */
export type Durations = Record<number, number>;

const PER_DOUBLING = 8;
/** Three days and more: the longest task. */
const LAST = 224;

/** The bucket of a duration in ms. Below one millisecond is bucket 0. */
export function durationBucket(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(LAST, Math.ceil(Math.log2(ms) * PER_DOUBLING));
}

/** What is no number (an old or foreign line of the log) is passed over. */
export function countDuration(durations: Durations, ms: number): void {
  if (!Number.isFinite(ms)) return;
  const bucket = durationBucket(ms);
  durations[bucket] = (durations[bucket] ?? 0) + 1;
}

/** Counts of all buckets, for adding up many rows. */
export const noDurations = (): Float64Array => new Float64Array(LAST + 1);

/** Adds the counts of `more` to `sum`. */
export function addDurations(sum: Float64Array, more: Readonly<Durations>): void {
  // By number and not by key: a month has thousands of rows, and keys are texts.
  for (let bucket = 0; bucket <= LAST; bucket += 1) {
    const count = more[bucket];
    if (count !== undefined) sum[bucket] = (sum[bucket] ?? 0) + count;
  }
}

/**
 * The duration in ms that `share` (0 to 1) of all did not exceed: the middle of its bucket, in tenths. Null when
 * nothing was counted.
 */
export function percentile(durations: { readonly [bucket: number]: number }, share: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket <= LAST; bucket += 1) all += durations[bucket] ?? 0;
  if (all === 0) return null;
  let left = Math.ceil(all * share);
  for (let bucket = 0; bucket <= LAST; bucket += 1) {
    left -= durations[bucket] ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING) * 10) / 10;
}
