import { join } from "node:path";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { getEntry } from "../../core/tasks/task-entry.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/message-of.ts";
import { Mutex } from "../../lib/mutex.ts";
import type { LineLog } from "../disk/line-log.ts";
import { Quarantine } from "../quarantine.ts";
import type { StoreLog } from "../store-event.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { StoreWriteError } from "../store.ts";
import { TASKS_FOLDER, removeTemporary } from "../folder/data-folder.ts";
import type { TaskIndexLine } from "./task-lines.ts";
import type { ArchivedTask, TaskList } from "./task-list.ts";
import type { TaskMonths } from "./task-months.ts";
import { TaskOpening } from "./task-opening.ts";

export interface TaskArchiveOptions {
  /** The data folder; the caller holds its lock. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly fs?: StoreFs;
  /** A folder of a newer version: nothing in it is made or changed. */
  readonly readOnly: boolean;
}

/** Finished tasks that have left the document: whole records in a file for each month, and a list of them in memory. */
export class TaskArchive {
  /** Problems that opening had to repair, for the owner. */
  readonly problems: readonly string[];
  readonly #list: TaskList;
  readonly #months: TaskMonths;
  readonly #index: LineLog;
  readonly #log: StoreLog;
  readonly #readOnly: boolean;
  #unindexed: TaskIndexLine[];
  #closed = false;
  /** Additions go one after another. */
  readonly #mutex = new Mutex();

  private constructor(opening: TaskOpening, problems: readonly string[], { log, readOnly }: TaskArchiveOptions) {
    this.problems = problems;
    this.#list = opening.list;
    this.#months = opening.months;
    this.#index = opening.index;
    this.#unindexed = opening.unindexed;
    this.#log = log;
    this.#readOnly = readOnly;
  }

  /**
   * Opens the archive of a data folder, whatever state it is in, some milliseconds at a time.
   * @throws the disk's error when the folder cannot be used
   */
  static async open(options: TaskArchiveOptions): Promise<TaskArchive> {
    const { clock, log, readOnly } = options;
    const fs = options.fs ?? nodeStoreFs;
    const dir = join(options.dir, TASKS_FOLDER);
    const quarantine = new Quarantine(fs, options.dir, clock, log);
    if (readOnly) quarantine.onlyTell();
    else {
      await fs.makeFolder(dir);
      await fs.syncFolder(options.dir);
      await removeTemporary(fs, dir);
    }
    const opening = new TaskOpening(fs, dir, clock, quarantine);
    await opening.read();
    if (!readOnly) await opening.writeIndex();
    const problems = quarantine.notices.map(({ message }) => message);
    return new TaskArchive(opening, problems, options);
  }

  /** Archived tasks by their ids. */
  get entries(): ReadonlyMap<string, ArchivedTask> {
    return this.#list.tasks;
  }

  /** @returns null when there is no such task, or its record is damaged */
  async read(id: string): Promise<TaskRecord | null> {
    return (await this.readAll([id]))[0] ?? null;
  }

  /** @returns records in the order of their ids, null where `read` has none */
  async readAll(ids: readonly string[]): Promise<(TaskRecord | null)[]> {
    const known = ids.flatMap((id) => this.#list.tasks.get(id) ?? []);
    const records = await this.#months.read(known.map(({ place }) => place));
    const whole = new Map(records.flatMap((record) => (record === null ? [] : [[record.id, record]])));
    return ids.map((id) => whole.get(id) ?? null);
  }

  /**
   * Resolves when all records are on the disk. One that is in the archive already is replaced.
   * @throws StoreWriteError when not all of them are; some may be.
   */
  add(tasks: readonly TaskRecord[]): Promise<void> {
    return this.#mutex.run(() => this.#add(tasks));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#mutex.settled();
    if (!this.#readOnly) await this.#writeIndex();
    await this.#months.close();
    await this.#index.close();
  }

  async #add(tasks: readonly TaskRecord[]): Promise<void> {
    if (this.#closed) throw new StoreWriteError("The archive of video tasks is closed.");
    if (this.#readOnly) throw new StoreWriteError("The data folder was written by a newer version of Postern.");
    const results = await Promise.allSettled(tasks.map((task) => this.#months.append(task)));
    for (const [index, result] of results.entries()) {
      const task = tasks[index];
      if (task === undefined || result.status === "rejected") continue;
      const line = { ...result.value, entry: getEntry(task) };
      this.#unindexed.push(...this.#months.takeEnded(line.month), line);
      this.#list.note(line);
    }
    await this.#writeIndex();
    const refused = results.find((result) => result.status === "rejected");
    if (refused !== undefined) throw refused.reason;
  }

  /** The records are safe without it: what it does not say is read from their files at the next start. */
  async #writeIndex(): Promise<void> {
    const lines = this.#unindexed;
    if (lines.length === 0) return;
    try {
      await Promise.all(lines.map((line) => this.#index.append(line)));
      this.#unindexed = [];
    } catch (error) {
      const message = `${messageOf(error)} The next start reads the archive again.`;
      this.#log({ event: "store.task_list_refused", level: "warning", message });
    }
  }
}
