/** Age and size limits of the library; null: unlimited. */
export interface MediaLimits {
  readonly keepDays: number | null;
  readonly maxBytes: number | null;
}

/** Fields that retention depends on. */
export interface RetainedMedia {
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  readonly bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Min age in ms of results that retention removes, as younger ones may not have been seen yet. */
const YOUNG_MS = 60 * 60 * 1_000;

const YEAR_MS = 365 * DAY_MS;

/**
 * Returns the time from which dates are trusted (Unix ms): a wrong clock leaves a gap, and results before a gap of a
 * year may actually be recent. -Infinity without such a gap.
 * @param rows in any order @param now Unix ms
 */
export function believedSince(rows: readonly Pick<RetainedMedia, "at">[], now: number): number {
  let since = now;
  for (const at of rows.map((row) => row.at).toSorted((a, b) => b - a)) {
    if (at > now) continue;
    if (since - at > YEAR_MS) return since;
    since = at;
  }
  return Number.NEGATIVE_INFINITY;
}

export const isTooOld = (at: number, keepDays: number, now: number): boolean => at < now - keepDays * DAY_MS;

/**
 * Returns the results to remove: all that are too old, then the oldest while the files exceed the limit.
 * @param rows oldest first @param now Unix ms
 */
export function outdatedMedia(
  rows: readonly RetainedMedia[],
  { keepDays, maxBytes }: MediaLimits,
  now: number,
): string[] {
  const since = keepDays === null ? now : believedSince(rows, now);
  // Results with a future date were made while the clock was wrong.
  const isYoung = (at: number): boolean => Math.abs(at - now) <= YOUNG_MS;
  const isOld = (at: number): boolean =>
    keepDays !== null && isTooOld(at, keepDays, now) && at < now - YOUNG_MS && at >= since;
  let bytes = rows.reduce((sum, row) => sum + (isOld(row.at) ? 0 : row.bytes), 0);
  return rows.flatMap((row) => {
    if (isOld(row.at)) return [row.id];
    if (maxBytes === null || bytes <= maxBytes || isYoung(row.at)) return [];
    bytes -= row.bytes;
    return [row.id];
  });
}
