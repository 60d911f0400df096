import type { GatewayEvent } from "../../contract/events.ts";
import type { ListTasks } from "../../contract/tasks.ts";
import { getEntry } from "../../core/tasks/task-entry.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import { taskRow } from "../../core/tasks/task-row.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Clock } from "../../lib/clock.ts";
import { later } from "../../lib/later.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Commit } from "../record-changes.ts";
import type { Store } from "../store.ts";
import { ArchiveOpener } from "./archive-opener.ts";
import type { OwnerNotices } from "./archive-opener.ts";
import { TaskIndex } from "./task-index.ts";
import { getPage, searchTasks } from "./task-search.ts";
import type { ListVideoTasks } from "./task-search.ts";
import { KEPT_CLOSED, TaskArchiver } from "./task-archiver.ts";

export interface TaskRepositoryDeps {
  readonly dataDir: string;
  readonly store: Pick<Store, "document" | "transact" | "settled" | "frozen">;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives every change for watchers of lists of tasks, unless there are no watchers (`hears`). */
  readonly events: { hears(type: GatewayEvent["type"]): boolean; emit(event: GatewayEvent): void };
  readonly notices: OwnerNotices;
  /** Closed tasks that stay in the document; 1,000 unless given. */
  readonly kept?: number;
  /** Tests hold time in their hands by this. */
  readonly later?: Later;
  /** Tests have a disk of their own. */
  readonly fs?: StoreFs;
}

/** The result of an attempt to change a task. */
export interface TaskChange {
  /** The newest record, changed or not. */
  readonly task: TaskRecord;
  readonly changed: boolean;
}

export interface TaskSearchPage {
  readonly tasks: TaskRecord[];
  /** How many match, on all pages. */
  readonly total: number;
  /** False while older tasks are still being read after a start. */
  readonly complete: boolean;
  /** Tasks that have not ended, whatever the filter. */
  readonly active: number;
}

/** Called after a change is on the disk. Must not throw. */
export type TaskListener = (task: TaskRecord) => void;

/** The one place where video tasks are looked up and changed, whether they are in the document or in the archive. */
export class TaskRepository {
  readonly #deps: TaskRepositoryDeps;
  readonly #index = new TaskIndex();
  readonly #listeners = new Set<TaskListener>();
  readonly #archive: ArchiveOpener;
  readonly #archiver: TaskArchiver;

  constructor(deps: TaskRepositoryDeps) {
    this.#deps = deps;
    this.#archive = new ArchiveOpener(deps, this.#index);
    this.#archiver = new TaskArchiver({
      ...deps,
      kept: deps.kept ?? KEPT_CLOSED,
      later: deps.later ?? later,
      archive: () => this.#archive.open(),
    });
    for (const task of this.live()) this.#index.put(getEntry(task));
  }

  /** Opens the archive in the background, and moves there what is too old for the document. */
  start(): void {
    this.#archive.open().catch(() => undefined);
    for (const task of this.live()) this.#archiver.note(task);
  }

  /** False while older tasks are still being read after a start. */
  get complete(): boolean {
    return this.#archive.opened;
  }

  /** How many have not ended. */
  get active(): number {
    return this.#index.active;
  }

  /** Waits for what is being changed and moved. */
  async close(): Promise<void> {
    await this.#archiver.stop();
    await this.#deps.store.settled("tasks");
    await this.#archive.close();
  }

  /** The tasks of the document: all that run, and the newest that have ended. */
  live(): Iterable<TaskRecord> {
    return this.#deps.store.document.tasks.values();
  }

  /** A task of the document, by our id. */
  get(id: string): TaskRecord | undefined {
    return this.#deps.store.document.tasks.get(id);
  }

  /** Resolves when the task is on the disk. @throws StoreWriteError when the disk refuses: then no task exists */
  create(task: TaskRecord): Promise<void> {
    return this.#inTurn(task.id, (commit) => this.#put(task, commit));
  }

  /**
   * Changes a task: one change at a time, each of the newest record that is on the disk. A task of the archive comes
   * back to the document by it.
   * @param make makes the next record of a task, or null to leave it as it is
   * @returns null when there is no such task
   * @throws StoreWriteError when the disk refuses: then nothing is changed; what `make` throws
   */
  change(id: string, make: (task: TaskRecord) => TaskRecord | null): Promise<TaskChange | null> {
    return this.#inTurn(id, async (commit) => {
      const task = await this.#newest(id);
      if (task === null) return null;
      const next = make(task);
      if (next === null || next === task) return { task, changed: false };
      await this.#put(next, commit);
      return { task: next, changed: true };
    });
  }

  /**
   * Changes a task that its provider has by `providerId`. Nothing is changed when another task of that connection has it by
   * this id: one video would be charged twice.
   * @returns null then, and when there is no such task. @throws like `change`
   */
  claim(
    id: string,
    connection: string,
    providerId: string,
    make: (task: TaskRecord) => TaskRecord | null,
  ): Promise<TaskChange | null> {
    return this.#inTurn(`${connection} ${providerId}`, async () => {
      for (const other of this.#index.takenAs(providerId))
        if (other.id !== id && (await this.#newest(other.id))?.connection === connection) return null;
      return this.change(id, make);
    });
  }

  /** Takes a task of the document out again: nothing came of it. @throws StoreWriteError */
  remove(id: string): Promise<void> {
    return this.#inTurn(id, async (commit) => {
      if (this.get(id) === undefined) return;
      await commit([{ op: "delete", in: "tasks", id }]);
      this.#archiver.forget(id);
      this.#index.delete(id);
    });
  }

  /** @returns what takes the listener off again */
  onChange(listener: TaskListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds a task by our id, the one given to clients, or the provider's, including tasks deleted by their clients.
   * @param key null: any key
   * @throws GatewayError storage_unavailable when it may be in an archive that cannot be read
   */
  find(id: string, key: string | null): Promise<TaskRecord | null> {
    return this.#lookUp(() => this.#index.find(id, key));
  }

  /** The task that a key asked for by this name. @throws GatewayError like `find` */
  byIdempotency(key: string, name: string): Promise<TaskRecord | null> {
    return this.#lookUp(() => this.#index.named(key, name));
  }

  /** A page of a key's tasks, newest first. @throws GatewayError like `find` */
  async list(query: ListVideoTasks): Promise<{ tasks: TaskRecord[]; hasMore: boolean }> {
    await this.#archive.open();
    const { ids, hasMore } = getPage(this.#index, query);
    return { tasks: await this.#read(ids), hasMore };
  }

  /** A page of all tasks. It waits for nothing: before `complete` older tasks are missing. */
  async search(query: ListTasks): Promise<TaskSearchPage> {
    const { complete } = this;
    const { ids, total } = await searchTasks(this.#index, query, this.#deps.clock);
    return { tasks: await this.#read(ids), total, complete, active: this.#index.active };
  }

  #inTurn<T>(id: string, work: (commit: Commit) => Promise<T>): Promise<T> {
    return this.#deps.store.transact([{ in: "tasks", id }], work);
  }

  async #put(task: TaskRecord, commit: Commit): Promise<void> {
    await commit([{ op: "put", in: "tasks", record: task }]);
    this.#index.put(getEntry(task));
    this.#archiver.note(task);
    for (const listener of this.#listeners) listener(task);
    if (this.#deps.events.hears("task.changed")) this.#deps.events.emit({ type: "task.changed", task: taskRow(task) });
  }

  async #newest(id: string): Promise<TaskRecord | null> {
    return this.get(id) ?? (await (await this.#archive.open()).read(id));
  }

  /** Looks a task up; an unknown one may be among those that are still being read. */
  async #lookUp(find: () => TaskEntry | undefined): Promise<TaskRecord | null> {
    let entry = find();
    if (entry === undefined && !this.complete) {
      await this.#archive.open();
      entry = find();
    }
    return entry === undefined ? null : this.#newest(entry.id);
  }

  /** Reads tasks and leaves out those whose records are damaged. */
  async #read(ids: readonly string[]): Promise<TaskRecord[]> {
    const archived = ids.filter((id) => this.get(id) === undefined);
    const archive = archived.length === 0 ? null : await this.#archive.open();
    const records = archive === null ? [] : await archive.readAll(archived);
    const found = new Map(records.flatMap((record) => (record === null ? [] : [[record.id, record]])));
    return ids.flatMap((id) => this.get(id) ?? found.get(id) ?? []);
  }
}
