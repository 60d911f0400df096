import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.ts";

const RUN = 1_024;
/** Items that are passed over in one go. */
const STRETCH = 8_192;

/**
 * Sorts by a figure, ascending; what has the same figure keeps its order. The longest piece of work is one merge of
 * numbers.
 * @returns a copy
 */
export async function sortInSlices<T>(items: readonly T[], figure: (item: T) => number, slices: Slices): Promise<T[]> {
  const figures = new Float64Array(items.length);
  await stretches(items.length, slices, (index) => (figures[index] = figure(items[index] as T)));
  const compare = (a: number, b: number): number => (figures[a] as number) - (figures[b] as number);
  // Numbers of items: what is far apart in memory is looked at as little as possible.
  let runs: Uint32Array[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    const run = new Uint32Array(Math.min(RUN, items.length - start));
    for (let index = 0; index < run.length; index += 1) run[index] = start + index;
    runs.push(run.toSorted(compare));
    if (slices.over) await slices.pause();
  }
  while (runs.length > 1) {
    const merged: Uint32Array[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [first, second] = [runs[index], runs[index + 1]];
      if (first !== undefined) merged.push(second === undefined ? first : merge(first, second, figures));
      if (slices.over) await slices.pause();
    }
    runs = merged;
  }
  const order = runs[0] ?? new Uint32Array();
  const sorted: T[] = [];
  await stretches(order.length, slices, (index) => sorted.push(items[order[index] as number] as T));
  return sorted;
}

async function stretches(length: number, slices: Slices, work: (index: number) => void): Promise<void> {
  for (let start = 0; start < length; start += STRETCH) {
    const end = Math.min(length, start + STRETCH);
    for (let index = start; index < end; index += 1) work(index);
    if (slices.over) await slices.pause();
  }
}

function merge(first: Uint32Array, second: Uint32Array, figures: Float64Array): Uint32Array {
  const all = new Uint32Array(first.length + second.length);
  let [a, b, at] = [0, 0, 0];
  while (a < first.length && b < second.length) {
    const [left, right] = [first[a] as number, second[b] as number];
    if ((figures[left] as number) <= (figures[right] as number)) {
      all[at++] = left;
      a += 1;
    } else {
      all[at++] = right;
      b += 1;
    }
  }
  all.set(first.subarray(a), at);
  all.set(second.subarray(b), at + first.length - a);
  return all;
}

/** The event loop is kept no longer than about this. */
const SLICE_MS = 4;

/** Long work in slices: it looks at `over` now and then, and waits for `pause` when it is time for others. */
export class Slices {
  readonly #clock: Clock;
  readonly #ms: number;
  #ends: number;

  /** @param ms how long a slice is: less for what no one waits for */
  constructor(clock: Clock, ms = SLICE_MS) {
    this.#clock = clock;
    this.#ms = ms;
    this.#ends = clock.monotonic() + ms;
  }

  get over(): boolean {
    return this.#clock.monotonic() >= this.#ends;
  }

  /** Lets everybody else have a turn of the event loop. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#ends = this.#clock.monotonic() + this.#ms;
  }
}
