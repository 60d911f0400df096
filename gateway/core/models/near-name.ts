/** Longest name that is compared, and most names: together they bound the time that a wrong name costs. */
const LONGEST = 200;
const MOST_NAMES = 5_000;

/**
 * Finds what a mistyped name probably means.
 * @returns the name that fewest edits of a character make of it, letter case aside: one edit per four characters at most,
 * and never more than three; null where none is so near
 */
export function findNearName(typed: string, names: readonly string[]): string | null {
  if (typed.length > LONGEST) return null;
  const text = typed.toLowerCase();
  let nearest: string | null = null;
  let limit = Math.min(3, Math.floor(text.length / 4));
  for (const name of names.slice(0, MOST_NAMES)) {
    if (limit < 0) break;
    if (Math.abs(name.length - text.length) > limit) continue;
    const edits = countEdits(text, name.toLowerCase(), limit);
    if (edits > limit) continue;
    nearest = name;
    limit = edits - 1;
  }
  return nearest;
}

/**
 * Counts the insertions, deletions, replacements and swaps of neighbours that make one text of another, in a band around
 * the diagonal.
 * @returns a number above `limit` where it takes more
 */
function countEdits(from: string, to: string, limit: number): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const first = Math.max(1, row - limit);
    const end = Math.min(to.length, row + limit);
    const current = Array.from<number>({ length: to.length + 1 }).fill(limit + 1);
    if (first === 1) current[0] = row;
    const get = (line: readonly number[], column: number): number => line[column] ?? limit + 1;
    for (let column = first; column <= end; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        get(last, column - 1) + (isSame ? 0 : 1),
        get(last, column) + 1,
        get(current, column - 1) + 1,
        isSwap ? get(before, column - 2) + 1 : limit + 1,
      );
    }
    if (Math.min(...current) > limit) return limit + 1;
    [before, last] = [last, current];
  }
  return last[to.length] ?? limit + 1;
}
