import { join } from "node:path";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { TaskPlace } from "../../core/tasks/task-entry.ts";
import { utcMonth } from "../../lib/clock.ts";
import type { BadRange } from "../disk/line.ts";
import { LineLog } from "../disk/line-log.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { isTaskRecord } from "./task-check.ts";

/** The archive is one file for each UTC month, `tasks/tasks-YYYY-MM.ndjson`, only ever appended to. */
const NAME = /^tasks-(\d{4}|\+\d{6})-(\d\d)\.ndjson$/;

/** Max bytes of a line: no request with its response is as long. */
export const LONGEST_TASK = 128 * 1024 * 1024;

const TAIL_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export const taskLogName = (month: string): string => `tasks-${month}.ndjson`;

/** Returns the number of a month's file, in months from the year 0. Null for other files. */
export function findTaskMonth(name: string): number | null {
  const [, year, month] = NAME.exec(name) ?? [];
  return year === undefined || month === undefined ? null : Number(year) * 12 + Number(month) - 1;
}

function taskFileName(file: number): string {
  const year = Math.floor(file / 12);
  const digits = year > 9_999 ? `+${String(year).padStart(6, "0")}` : String(year).padStart(4, "0");
  return taskLogName(`${digits}-${String((file % 12) + 1).padStart(2, "0")}`);
}

/** The archive's files of whole records, one for each month. They are opened when they are first needed. */
export class TaskMonths {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #logs = new Map<string, LineLog>();

  /** @param dir the archive's folder */
  constructor(fs: StoreFs, dir: string) {
    this.#fs = fs;
    this.#dir = dir;
  }

  /** Returns the names of the files, the oldest first. */
  async names(): Promise<string[]> {
    const names = (await this.#fs.list(this.#dir)).filter((name) => findTaskMonth(name) !== null);
    return names.toSorted((a, b) => (findTaskMonth(a) ?? 0) - (findTaskMonth(b) ?? 0));
  }

  log(name: string): LineLog {
    let log = this.#logs.get(name);
    if (log === undefined) {
      const about = `archive of video tasks (tasks/${name})`;
      log = new LineLog(this.#fs, join(this.#dir, name), { name: about, longestLine: LONGEST_TASK });
      this.#logs.set(name, log);
    }
    return log;
  }

  /** Resolves when the record is on the disk. @throws StoreWriteError when it is not, and will not be */
  async append(task: TaskRecord): Promise<void> {
    await this.log(taskLogName(utcMonth(task.created_at))).append(task);
  }

  /** @returns the records at these places, in order; null for damaged ones */
  async read(places: readonly TaskPlace[]): Promise<(TaskRecord | null)[]> {
    const found: (TaskRecord | null)[] = places.map(() => null);
    const files = Map.groupBy(places.keys(), (index) => places[index]?.file ?? 0);
    await Promise.all(
      [...files].map(async ([file, indexes]) => {
        const values = await this.log(taskFileName(file)).readAll(indexes.map((index) => places[index] as TaskPlace));
        for (const [at, index] of indexes.entries()) {
          const value = values[at];
          if (isTaskRecord(value)) found[index] = value;
        }
      }),
    );
    return found;
  }

  /** @returns the incomplete last line of a file, as left by a kill, or null */
  async findTorn(name: string): Promise<{ readonly range: BadRange; readonly bytes: Buffer } | null> {
    const file = await this.#fs.open(join(this.#dir, name), "read");
    try {
      const end = (await this.#fs.size(join(this.#dir, name))) ?? 0;
      const start = await findLineStart(file, end);
      if (start === end) return null;
      return { range: { start, end, torn: true }, bytes: await readBytes(file, start, end) };
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    for (const log of this.#logs.values()) await log.close();
  }
}

/** Finds the offset after the last newline. */
async function findLineStart(file: StoreFile, end: number): Promise<number> {
  for (let to = end; to > 0;) {
    const from = to === end ? end - 1 : Math.max(0, to - TAIL_BYTES);
    const newline = (await readBytes(file, from, to)).lastIndexOf(NEWLINE);
    if (newline >= 0) return from + newline + 1;
    to = from;
  }
  return 0;
}

async function readBytes(file: StoreFile, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, await file.read(bytes, from));
}
