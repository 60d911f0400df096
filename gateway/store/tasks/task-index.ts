import { isFinal } from "../../core/tasks/task.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices, sortInSlices } from "../../lib/slices.ts";

/** A figure that tasks can be sorted by; null: the task has none, and is not in that order. */
type TaskFigure = (entry: TaskEntry) => number | null;

/** Compares tasks by order of submission. */
const bySubmission = (a: TaskEntry, b: TaskEntry): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Tasks in ascending order of a figure, and where that is the same in the order of their submission. */
class SortedTasks {
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

const LOOK_EVERY = 200;

/** Every task that is known, however old, by its ids and in the orders in which lists show them. */
export class TaskIndex {
  readonly created = new SortedTasks(({ createdAt }) => createdAt);
  readonly finished = new SortedTasks(({ finishedAt }) => finishedAt);
  readonly charged = new SortedTasks(({ nano }) => nano);
  /** Tasks that have not ended. */
  active = 0;
  readonly #byId = new Map<string, TaskEntry>();
  /** Ids of tasks. Two providers, or two accounts, may use the same id. */
  readonly #byProviderId = new Map<string, string | readonly string[]>();
  readonly #byName = new Map<string, string>();

  get(id: string): TaskEntry | undefined {
    return this.#byId.get(id);
  }

  /** @param id ours, which goes before, or the provider's @returns of several the newest, of this key */
  find(id: string, key: string | null): TaskEntry | undefined {
    const isTheirs = (entry: TaskEntry): boolean => key === null || entry.key === key;
    const ours = this.#byId.get(id);
    if (ours !== undefined && isTheirs(ours)) return ours;
    return this.takenAs(id).filter(isTheirs).toSorted(bySubmission).at(-1);
  }

  /** Returns the tasks that a provider knows by this id. */
  takenAs(providerId: string): readonly TaskEntry[] {
    return asList(this.#byProviderId.get(providerId)).flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** The newest task of a key that was asked for by this name (`Idempotency-Key`). */
  named(key: string, name: string): TaskEntry | undefined {
    const id = this.#byName.get(getName(key, name));
    return id === undefined ? undefined : this.#byId.get(id);
  }

  put(entry: TaskEntry): void {
    const known = this.#byId.get(entry.id);
    for (const order of [this.created, this.finished, this.charged]) order.put(entry, known);
    this.active += Number(isActive(entry)) - Number(known !== undefined && isActive(known));
    if (known !== undefined && known.providerId !== entry.providerId) this.#forgetProviderId(known);
    this.#enter(entry);
  }

  delete(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    for (const order of [this.created, this.finished, this.charged]) order.delete(entry);
    this.active -= Number(isActive(entry));
    this.#byId.delete(id);
    this.#forgetProviderId(entry);
    if (entry.idempotency === null) return;
    const name = getName(entry.key, entry.idempotency);
    if (this.#byName.get(name) === id) this.#byName.delete(name);
  }

  #forgetProviderId({ id, providerId }: TaskEntry): void {
    if (providerId === null) return;
    const rest = asList(this.#byProviderId.get(providerId)).filter((other) => other !== id);
    if (rest.length === 0) this.#byProviderId.delete(providerId);
    else this.#byProviderId.set(providerId, rest);
  }

  /** Puts many in, some milliseconds at a time. What is there already is newer. */
  async addAll(entries: Iterable<TaskEntry>, clock: Clock): Promise<void> {
    const slices = new Slices(clock);
    const fresh: TaskEntry[] = [];
    for (const entry of entries) {
      if (!this.#byId.has(entry.id)) {
        fresh.push(entry);
        this.#enter(entry);
        this.active += Number(isActive(entry));
      }
      if (fresh.length % LOOK_EVERY === 0 && slices.over) await slices.pause();
    }
    const roughly = await sortInSlices(fresh, ({ createdAt }) => createdAt, slices);
    await slices.pause();
    // Nothing is left but to put those of one moment in order.
    const submitted = roughly.toSorted(bySubmission);
    for (const order of [this.created, this.finished, this.charged]) {
      await slices.pause();
      const those = submitted.filter((entry) => order.has(entry));
      await slices.pause();
      const sorted = await sortInSlices(those, (entry) => order.figure(entry) ?? 0, slices);
      await slices.pause();
      order.merge(sorted);
    }
  }

  #enter(entry: TaskEntry): void {
    const { id, providerId, key, idempotency } = entry;
    this.#byId.set(id, entry);
    if (providerId !== null) {
      const known = this.#byProviderId.get(providerId);
      if (known === undefined) this.#byProviderId.set(providerId, id);
      else if (!asList(known).includes(id)) this.#byProviderId.set(providerId, [...asList(known), id]);
    }
    if (idempotency === null) return;
    const known = this.named(key, idempotency);
    if (known === undefined || bySubmission(known, entry) < 0) this.#byName.set(getName(key, idempotency), id);
  }
}

const isActive = ({ status }: TaskEntry): boolean => !isFinal(status);

const asList = (ids: string | readonly string[] | undefined): readonly string[] =>
  ids === undefined ? [] : typeof ids === "string" ? [ids] : ids;

/** Neither of them holds a newline. */
const getName = (key: string, name: string): string => `${key}\n${name}`;
