import type { ActivityBucket } from "../../contract/requests.ts";
import { DURATION_BUCKETS, durationBucket, percentile } from "./usage-sums.ts";
import { addNano } from "../../lib/money.ts";

export const MOST_BUCKETS = 60;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Lengths that people count in. */
const LENGTHS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((count) => count * DAY),
];

/** The shortest of the lengths with which at most 60 buckets reach from one moment to before the other. */
export function bucketLength(from: number, to: number): number {
  const fits = (length: number): boolean => Math.ceil(to / length) - Math.floor(from / length) <= MOST_BUCKETS;
  const known = LENGTHS.find(fits);
  if (known !== undefined) return known;
  let length = 364 * DAY;
  while (!fits(length)) length *= 2;
  return length;
}

/** Counts of requests by time, in memory for no more than the buckets. */
export class ActivityBuckets {
  readonly length: number;
  readonly #first: number;
  readonly #counts: Float64Array;
  readonly #failed: Float64Array;
  readonly #nano: Float64Array;
  readonly #durations: Uint32Array[];

  /** @param from Unix ms, and `to`: after the last */
  constructor(from: number, to: number) {
    this.length = bucketLength(from, to);
    this.#first = Math.floor(from / this.length);
    const size = Math.max(0, Math.ceil(to / this.length) - this.#first);
    this.#counts = new Float64Array(size);
    this.#failed = new Float64Array(size);
    this.#nano = new Float64Array(size);
    this.#durations = Array.from({ length: size }, () => new Uint32Array(DURATION_BUCKETS));
  }

  /**
   * What lies outside is passed over.
   * @param at Unix ms
   * @param nano 10⁻⁹ USD; 0 for what costs nothing or has no price
   * @param ms null where it says nothing about how fast responses are
   */
  count(at: number, failed: boolean, nano: number, ms: number | null): void {
    const index = Math.floor(at / this.length) - this.#first;
    const durations = this.#durations[index];
    if (durations === undefined) return;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    if (failed) this.#failed[index] = (this.#failed[index] ?? 0) + 1;
    this.#nano[index] = addNano(this.#nano[index] ?? 0, nano);
    if (ms === null || !Number.isFinite(ms)) return;
    const bucket = durationBucket(ms);
    durations[bucket] = (durations[bucket] ?? 0) + 1;
  }

  /** Oldest first. */
  list(): ActivityBucket[] {
    return this.#durations.map((durations, index) => ({
      at: (this.#first + index) * this.length,
      count: this.#counts[index] ?? 0,
      failed: this.#failed[index] ?? 0,
      cost_nano: this.#nano[index] ?? 0,
      p50_ms: percentile(durations, 0.5),
      p95_ms: percentile(durations, 0.95),
    }));
  }
}
