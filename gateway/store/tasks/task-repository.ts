import { join } from "node:path";
import type { GatewayEvent } from "../../contract/events.ts";
import type { ListTasks } from "../../contract/tasks.ts";
import type { TaskStatus } from "../../contract/videos.ts";
import { getEntry } from "../../core/tasks/task-entry.ts";
import { taskRow } from "../../core/tasks/task-row.ts";
import { getStatus, isFinal } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Clock } from "../../lib/clock.ts";
import { later } from "../../lib/later.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { TASKS_FOLDER } from "../folder/data-folder.ts";
import type { FindTasks, FoundTask, ListTaskRows } from "../ledger/questions.ts";
import type { Commit } from "../record-changes.ts";
import { storeLogTo } from "../store-event.ts";
import type { Store } from "../store.ts";
import { TaskArchive } from "./task-archive.ts";
import type { OwnerNotices } from "./task-archive.ts";
import { KEPT_CLOSED, TaskArchiver } from "./task-archiver.ts";
import { TaskQuestions } from "./task-questions.ts";

export interface TaskRepositoryDeps {
  readonly dataDir: string;
  readonly store: Pick<Store, "document" | "transact" | "waitUntilSettled" | "frozen" | "ledger">;
  readonly clock: Clock;
  readonly log: Log;
  /** Emits changes for watchers of task lists, if there are any (`hears`). */
  readonly events: { hears(type: GatewayEvent["type"]): boolean; emit(event: GatewayEvent): void };
  readonly notices: OwnerNotices;
  /** Max closed tasks in the document; default 1,000. */
  readonly retained?: number;
  /** Tests hold time in their hands by this. */
  readonly later?: Later;
  /** Tests pass their own disk. */
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
  /** False while the index of older tasks is rebuilt, and where they cannot be read. */
  readonly complete: boolean;
  /** Tasks that have not ended, whatever the filter. */
  readonly active: number;
}

/** Called after a change is on the disk. Must not throw. */
export type TaskListener = (task: TaskRecord) => void;

/** A page of `GET /v1/videos/generations`. */
export interface ListVideoTasks {
  /** Null: of all keys, and those too that their clients deleted. */
  readonly key: string | null;
  readonly limit: number;
  /** Id of the last task of the page before, ours or the provider's. */
  readonly after?: string;
  readonly status?: TaskStatus;
  /** Ids under which tasks may name the model. */
  readonly models?: readonly string[];
  /** OpenAI's `order=asc`. */
  readonly oldestFirst?: boolean;
}

/** Default number of tasks per page. */
const PAGE = 50;
/** Begins our own ids: no provider may take a task's place by naming one in this way. */
const OWN_ID = "vt_";

/** Lookup and changes of video tasks, in the document or in the archive. */
export class TaskRepository {
  readonly #deps: TaskRepositoryDeps;
  readonly #listeners = new Set<TaskListener>();
  readonly #archive: TaskArchive;
  readonly #questions: TaskQuestions;
  readonly #archiver: TaskArchiver;

  constructor(deps: TaskRepositoryDeps) {
    this.#deps = deps;
    const { dataDir: dir, store, clock, notices, fs = nodeStoreFs } = deps;
    const log = storeLogTo(deps.log);
    this.#archive = new TaskArchive({ fs, dir, clock, log, notices, readOnly: store.frozen });
    const folder = join(dir, TASKS_FOLDER);
    this.#questions = new TaskQuestions({ archive: this.#archive, ledger: store.ledger, log, fs, folder });
    store.ledger.onDamage("tasks", (damage) => this.#archive.takeDamage(damage));
    this.#archiver = new TaskArchiver({
      ...deps,
      retained: deps.retained ?? KEPT_CLOSED,
      later: deps.later ?? later,
      archive: this.#archive,
    });
  }

  /** Opens the archive in the background, and moves old tasks there. */
  start(): void {
    this.#archive.open().catch(() => undefined);
    for (const task of this.live()) this.#archiver.note(task);
  }

  /** How many have not ended. */
  get active(): number {
    let count = 0;
    for (const task of this.live()) if (!isFinal(getStatus(task))) count += 1;
    return count;
  }

  /** Waits for running changes and moves. */
  async close(): Promise<void> {
    await this.#archiver.stop();
    await this.#deps.store.waitUntilSettled("tasks");
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
    return this.#runExclusive(task.id, (commit) => this.#put(task, commit));
  }

  /**
   * Changes a task; changes run one at a time, each on the newest stored record. An archived task returns to the
   * document.
   * @param make returns the next record, or null to leave it unchanged
   * @returns null if there is no such task
   * @throws StoreWriteError if the disk refuses; nothing is then changed; what `make` throws
   */
  change(id: string, make: (task: TaskRecord) => TaskRecord | null): Promise<TaskChange | null> {
    return this.#runExclusive(id, async (commit) => {
      const [archived] =
        this.get(id) === undefined
          ? await this.#findArchived({ by: "id", value: id, key: null, connection: null })
          : [];
      const task = await this.#newest(id, archived?.id === id ? archived : undefined);
      if (task === null) return null;
      const next = make(task);
      if (next === null || next === task) return { task, changed: false };
      await this.#put(next, commit);
      return { task: next, changed: true };
    });
  }

  /**
   * Assigns the provider's id to a task. Does nothing if another task of the connection has this id: one video would be
   * charged twice.
   * @returns null in that case, or if the task does not exist. @throws like `change`
   */
  claim(
    id: string,
    connection: string,
    providerId: string,
    make: (task: TaskRecord) => TaskRecord | null,
  ): Promise<TaskChange | null> {
    return this.#runExclusive(`${connection} ${providerId}`, async () => {
      for (const other of this.live())
        if (other.id !== id && other.operation?.id === providerId && other.connection === connection) return null;
      const archived = await this.#findArchived({ by: "provider_id", value: providerId, key: null, connection });
      return archived.some((other) => other.id !== id) ? null : this.change(id, make);
    });
  }

  /** Removes a task from the document, because nothing was submitted. @throws StoreWriteError */
  remove(id: string): Promise<void> {
    return this.#runExclusive(id, async (commit) => {
      if (this.get(id) === undefined) return;
      await commit([{ op: "delete", in: "tasks", id }]);
      this.#archiver.forget(id);
    });
  }

  /** @returns a function that removes the listener */
  onChange(listener: TaskListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds a task by our id, the one given to clients, or the provider's, including tasks deleted by their clients.
   * @param key null: any key
   * @throws GatewayError storage_unavailable when it may be in an archive that cannot be read
   */
  async find(id: string, key: string | null): Promise<TaskRecord | null> {
    const isTheirs = (task: TaskRecord): boolean => key === null || task.key === key;
    const own = this.get(id);
    if (own !== undefined && isTheirs(own)) return own;
    const live = this.#findLive((task) => task.operation?.id === id && isTheirs(task));
    if (live !== null && !id.startsWith(OWN_ID)) return live;
    const [archived] = await this.#findArchived({ by: "id", value: id, key, connection: null });
    return archived === undefined || (live !== null && archived.id !== id) ? live : this.#newest(archived.id, archived);
  }

  /** The task that a key asked for by this name. @throws GatewayError like `find` */
  async byIdempotency(key: string, name: string): Promise<TaskRecord | null> {
    const live = this.#findLive((task) => task.key === key && task.idempotency?.key === name);
    if (live !== null) return live;
    const [archived] = await this.#findArchived({ by: "name", value: name, key, connection: null });
    return archived === undefined ? null : this.#newest(archived.id, archived);
  }

  /** A page of a key's tasks, newest first; empty after an id of another key's task. @throws GatewayError like `find` */
  async list(query: ListVideoTasks): Promise<{ tasks: TaskRecord[]; hasMore: boolean }> {
    const { key, limit, after, status, models, oldestFirst = false } = query;
    const last = after === undefined ? null : await this.find(after, key);
    if (after !== undefined && last === null) return { tasks: [], hasMore: false };
    const { tasks } = await this.#listRows({
      key: key ?? undefined,
      status,
      models,
      isListed: key !== null,
      sort: "created_at",
      order: oldestFirst ? "asc" : "desc",
      limit: limit + 1,
      offset: 0,
      after: last,
      isExact: true,
    });
    return { tasks: tasks.slice(0, limit), hasMore: tasks.length > limit };
  }

  /** A page of all tasks. Where the archive cannot be read, it has those of the document. */
  async search(query: ListTasks): Promise<TaskSearchPage> {
    const { limit = PAGE, offset = 0, sort = "created_at", order = "desc", model, q, ...filter } = query;
    const models = model === undefined ? undefined : [model];
    const rows = { ...filter, models, q: q?.trim(), isListed: false, sort, order, limit, offset, after: null };
    return { ...(await this.#listRows({ ...rows, isExact: false })), active: this.active };
  }

  #runExclusive<T>(id: string, work: (commit: Commit) => Promise<T>): Promise<T> {
    return this.#deps.store.transact([{ in: "tasks", id }], work);
  }

  async #put(task: TaskRecord, commit: Commit): Promise<void> {
    await commit([{ op: "put", in: "tasks", record: task }]);
    this.#archiver.note(task);
    for (const listener of this.#listeners) listener(task);
    if (this.#deps.events.hears("task.changed")) this.#deps.events.emit({ type: "task.changed", task: taskRow(task) });
  }

  async #newest(id: string, archived: FoundTask | undefined): Promise<TaskRecord | null> {
    const live = this.get(id);
    if (live !== undefined) return live;
    const place = archived?.place ?? null;
    const record = place === null ? null : ((await this.#archive.read([place]))[0] ?? null);
    return record?.id === id ? record : null;
  }

  #findLive(matches: (task: TaskRecord) => boolean): TaskRecord | null {
    const found = [...this.live()].filter(matches);
    return found.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)).at(-1) ?? null;
  }

  /** Finds archived tasks that are not in the document again, the newest first. */
  async #findArchived(question: FindTasks): Promise<readonly FoundTask[]> {
    return (await this.#questions.find(question)).filter(({ id }) => this.get(id) === undefined);
  }

  /** @param query `isExact`: waits for all tasks @throws GatewayError then, where the archive cannot be read */
  async #listRows({
    isExact,
    ...query
  }: Omit<ListTaskRows, "live"> & { readonly isExact: boolean }): Promise<Omit<TaskSearchPage, "active">> {
    const live = new Map([...this.live()].map((task) => [task.id, task]));
    const entries = [...live.values()].map((task) => getEntry(task, query.q !== undefined && query.q !== ""));
    const question: ListTaskRows = { ...query, live: entries };
    const { response, isWhole } = await this.#questions.list(question, isExact);
    const { tasks, total } = response;
    const archived = tasks.filter(({ id }) => !live.has(id));
    const records = await this.#archive.read(archived.flatMap(({ place }) => place ?? []));
    const read = new Map(records.flatMap((record) => (record === null ? [] : [[record.id, record]])));
    return {
      tasks: tasks.flatMap(({ id }) => this.get(id) ?? live.get(id) ?? read.get(id) ?? []),
      total,
      complete: isWhole,
    };
  }
}
