import { isClosed } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { Commit } from "../record-changes.ts";
import type { Store } from "../store.ts";
import type { TaskArchive } from "./task-archive.ts";

export interface TaskArchiverDeps {
  readonly store: Pick<Store, "document" | "transact" | "frozen">;
  /** Closed tasks that stay in the document. */
  readonly retained: number;
  readonly later: Later;
  readonly log: Log;
  readonly archive: Pick<TaskArchive, "add">;
}

/** Max closed tasks in the document, which is in memory and periodically written as a whole. */
export const KEPT_CLOSED = 1_000;
const BATCH = 50;
/** Milliseconds of delay, so that tasks that end together are moved together. */
const MOVE_AFTER_MS = 1_000;
const AGAIN_AFTER_MS = 60_000;

/**
 * Moves the oldest closed tasks from the document to the archive. A task is first in the archive and then taken out of the
 * document, and cannot be changed in between; after a crash between the two it is in both, and the document's record is the
 * one that counts.
 */
export class TaskArchiver {
  readonly #deps: TaskArchiverDeps;
  /** Ids of the document's tasks that may leave. */
  readonly #closed = new Set<string>();
  /** Archived tasks that are still in the document, because the disk refused to remove them. */
  readonly #archived = new Map<string, TaskRecord>();
  #cancel: (() => void) | null = null;
  #moving: Promise<void> | null = null;
  #stopped = false;

  constructor(deps: TaskArchiverDeps) {
    this.#deps = deps;
  }

  /** Looks at a task that is in the document. */
  note(task: TaskRecord): void {
    if (isClosed(task)) this.#closed.add(task.id);
    else this.#closed.delete(task.id);
    if (this.#closed.size > this.#deps.retained) this.#scheduleMove(MOVE_AFTER_MS);
  }

  /** A task was taken out of the document. */
  forget(id: string): void {
    this.#closed.delete(id);
    this.#archived.delete(id);
  }

  /** Waits for a running move. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
    await this.#moving;
  }

  #scheduleMove(ms: number): void {
    if (this.#stopped || this.#cancel !== null || this.#moving !== null || this.#deps.store.frozen) return;
    this.#cancel = this.#deps.later(ms, () => {
      this.#cancel = null;
      this.#moving = this.#round();
    });
  }

  async #round(): Promise<void> {
    let next = MOVE_AFTER_MS;
    try {
      await this.#moveAll();
    } catch (error) {
      // They stay in the document.
      next = AGAIN_AFTER_MS;
      this.#deps.log.warn("tasks.not_archived", { message: getMessage(error) });
    }
    this.#moving = null;
    if (this.#closed.size > this.#deps.retained) this.#scheduleMove(next);
  }

  /** @throws StoreWriteError when the disk refuses, GatewayError when the archive cannot be opened */
  async #moveAll(): Promise<void> {
    const leaving = this.#oldest(this.#closed.size - this.#deps.retained);
    for (let start = 0; start < leaving.length && !this.#stopped; start += BATCH) {
      const ids = leaving.slice(start, start + BATCH);
      const records = ids.map((id) => ({ in: "tasks", id }) as const);
      await this.#deps.store.transact(records, (commit) => this.#move(ids, commit));
    }
  }

  async #move(ids: readonly string[], commit: Commit): Promise<void> {
    const { store, archive } = this.#deps;
    // Each may have been changed while others were moved.
    const tasks = ids.flatMap((id) => store.document.tasks.get(id) ?? []).filter(isClosed);
    const fresh = tasks.filter((task) => this.#archived.get(task.id) !== task);
    if (fresh.length > 0) await archive.add(fresh);
    for (const task of fresh) this.#archived.set(task.id, task);
    await commit(tasks.map(({ id }) => ({ op: "delete", in: "tasks", id })));
    for (const { id } of tasks) this.forget(id);
  }

  #oldest(count: number): string[] {
    const { tasks } = this.#deps.store.document;
    return [...this.#closed]
      .flatMap((id) => tasks.get(id) ?? [])
      .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      .slice(0, Math.max(0, count))
      .map(({ id }) => id);
  }
}
