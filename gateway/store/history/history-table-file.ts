import { crc32 } from "node:zlib";
import { HistoryTable } from "../../core/history/history-table.ts";
import { frame, unframe, NEWLINE } from "../disk/line.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** How entries are counted, and how the table is written. With another number it is made anew. */
const FORMAT = 1;
/** Bytes by which the end of the log is known. */
const END_BYTES = 4_096;

/** By what a log that only grows is known. */
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

/** The first line of the file; the bytes of the table follow. */
interface Head {
  readonly format: number;
  readonly mark: LogMark;
  readonly damaged: number;
  readonly names: readonly string[];
  /** Checksum of the bytes. */
  readonly sum: number;
}

/** @returns null without a log */
export async function markOf(fs: StoreFs, log: string): Promise<LogMark | null> {
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

/** @returns null where there is none that was made of this log */
export async function readTable(fs: StoreFs, path: string, log: string): Promise<CountedTable | null> {
  if ((await fs.size(path)) === null) return null;
  const bytes = await fs.readWhole(path);
  const begin = bytes.indexOf(NEWLINE) + 1;
  const head = unframe(bytes.subarray(0, begin - 1)) as Head | undefined;
  if (head?.format !== FORMAT || !isSame(head.mark, await markOf(fs, log))) return null;
  const rows = bytes.subarray(begin);
  if (crc32(rows) !== head.sum) return null;
  return { table: HistoryTable.from(new Uint8Array(rows).buffer, head.names), damaged: head.damaged };
}

/** Puts a table beside its log, unless that is another one by now. It is not synced: what does not fit is made anew. */
export async function writeTable(
  fs: StoreFs,
  path: string,
  log: string,
  { table, damaged, mark }: CountedTable & { readonly mark: LogMark },
): Promise<void> {
  if (!isSame(mark, await markOf(fs, log))) return;
  const head: Head = { format: FORMAT, mark, damaged, names: table.names.texts, sum: crc32(table.bytes) };
  const line = Buffer.from(frame(JSON.stringify(head)));
  const file = await fs.open(path, "append");
  try {
    await file.truncate(0);
    await file.write(line, 0);
    await file.write(table.bytes, line.length);
  } finally {
    await file.close();
  }
}
