import type { Slices } from "./slices.ts";

const RUN = 1_024;

/** @returns a sorted copy. Nothing but the last merge, which looks at each item once, is one piece of work. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).toSorted(compare));
    if (slices.over) await slices.pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(mergeSorted(runs[index] ?? [], runs[index + 1] ?? [], compare));
      if (slices.over) await slices.pause();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** @returns one sorted list of two. */
export function mergeSorted<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): T[] {
  const [a0, b0] = [first[0], second[0]];
  const [a9, b9] = [first.at(-1), second.at(-1)];
  if (a9 === undefined || (b0 !== undefined && compare(a9, b0) <= 0)) return first.concat(second);
  if (b9 === undefined || (a0 !== undefined && compare(b9, a0) <= 0)) return second.concat(first);
  const all: T[] = [];
  let [a, b] = [0, 0];
  while (a < first.length && b < second.length) {
    all.push(compare(first[a] as T, second[b] as T) <= 0 ? (first[a++] as T) : (second[b++] as T));
  }
  while (a < first.length) all.push(first[a++] as T);
  while (b < second.length) all.push(second[b++] as T);
  return all;
}
