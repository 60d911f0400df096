import { crc32 } from "node:zlib";
import { HistoryTable } from "../../core/history/history-table.ts";
import { frame, unframe } from "../disk/line.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** How entries are counted, and how the table is written. With another number it is made again. */
const FORMAT = 1;
/** Bytes by which the end of the log is known. */
const END_BYTES = 4_096;
const LENGTH_BYTES = 8;

/** Identifies the state of a log that only grows. */
export interface LogMark {
  readonly bytes: number;
  /** Checksum of its end. */
  readonly end: number;
}

export interface CountedTable {
  readonly table: HistoryTable;
  /** How many lines of the log are damaged. */
  readonly damaged: number;
}

/** Follows the bytes of the table, before their length. */
interface Head {
  readonly format: number;
  readonly mark: LogMark;
  readonly damaged: number;
  readonly names: readonly string[];
  /** Checksum of the bytes. */
  readonly sum: number;
}

/** @returns null without a log */
export async function getMark(fs: StoreFs, log: string): Promise<LogMark | null> {
  const bytes = await fs.size(log);
  if (bytes === null) return null;
  const file = await fs.open(log, "read");
  try {
    const end = Buffer.alloc(Math.min(bytes, END_BYTES));
    const read = await file.read(end, bytes - end.length);
    return { bytes, end: crc32(end.subarray(0, read)) };
  } finally {
    await file.close();
  }
}

const isSame = (one: LogMark | null, other: LogMark | null): boolean =>
  one !== null && one.bytes === other?.bytes && one.end === other.end;

/** @returns null if no table was made of this log */
export async function readTable(fs: StoreFs, path: string, log: string): Promise<CountedTable | null> {
  const size = (await fs.size(path)) ?? 0;
  if (size < LENGTH_BYTES) return null;
  const file = await fs.open(path, "read");
  try {
    const last = Buffer.alloc(LENGTH_BYTES);
    await file.read(last, size - LENGTH_BYTES);
    const length = last.readDoubleLE();
    const rest = size - LENGTH_BYTES - length;
    if (!Number.isSafeInteger(length) || length < 0 || rest < 0) return null;
    const line = Buffer.alloc(rest);
    await file.read(line, length);
    const head = unframe(line) as Head | undefined;
    if (head?.format !== FORMAT || !isSame(head.mark, await getMark(fs, log))) return null;
    // Read into their final place, because a copy would stay in memory.
    const rows = new Uint8Array(length);
    await file.read(rows, 0);
    return crc32(rows) === head.sum
      ? { table: HistoryTable.from(rows.buffer, head.names), damaged: head.damaged }
      : null;
  } finally {
    await file.close();
  }
}

/** Puts a table next to its log, unless that is another one by now. It is not synced: what does not fit is made again. */
export async function writeTable(
  fs: StoreFs,
  path: string,
  log: string,
  { table, damaged, mark }: CountedTable & { readonly mark: LogMark },
): Promise<void> {
  if (!isSame(mark, await getMark(fs, log))) return;
  const head: Head = { format: FORMAT, mark, damaged, names: table.names.texts, sum: crc32(table.bytes) };
  const end = Buffer.alloc(LENGTH_BYTES);
  end.writeDoubleLE(table.bytes.length);
  const file = await fs.open(path, "append");
  try {
    await file.truncate(0);
    await file.write(table.bytes, 0);
    const line = Buffer.from(frame(JSON.stringify(head)).trimEnd());
    await file.write(Buffer.concat([line, end]), table.bytes.length);
  } finally {
    await file.close();
  }
}
