import { join } from "node:path";
import { GatewayError } from "../../core/errors.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { utcMonth } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { getMessage } from "../../lib/message-of.ts";
import { Mutex } from "../../lib/mutex.ts";
import { describeDamage, cutStretches } from "../damage.ts";
import { readRanges } from "../disk/line-reader.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { TASKS_FOLDER, removeTemporary } from "../folder/data-folder.ts";
import type { FileDamage } from "../ledger/questions.ts";
import { Quarantine } from "../quarantine.ts";
import type { StoreLog } from "../store-event.ts";
import { StoreWriteError } from "../store.ts";
import { TaskMonths, findTaskMonth, taskLogName } from "./task-months.ts";
import type { TaskPlace } from "../../core/tasks/task-entry.ts";

/** Receives notices for the user. */
export interface OwnerNotices {
  add(level: "warning", message: string): void;
}

export interface TaskArchiveParts {
  readonly fs: StoreFs;
  /** The data folder; the caller holds its lock. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly notices: OwnerNotices;
  /** Whether the folder is of a newer version: nothing in it is created or changed. */
  readonly readOnly: boolean;
}

/** Finished tasks that have left the document: whole records in a file for each month, which the index finds. */
export class TaskArchive {
  readonly months: TaskMonths;
  readonly #parts: TaskArchiveParts;
  readonly #dir: string;
  readonly #quarantine: Quarantine;
  #opening: Promise<void> | null = null;
  #names: Set<string> = new Set();
  #isReported = false;
  #closed = false;
  /** Additions go one after another. */
  readonly #mutex = new Mutex();

  constructor(parts: TaskArchiveParts) {
    const { fs, dir, clock, log } = parts;
    this.#parts = parts;
    this.#dir = join(dir, TASKS_FOLDER);
    this.months = new TaskMonths(fs, this.#dir);
    this.#quarantine = new Quarantine(fs, dir, clock, log);
    if (parts.readOnly) this.#quarantine.onlyTell();
  }

  /** Whether no task has left the document yet. It is known when the archive is open. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /**
   * Waits until the archive is open.
   * @throws GatewayError storage_unavailable if it cannot be opened; the next call retries
   */
  async open(): Promise<void> {
    if (this.#closed) throw unreadable("Postern is stopping");
    try {
      await (this.#opening ??= this.#open());
    } catch (error) {
      this.#opening = null;
      const failure = unreadable(getMessage(error), error);
      if (!this.#isReported) this.#parts.notices.add("warning", failure.message);
      this.#isReported = true;
      throw failure;
    }
  }

  /** @returns the records at these places, null for one that is damaged */
  read(places: readonly TaskPlace[]): Promise<(TaskRecord | null)[]> {
    return this.months.read(places);
  }

  /** Reads every record, some hundred at a time. A later record of an id replaces an earlier one. */
  async scan(take: (value: unknown, file: number, place: Omit<TaskPlace, "file">) => void): Promise<void> {
    for (const name of await this.months.names())
      await this.months.log(name).replay((value, place) => take(value, findTaskMonth(name) ?? 0, place));
  }

  /**
   * Resolves when all records are on the disk. One that is in the archive already is replaced.
   * @throws StoreWriteError when not all of them are; some may be. GatewayError when the archive cannot be opened
   */
  add(tasks: readonly TaskRecord[]): Promise<void> {
    return this.#mutex.run(() => this.#add(tasks));
  }

  /** Keeps a copy of invalid bytes found by the index, and reports them. The bytes stay in place. */
  async takeDamage({ name, ranges, unusable, lost }: FileDamage): Promise<void> {
    const file = `tasks/${name}`;
    if (lost !== null) {
      const what =
        lost === "gone" ? "is gone, and the tasks in it with it" : "is not as it was left; it was read again";
      this.#quarantine.tell("missing", `The archive of video tasks (${file}) ${what}.`, null, name);
    }
    if (unusable > 0) {
      const message = `${unusable} records of ${file} have fields that this version cannot use and were left out.`;
      this.#quarantine.tell("invalid-record", message, null, name);
    }
    if (ranges.length > 0)
      await this.#keep(name, ranges).catch((error: unknown) => {
        const message = `The archive of video tasks (${file}) is damaged: ${getMessage(error)}.`;
        this.#quarantine.tell("damaged", message, null, name);
      });
    this.#tell();
  }

  async #keep(name: string, ranges: FileDamage["ranges"]): Promise<void> {
    const source = await this.#parts.fs.open(join(this.#dir, name), "read");
    let bytes;
    try {
      bytes = await readRanges(source, ranges);
    } finally {
      await source.close();
    }
    const { words } = describeDamage(cutStretches(bytes, ranges), false);
    const message = `The archive of video tasks (tasks/${name}) is damaged: ${words}. All other tasks are listed.`;
    await this.#quarantine.keep(`${name}.from-${ranges[0]?.start ?? 0}`, bytes, "damaged", message);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    await this.#mutex.waitUntilSettled();
    await this.months.close();
  }

  async #open(): Promise<void> {
    const { fs, dir, readOnly } = this.#parts;
    if (!readOnly) {
      await fs.makeFolder(this.#dir);
      await fs.syncFolder(dir);
      await removeTemporary(fs, this.#dir);
    }
    const names = await this.months.names();
    for (const name of names) await this.#endTorn(name);
    this.#names = new Set(names);
    this.#tell();
  }

  /** Truncates an incomplete last line, if a copy of it exists. It was never acknowledged. */
  async #endTorn(name: string): Promise<void> {
    const torn = await this.months.findTorn(name);
    if (torn === null) return;
    const { range, bytes } = torn;
    const { torn: isCut, words } = describeDamage([bytes], true);
    const message = isCut
      ? `The last line of tasks/${name} was not written to its end. It had not been acknowledged.`
      : `The archive of video tasks (tasks/${name}) is damaged: ${words}. All other tasks are listed.`;
    const reason = isCut ? "torn" : "damaged";
    const isStored = await this.#quarantine.keep(`${name}.from-${range.start}`, bytes, reason, message);
    if (isStored && !this.#parts.readOnly) await this.months.log(name).heal([range]);
  }

  /** Reports pending notices, once. */
  #tell(): void {
    for (const { message } of this.#quarantine.notices.splice(0)) this.#parts.notices.add("warning", message);
  }

  async #add(tasks: readonly TaskRecord[]): Promise<void> {
    if (this.#closed) throw new StoreWriteError("The archive of video tasks is closed.");
    if (this.#parts.readOnly) throw new StoreWriteError("The data folder was written by a newer version of Postern.");
    await this.open();
    for (const task of tasks) this.#names.add(taskLogName(utcMonth(task.created_at)));
    const results = await Promise.allSettled(tasks.map((task) => this.months.append(task)));
    const refused = results.find((result) => result.status === "rejected");
    if (refused !== undefined) throw refused.reason;
  }
}

const unreadable = (why: string, cause?: unknown): GatewayError =>
  new GatewayError("storage_unavailable", `Older video tasks cannot be read: ${why}.`, { cause });
