import { join } from "node:path";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { utcMonth } from "../../lib/clock.ts";
import { LineLog } from "../disk/line-log.ts";
import type { LinePlace } from "../disk/line-log.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { isTaskRecord } from "./task-check.ts";
import { taskLogName } from "./task-lines.ts";
import type { TaskIndexLine, TaskPlace } from "./task-lines.ts";

/** No request with its response is this long. */
const LONGEST_LINE = 128 * 1024 * 1024;

/** The archive's files of whole records, one for each month. They are opened when they are first needed. */
export class TaskMonths {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #logs = new Map<string, LineLog>();
  /** Bytes at the end of a file that are no line and have no newline: the next line of that file gets one. */
  readonly #unended = new Map<string, LinePlace>();

  /** @param dir the archive's folder */
  constructor(fs: StoreFs, dir: string) {
    this.#fs = fs;
    this.#dir = dir;
  }

  path(month: string): string {
    return join(this.#dir, taskLogName(month));
  }

  log(month: string): LineLog {
    let log = this.#logs.get(month);
    if (log === undefined) {
      const name = `archive of video tasks (tasks/${taskLogName(month)})`;
      log = new LineLog(this.#fs, this.path(month), { name, longestLine: LONGEST_LINE });
      this.#logs.set(month, log);
    }
    return log;
  }

  /** Notes that a month's file ends in bytes that are no line. They stay as they are; lines go on after them. */
  noteUnended(month: string, place: LinePlace): void {
    this.#unended.set(month, place);
  }

  /** @returns the record's place when it is on the disk. @throws StoreWriteError when it is not, and will not be */
  async append(task: TaskRecord): Promise<TaskPlace> {
    const month = utcMonth(task.created_at);
    return { ...(await this.log(month).append(task)), month };
  }

  /** Ends what is unended, where the disk lets us. @returns what the list must say of it */
  async endLines(): Promise<TaskIndexLine[]> {
    const lines: TaskIndexLine[] = [];
    for (const month of this.#unended.keys()) {
      const ended = await this.log(month)
        .begin()
        .then(
          () => true,
          () => false,
        );
      if (ended) lines.push(...this.takeEnded(month));
    }
    return lines;
  }

  /** Returns the list's line for bytes that the first line after them ended; once. */
  takeEnded(month: string): TaskIndexLine[] {
    const place = this.#unended.get(month);
    this.#unended.delete(month);
    return place === undefined ? [] : [{ month, ...place }];
  }

  /** @returns the records at these places, in their order; null for one that is not whole any more */
  async read(places: readonly TaskPlace[]): Promise<(TaskRecord | null)[]> {
    const found: (TaskRecord | null)[] = places.map(() => null);
    const months = Map.groupBy(places.keys(), (index) => places[index]?.month ?? "");
    await Promise.all(
      [...months].map(async ([month, indexes]) => {
        const wanted = indexes.map((index) => places[index] as TaskPlace);
        const values = await this.log(month).readAll(wanted);
        for (const [at, index] of indexes.entries()) {
          const value = values[at];
          if (isTaskRecord(value)) found[index] = value;
        }
      }),
    );
    return found;
  }

  async close(): Promise<void> {
    for (const log of this.#logs.values()) await log.close();
  }
}
