import { join } from "node:path";
import { getEntry } from "../../core/tasks/task-entry.ts";
import { utcMonth } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { damageOf, partsOf } from "../damage.ts";
import type { BadRange } from "../disk/line.ts";
import type { LineLog, LinePlace, LogDamage } from "../disk/line-log.ts";
import type { Quarantine } from "../quarantine.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { isTaskRecord } from "./task-check.ts";
import { TASK_INDEX, openTaskIndex, writeTaskIndex } from "./task-index-file.ts";
import { asTaskIndexLine, taskLogName, taskMonths } from "./task-lines.ts";
import type { TaskIndexLine } from "./task-lines.ts";
import { TaskList } from "./task-list.ts";
import { TaskMonths } from "./task-months.ts";

/** Bytes of a file, from the first up to the second. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Which bytes of a month's file the archive's list speaks of. What it does not speak of must be read. */
class TaskCoverage {
  /** Without a hole up to here. */
  #end = 0;
  /** Ranges beyond a hole, in the order of their lines. */
  readonly #beyond: ByteRange[] = [];
  /** The line that is furthest back in the file. */
  last: TaskIndexLine | null = null;

  add(line: TaskIndexLine): void {
    const { offset, length } = line;
    if (this.last === null || offset > this.last.offset) this.last = line;
    // The end includes its newline.
    const to = offset + length + 1;
    if (offset <= this.#end) this.#end = Math.max(this.#end, to);
    else this.#beyond.push({ from: offset, to });
  }

  /** End of the last byte that is spoken of. */
  get end(): number {
    return this.#beyond.reduce((end, { to }) => Math.max(end, to), this.#end);
  }

  /** Returns the ranges of the first `size` bytes without a line. */
  gaps(size: number): ByteRange[] {
    const gaps: ByteRange[] = [];
    let end = this.#end;
    for (const { from, to } of this.#beyond.toSorted((a, b) => a.from - b.from)) {
      if (from > end) gaps.push({ from: end, to: from });
      end = Math.max(end, to);
    }
    if (end < size) gaps.push({ from: end, to: size });
    return gaps;
  }
}

/** So many new lines are appended to the list; for more it is rewritten. */
const FEW_LINES = 500;

/**
 * Opens the archive of video tasks. The months' files are the truth and are only ever appended to; the list says what
 * is in them, so that a start need not read them. What the list does not speak of is read: the end of a file, after a
 * crash between the two, or all of them, when the list is gone.
 */
export class TaskOpening {
  readonly list = new TaskList();
  readonly months: TaskMonths;
  index: LineLog;
  /** Lines that the list on the disk does not have yet. */
  unindexed: TaskIndexLine[] = [];
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #quarantine: Quarantine;
  readonly #coverages = new Map<string, TaskCoverage>();
  /** Lines of the list that name no task. */
  readonly #skips: TaskIndexLine[] = [];
  /** The list on the disk must be rewritten. */
  #anew = false;
  /** The part of the list's last line that a crash left. */
  #torn: BadRange[] = [];

  /** @param dir the archive's folder */
  constructor(fs: StoreFs, dir: string, clock: Clock, quarantine: Quarantine) {
    this.#fs = fs;
    this.#dir = dir;
    this.#clock = clock;
    this.#quarantine = quarantine;
    this.months = new TaskMonths(fs, dir);
    this.index = openTaskIndex(fs, this.#indexPath);
  }

  /** Reads the list, and what it does not speak of. @throws the disk's error when something cannot be read */
  async read(): Promise<void> {
    const damage = await this.index.replay((value) => {
      const line = asTaskIndexLine(value);
      if (line !== undefined) this.#takeIndexed(line);
    });
    if (damage !== null) await this.#keepIndexDamage(damage);
    const there = new Set(taskMonths(await this.#fs.list(this.#dir)));
    for (const month of new Set([...there, ...this.#coverages.keys()])) await this.#readMonth(month);
  }

  /** Brings the list on the disk up to date. What the disk refuses is left in `unindexed`. */
  async writeIndex(): Promise<void> {
    const ended = await this.months.endLines();
    this.#skips.push(...ended);
    this.unindexed.push(...ended);
    try {
      if (this.#anew || this.unindexed.length > FEW_LINES) {
        const fresh = await writeTaskIndex(this.#fs, this.#indexPath, this.#allLines(), this.#clock);
        await this.index.close();
        this.index = fresh;
      } else {
        await this.index.heal(this.#torn);
        await Promise.all(this.unindexed.map((line) => this.index.append(line)));
      }
      this.unindexed = [];
    } catch {
      // The old one stays, as good as it is, and what it does not say is read again by the next start.
    }
  }

  get #indexPath(): string {
    return join(this.#dir, TASK_INDEX);
  }

  *#allLines(): Generator<TaskIndexLine> {
    for (const { entry, place } of this.list.tasks.values()) yield { ...place, entry };
    yield* this.#skips;
  }

  #takeIndexed(line: TaskIndexLine): void {
    let coverage = this.#coverages.get(line.month);
    if (coverage === undefined) {
      coverage = new TaskCoverage();
      this.#coverages.set(line.month, coverage);
    }
    coverage.add(line);
    this.list.note(line);
    if (line.entry === undefined) this.#skips.push(line);
  }

  async #readMonth(month: string): Promise<void> {
    const size = await this.#fs.size(this.months.path(month));
    let coverage = this.#coverages.get(month) ?? new TaskCoverage();
    if (size === null || !(await this.#isAsLeft(size, coverage))) {
      this.list.forget(month);
      this.#anew = true;
      const what = size === null ? "is gone, and the tasks in it with it" : "is not as it was left; it was read again";
      const name = taskLogName(month);
      this.#quarantine.tell("missing", `The archive of video tasks of ${month} (tasks/${name}) ${what}.`, null, name);
      coverage = new TaskCoverage();
    }
    if (size === null) return;
    let unended: LinePlace | null = null;
    for (const gap of coverage.gaps(size)) unended = await this.#readGap(month, gap, size);
    if (unended !== null) this.months.noteUnended(month, unended);
  }

  /** Whether the last record that the list names is where the list says. */
  async #isAsLeft(size: number, coverage: TaskCoverage): Promise<boolean> {
    if (coverage.end > size) return false;
    const { last } = coverage;
    if (last?.entry === undefined) return true;
    const [record] = await this.months.read([last]);
    return record?.id === last.entry.id;
  }

  /** @returns what the file ends with when that is no line */
  async #readGap(month: string, gap: ByteRange, size: number): Promise<LinePlace | null> {
    let unusable = 0;
    const damage = await this.months.log(month).replay((value, place) => {
      if (isTaskRecord(value) && utcMonth(value.created_at) === month) {
        const line = { ...place, month, entry: getEntry(value) };
        this.list.note(line);
        this.unindexed.push(line);
      } else unusable += 1;
    }, gap);
    const name = taskLogName(month);
    if (unusable > 0) {
      const message = `${unusable} records of tasks/${name} have fields that this version cannot use and were left out.`;
      this.#quarantine.tell("invalid-record", message, null, name);
    }
    return damage === null ? null : this.#keepDamage(month, damage, gap.to === size);
  }

  /** Damaged bytes stay where they are, and a copy is set aside. The list says that they were seen. */
  async #keepDamage(month: string, { ranges, bytes }: LogDamage, atEnd: boolean): Promise<LinePlace | null> {
    const name = taskLogName(month);
    const { torn, words } = damageOf(partsOf(bytes, ranges), atEnd && ranges.at(-1)?.torn === true);
    const message = torn
      ? `The last line of tasks/${name} was not written to its end. It had not been acknowledged.`
      : `The archive of video tasks (tasks/${name}) is damaged: ${words}. All other tasks are listed.`;
    await this.#quarantine.keep(`${name}.from-${ranges[0]?.start ?? 0}`, bytes, torn ? "torn" : "damaged", message);
    let unended: LinePlace | null = null;
    for (const { start, end, torn: open } of joined(ranges)) {
      if (open && atEnd) unended = { offset: start, length: end - start };
      else {
        const skip = { month, offset: start, length: end - start - 1 };
        this.#skips.push(skip);
        this.unindexed.push(skip);
      }
    }
    return unended;
  }

  async #keepIndexDamage({ ranges, bytes }: LogDamage): Promise<void> {
    const { torn, words } = damageOf(partsOf(bytes, ranges), ranges.at(-1)?.torn === true);
    // A last line that a crash cut short is in the month's file, and is read from there.
    if (torn) {
      this.#torn = [...ranges];
      return;
    }
    this.#anew = true;
    const message = `The list of archived video tasks (tasks/${TASK_INDEX}) is damaged: ${words}. It is made anew; no task is lost.`;
    const name = `tasks-${TASK_INDEX}.from-${ranges[0]?.start ?? 0}`;
    await this.#quarantine.keep(name, bytes, "damaged", message);
  }
}

/** Damage that is one stretch of bytes, as one range. */
function joined(ranges: readonly BadRange[]): BadRange[] {
  const all: BadRange[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last?.end === range.start) all[all.length - 1] = { ...range, start: last.start };
    else all.push(range);
  }
  return all;
}
