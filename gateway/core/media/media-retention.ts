/** How long, and how much, the library keeps; null: no bound. */
export interface MediaLimits {
  readonly keepDays: number | null;
  readonly maxBytes: number | null;
}

/** Fields that decide whether a result is kept. Files are the same if their hashes are. */
export interface KeptMedia {
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  readonly bytes: number;
  readonly sha256: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Younger results may not have been seen yet: they are never removed. */
const YOUNG_MS = 60 * 60 * 1_000;

const YEAR_MS = 365 * DAY_MS;

/**
 * Since when dates are believed: a clock that was wrong leaves a gap, and what lies beyond one of a year may be as young
 * as what lies on this side of it. Unix ms; -Infinity where there is no such gap.
 * @param rows in any order @param now Unix ms
 */
export function believedSince(rows: readonly Pick<KeptMedia, "at">[], now: number): number {
  let since = now;
  for (const at of rows.map((row) => row.at).toSorted((a, b) => b - a)) {
    if (at > now) continue;
    if (since - at > YEAR_MS) return since;
    since = at;
  }
  return Number.NEGATIVE_INFINITY;
}

/**
 * Returns the results to remove: all that are too old, then the oldest while the files exceed the limit. A file is removed
 * with the last result that has it; while a young one has it, older ones stay, since removing them frees nothing.
 * @param rows oldest first @param now Unix ms
 */
export function outdatedMedia(rows: readonly KeptMedia[], { keepDays, maxBytes }: MediaLimits, now: number): string[] {
  const oldest = keepDays === null ? Number.NEGATIVE_INFINITY : now - keepDays * DAY_MS;
  const since = keepDays === null ? now : believedSince(rows, now);
  const old = rows.filter(({ at }) => at < oldest && at < now - YOUNG_MS && at >= since);
  if (maxBytes === null) return old.map(({ id }) => id);
  const gone = new Set(old.map(({ id }) => id));
  const kept = rows.filter(({ id }) => !gone.has(id));
  // Results with a future date were made while the clock was wrong.
  const isYoung = ({ at }: KeptMedia): boolean => Math.abs(at - now) <= YOUNG_MS;
  const users = new Map<string, number>();
  const usedByYoung = new Set(kept.filter(isYoung).map(({ sha256 }) => sha256));
  let bytes = 0;
  for (const row of kept) {
    const before = users.get(row.sha256) ?? 0;
    users.set(row.sha256, before + 1);
    if (before === 0) bytes += row.bytes;
  }
  for (const row of kept) {
    if (bytes <= maxBytes) break;
    if (usedByYoung.has(row.sha256)) continue;
    const left = (users.get(row.sha256) ?? 0) - 1;
    users.set(row.sha256, left);
    gone.add(row.id);
    if (left === 0) bytes -= row.bytes;
  }
  return rows.flatMap(({ id }) => (gone.has(id) ? [id] : []));
}
