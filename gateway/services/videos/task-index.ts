import { isFinal } from "../../core/tasks/task.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { sortInSlices } from "../../lib/sort-in-slices.ts";
import { SortedTasks, bySubmission } from "./sorted-tasks.ts";

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

  /** Those that a provider knows by this id. */
  takenAs(providerId: string): readonly TaskEntry[] {
    return asList(this.#byProviderId.get(providerId)).flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** The newest task of a key that was asked for by this name (`Idempotency-Key`). */
  named(key: string, name: string): TaskEntry | undefined {
    const id = this.#byName.get(nameOf(key, name));
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
    const name = nameOf(entry.key, entry.idempotency);
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
    if (known === undefined || bySubmission(known, entry) < 0) this.#byName.set(nameOf(key, idempotency), id);
  }
}

const isActive = ({ status }: TaskEntry): boolean => !isFinal(status);

const asList = (ids: string | readonly string[] | undefined): readonly string[] =>
  ids === undefined ? [] : typeof ids === "string" ? [ids] : ids;

/** Neither of them holds a newline. */
const nameOf = (key: string, name: string): string => `${key}\n${name}`;
