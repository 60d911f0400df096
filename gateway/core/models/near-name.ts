/** Max length of names and max number of names, which bound the time of a comparison. */
const LONGEST = 200;
const MOST_NAMES = 5_000;

/**
 * Finds what a mistyped name probably means.
 * @returns the name with the fewest character edits, ignoring case: at most one edit per four characters and three in
 * total; null if no name is that close
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
 * Counts the insertions, deletions, replacements and adjacent swaps between two texts, in a band around the diagonal.
 * @returns a number above `limit` if it takes more
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
