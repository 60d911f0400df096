const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Pauses before each attempt (docs/webhooks.md; the example of Standard Webhooks 1.0): some three days in all.
 */
const PAUSES_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Max scheduled attempts, after which a webhook has failed. */
export const MOST_ATTEMPTS = PAUSES_MS.length;

const JITTER = 0.2;
/** Max delay that a receiver can request, in milliseconds. */
const LONGEST_PAUSE_MS = 24 * HOUR_MS;

/** Max milliseconds from now for which an attempt is scheduled. */
export const FURTHEST_ATTEMPT_MS = LONGEST_PAUSE_MS * (1 + JITTER);

/**
 * Returns the milliseconds until the next scheduled attempt; null after the last one.
 * @param made scheduled attempts so far
 * @param random a number in [0, 1): jitter of ± 20 %
 * @param retryAfter the receiver's delay in milliseconds; used if longer
 */
export function findNextAttempt(made: number, random: number, retryAfter: number | null): number | null {
  const pause = PAUSES_MS[made];
  if (pause === undefined) return null;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jittered, Math.min(retryAfter ?? 0, LONGEST_PAUSE_MS));
}

/**
 * Reads `Retry-After`: whole seconds, or an HTTP date. Milliseconds; null for an invalid value.
 * @param now Unix milliseconds, reference for a date
 */
export function readRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text) * SECOND_MS;
  // Date.parse accepts numbers and much else as dates; HTTP dates always begin with a weekday.
  const moment = /^[A-Z][a-z]{2,8}[ ,]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}
