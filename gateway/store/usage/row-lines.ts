import { promisify } from "node:util";
import { deflateRaw, inflateRawSync } from "node:zlib";
import type { ZlibOptions } from "node:zlib";
import type { Totals } from "../../contract/totals.ts";
import type { ColdDay, DailyRow, DailyRows } from "../../core/usage/daily-rows.ts";
import { toColumns } from "../../core/usage/usage-columns.ts";
import type { NamesByGroup, UsageColumns } from "../../core/usage/usage-columns.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Slices } from "../../lib/slices.ts";
import { NEWLINE, frame, parseLine } from "../disk/line.ts";
import { readDailyRow } from "./row-checks.ts";
import { RowColumns } from "./row-columns.ts";

const packed = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
/** More saves little memory and takes much longer. */
const PACKING = 1;
const DAY_MS = 86_400_000;

/** Formats the generation line of a daily row. */
export const rowLine = (row: Readonly<DailyRow>): string => frame(`{"in":"daily","record":${JSON.stringify(row)}}`);

/** Returns the day before which all calls have ended, except tasks. */
export const coldBefore = (now: number): string => utcDay(now - DAY_MS);

const CHECKSUM = 9;
const BEFORE_DAY = Buffer.from('{"in":"daily","record":{"id":"');
const DAY = /^\d{4}-\d\d-\d\d\|$/;
/** Start of the fields that do not matter to a row's sums, if all sums are before it. */
const BEFORE_DURATIONS = Buffer.from(',"durations":{');

const parseRecord = (json: string): object => (JSON.parse(json) as { readonly record: object }).record;

/** The day of the row in the line that begins at `start`; null for another line. */
export function dayOfLine(bytes: Buffer, start: number): string | null {
  const at = start + CHECKSUM;
  const end = at + BEFORE_DAY.length;
  if (bytes.length < end || bytes.compare(BEFORE_DAY, 0, BEFORE_DAY.length, at, end) !== 0) return null;
  const name = bytes.toString("latin1", end, end + "YYYY-MM-DD|".length);
  return DAY.test(name) ? name.slice(0, -1) : null;
}

/** The lines of one day's rows, as stored in a generation. */
export class RowLines implements ColdDay {
  count = 0;
  #parts: Buffer[] = [];
  /** Compressed content, in an eighth of the memory. */
  #packed: { readonly bytes: Buffer; readonly length: number } | null = null;

  /** Lines that follow each other. Their digest was right, or they were just made. */
  add(bytes: Buffer, count: number): void {
    this.#parts.push(bytes);
    this.count += count;
  }

  get parts(): readonly Buffer[] {
    if (this.#packed === null) return this.#parts;
    const { bytes, length } = this.#packed;
    return [inflateRawSync(bytes, { chunkSize: Math.max(64, length) })];
  }

  /** Compresses the lines; their original buffers are free when this resolves. */
  async pack(): Promise<void> {
    if (this.#packed !== null) return;
    const whole = Buffer.concat(this.#parts);
    this.#packed = { bytes: await packed(whole, { level: PACKING }), length: whole.length };
    this.#parts = [];
  }

  rows(): DailyRow[] {
    const rows: DailyRow[] = [];
    for (const [part, start, end] of this.#lines()) {
      const row = readDailyRow((parseLine(part, start, end) as { record?: unknown } | undefined)?.record);
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  *totals(): Generator<Readonly<Totals>> {
    for (const [part, start, end] of this.#lines()) {
      const cut = part.indexOf(BEFORE_DURATIONS, start);
      const short = cut === -1 || cut > end ? null : parseRecord(`${part.toString("utf8", start + CHECKSUM, cut)}}}`);
      // A row started by an earlier version has its later sums at its end, or not at all.
      const rest = cut === -1 ? part : part.subarray(cut, end);
      const whole = short !== null && SUMS.every((name) => name in short || !rest.includes(`"${name}":`));
      const row = readDailyRow(whole ? short : parseRecord(part.toString("utf8", start + CHECKSUM, end)));
      if (row !== null) yield row;
    }
  }

  columns(names: NamesByGroup): UsageColumns {
    const columns = new RowColumns(names);
    for (const [part, start, end] of this.#lines()) {
      if (!columns.add(part, start + CHECKSUM, end)) return toColumns(this.rows(), names);
    }
    return columns.columns;
  }

  async columnsInSlices(names: NamesByGroup, slices: Slices): Promise<UsageColumns> {
    const columns = new RowColumns(names);
    for (const [part, start, end] of this.#lines()) {
      if (!columns.add(part, start + CHECKSUM, end)) return toColumns(this.rows(), names);
      if (slices.over) await slices.pause();
    }
    return columns.columns;
  }

  *#lines(): Generator<readonly [part: Buffer, start: number, end: number]> {
    for (const part of this.parts) {
      for (let start = 0; start < part.length;) {
        const end = part.indexOf(NEWLINE, start);
        yield [part, start, end];
        start = end + 1;
      }
    }
  }
}

/** Packs all cold days, one after another, next to other work. */
export async function packDays(daily: DailyRows): Promise<void> {
  for (const cold of daily.coldDays.values()) await cold.pack();
}

/** Converts past days to cold days, unless they change meanwhile. */
export async function coolDays(daily: DailyRows, now: number, slices: Slices): Promise<void> {
  const before = coldBefore(now);
  for (const [day, rows] of [...daily.warmDays].filter(([name]) => name < before)) {
    const numbers = new Map([...rows].map((row) => [row, row.n]));
    const texts: string[] = [];
    for (const row of numbers.keys()) {
      texts.push(rowLine(row));
      if (slices.over) await slices.pause();
    }
    const now = daily.warmDays.get(day);
    if (now?.size !== numbers.size || [...now].some((row) => numbers.get(row) !== row.n)) continue;
    const cold = new RowLines();
    cold.add(Buffer.from(texts.join("")), texts.length);
    daily.cool(day, cold);
  }
}
