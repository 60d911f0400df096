import type { ActivityBucket } from "../../contract/requests.ts";
import { percentile } from "./durations.ts";
import type { Durations } from "./durations.ts";
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

/** Returns the smallest bucket length with which at most 60 buckets cover the range. */
export function bucketLength(from: number, to: number): number {
  const fits = (length: number): boolean => Math.ceil(to / length) - Math.floor(from / length) <= MOST_BUCKETS;
  const known = LENGTHS.find(fits);
  if (known !== undefined) return known;
  let length = 364 * DAY;
  while (!fits(length)) length *= 2;
  return length;
}

/** Requests of a bucket that took about as long. */
export type ActivityCount = readonly [
  bucket: number,
  /** Bucket of `durationBucket`; null if the duration says nothing about response speed. */
  duration: number | null,
  count: number,
  failed: number,
  /** 10⁻⁹ USD, without the sandbox. */
  nano: number,
];

/** Counts of requests by time. */
export class ActivityBuckets {
  readonly length: number;
  readonly #first: number;
  readonly #buckets: { count: number; failed: number; nano: number; readonly durations: Durations }[];

  /** @param from Unix ms, and `to`: after the last */
  constructor(from: number, to: number) {
    this.length = bucketLength(from, to);
    this.#first = Math.floor(from / this.length);
    const size = Math.max(0, Math.ceil(to / this.length) - this.#first);
    this.#buckets = Array.from({ length: size }, () => ({ count: 0, failed: 0, nano: 0, durations: {} }));
  }

  /** Start of the first bucket. */
  get from(): number {
    return this.#first * this.length;
  }

  get size(): number {
    return this.#buckets.length;
  }

  add([place, duration, count, failed, nano]: ActivityCount): void {
    const bucket = this.#buckets[place];
    if (bucket === undefined) return;
    bucket.count += count;
    bucket.failed += failed;
    bucket.nano = addNano(bucket.nano, nano);
    if (duration !== null) bucket.durations[duration] = (bucket.durations[duration] ?? 0) + count;
  }

  /** Oldest first. */
  list(): ActivityBucket[] {
    return this.#buckets.map(({ count, failed, nano, durations }, index) => ({
      at: (this.#first + index) * this.length,
      count,
      failed,
      cost_nano: nano,
      p50_ms: percentile(durations, 0.5),
      p95_ms: percentile(durations, 0.95),
    }));
  }
}
