/**
 * How long answers took, counted in buckets whose bounds grow by 2^(1/8): a percentile is right to within 5 %, counts
 * of any hours, days and groups can be added up, and no receipt has to be read again.
 */
export type Durations = Record<string, number>;

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

/** Adds the counts of `more` to `durations`. */
export function addDurations(durations: Durations, more: Readonly<Durations>): void {
  for (const bucket in more) durations[bucket] = (durations[bucket] ?? 0) + (more[bucket] ?? 0);
}

/**
 * The duration in ms that `share` (0 to 1) of all did not exceed: the middle of its bucket, in tenths. Null when
 * nothing was counted.
 */
export function percentile(durations: Readonly<Durations>, share: number): number | null {
  const buckets = Object.keys(durations)
    .map(Number)
    .toSorted((a, b) => a - b);
  let left = 0;
  for (const bucket of buckets) left += durations[bucket] ?? 0;
  left = Math.ceil(left * share);
  for (const bucket of buckets) {
    left -= durations[bucket] ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING) * 10) / 10;
}
