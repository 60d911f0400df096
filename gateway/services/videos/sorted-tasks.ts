import type { TaskEntry } from "../../core/tasks/task-entry.ts";

/** A figure that tasks can be sorted by; null: the task has none, and is not in that order. */
export type TaskFigure = (entry: TaskEntry) => number | null;

/** In the order of submission. */
export const bySubmission = (a: TaskEntry, b: TaskEntry): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Tasks in ascending order of a figure, and where that is the same in the order of their submission. */
export class SortedTasks {
  readonly figure: TaskFigure;
  #entries: TaskEntry[] = [];

  constructor(figure: TaskFigure) {
    this.figure = figure;
  }

  /** Ascending. It changes with the next change: copy it to keep it. */
  get entries(): readonly TaskEntry[] {
    return this.#entries;
  }

  has(entry: TaskEntry): boolean {
    return this.figure(entry) !== null;
  }

  /** How many come before `entry`, whether or not it is there. @param from so many come before it for certain */
  position(entry: TaskEntry, from = 0): number {
    let low = from;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#entries[middle] as TaskEntry, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts one in, or in the place of what was known of the same task. */
  put(entry: TaskEntry, known: TaskEntry | undefined): void {
    if (known !== undefined && this.has(known)) {
      const at = this.position(known);
      if (this.has(entry) && this.#compare(known, entry) === 0) {
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

  /** Puts many in at once, which are better more than there are here. @param sorted other tasks, in this order */
  merge(sorted: TaskEntry[]): void {
    const fewer = this.#entries;
    this.#entries = sorted;
    const all: TaskEntry[] = [];
    let copied = 0;
    for (const entry of fewer) {
      const at = this.position(entry, copied);
      for (; copied < at; copied += 1) all.push(sorted[copied] as TaskEntry);
      all.push(entry);
    }
    for (; copied < sorted.length; copied += 1) all.push(sorted[copied] as TaskEntry);
    this.#entries = all;
  }

  #compare(a: TaskEntry, b: TaskEntry): number {
    return (this.figure(a) ?? 0) - (this.figure(b) ?? 0) || bySubmission(a, b);
  }
}
