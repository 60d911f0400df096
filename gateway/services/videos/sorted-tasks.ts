import type { TaskEntry } from "../../core/task-entry.ts";
import { mergeSorted } from "../../lib/sort-in-slices.ts";

/** What tasks can be sorted by; null: the task is not in that order. */
export type TaskRank = (entry: TaskEntry) => number | null;

/** Tasks in ascending order of a figure, and of their ids where that is the same. */
export class SortedTasks {
  readonly compare: (a: TaskEntry, b: TaskEntry) => number;
  readonly #rank: TaskRank;
  #entries: TaskEntry[] = [];

  constructor(rank: TaskRank) {
    this.#rank = rank;
    this.compare = (a, b) => (rank(a) ?? 0) - (rank(b) ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  }

  /** Ascending. It changes with the next change: copy it to keep it. */
  get entries(): readonly TaskEntry[] {
    return this.#entries;
  }

  has(entry: TaskEntry): boolean {
    return this.#rank(entry) !== null;
  }

  /** How many come before `entry`, whether or not it is there. */
  position(entry: TaskEntry): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(this.#entries[middle] as TaskEntry, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts one in, or in the place of what was known of the same task. */
  put(entry: TaskEntry, known: TaskEntry | undefined): void {
    if (known !== undefined && this.has(known)) {
      const at = this.position(known);
      if (this.has(entry) && this.compare(known, entry) === 0) {
        this.#entries[at] = entry;
        return;
      }
      this.#entries.splice(at, 1);
    }
    if (this.has(entry)) this.#entries.splice(this.position(entry), 0, entry);
  }

  delete(entry: TaskEntry): void {
    if (this.has(entry)) this.#entries.splice(this.position(entry), 1);
  }

  /** @param sorted entries of other tasks, in this order */
  merge(sorted: readonly TaskEntry[]): void {
    this.#entries = mergeSorted(sorted, this.#entries, this.compare);
  }
}
