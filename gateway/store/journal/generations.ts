import { utcDay } from "../../lib/clock.ts";

/** A generation that is on the disk. */
export interface Generation {
  readonly name: string;
  readonly seq: number;
  /** When it was written, Unix ms. */
  readonly at: number;
}

const NEWEST = 3;
const DAYS = 7;
const ALL = 10;
const DAY_MS = 86_400_000;

/** Which generations stay: the 3 newest, and of each of the last 7 days the newest, 10 in all. */
export function selectRetainedGenerations(generations: readonly Generation[], now: number): Generation[] {
  const newestFirst = generations.toSorted((a, b) => b.seq - a.seq);
  const retained = newestFirst.slice(0, NEWEST);
  const days = new Set(retained.map((generation) => utcDay(generation.at)));
  for (const generation of newestFirst.slice(NEWEST)) {
    const day = utcDay(generation.at);
    if (retained.length >= ALL || days.has(day) || generation.at < now - DAYS * DAY_MS) continue;
    days.add(day);
    retained.push(generation);
  }
  return retained;
}

/**
 * Returns the journal files to delete: those that end before the oldest kept generation. Until the min number of
 * generations exists, the journal is kept completely.
 * @param firstSeqs number of the first line of each journal file
 */
export function spentJournals(firstSeqs: readonly number[], retained: readonly Generation[]): number[] {
  if (retained.length < NEWEST) return [];
  const oldest = Math.min(...retained.map((generation) => generation.seq));
  const ordered = firstSeqs.toSorted((a, b) => a - b);
  return ordered.filter((_, index) => {
    const next = ordered[index + 1];
    return next !== undefined && next <= oldest + 1;
  });
}
