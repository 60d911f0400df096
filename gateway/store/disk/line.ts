import { crc32 } from "node:zlib";

/**
 * The line that everything on disk is made of: CRC-32 of the JSON as 8 hex digits, a space, the JSON, a newline.
 * JSON never holds a raw newline, so a line can be found again after any damage.
 */
export function frame(json: string): string {
  return `${crc32(json).toString(16).padStart(8, "0")} ${json}\n`;
}

const CHECKSUM_DIGITS = 8;
const SPACE = 0x20;
export const NEWLINE = 0x0a;

/** @returns the JSON value of a line (given without its newline), or undefined when it is not whole. */
export function unframe(line: Buffer): unknown {
  if (line.length <= CHECKSUM_DIGITS + 1 || line[CHECKSUM_DIGITS] !== SPACE) return undefined;
  const digits = line.toString("latin1", 0, CHECKSUM_DIGITS);
  const body = line.subarray(CHECKSUM_DIGITS + 1);
  if (Number.parseInt(digits, 16) !== crc32(body) || !/^[0-9a-f]{8}$/.test(digits)) return undefined;
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The JSON value of the line from `start` up to its newline at `end`, without a look at its checksum: for bytes that are
 * known to be whole. Undefined when it is no JSON.
 */
export function jsonOf(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", start + CHECKSUM_DIGITS + 1, end)) as unknown;
  } catch {
    return undefined;
  }
}

/** Bytes that are no line: from `start` up to `end`. `torn` when they are the file's end and hold no newline. */
export interface BadRange {
  readonly start: number;
  readonly end: number;
  readonly torn: boolean;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** An editor may have put a mark before the first line; the lines after it are still good. */
export function skipByteOrderMark(bytes: Buffer): number {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
}

export interface FoundLine {
  readonly value: unknown;
  /** The line as it is on the disk, with its newline. */
  readonly bytes: Buffer;
}

/** Reads all lines of a whole file. `good` is the end of the last whole line. */
export function readLines(bytes: Buffer): { lines: FoundLine[]; bad: BadRange[]; good: number } {
  const lines: FoundLine[] = [];
  const bad: BadRange[] = [];
  let good = skipByteOrderMark(bytes);
  let start = good;
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline === -1) {
      bad.push({ start, end: bytes.length, torn: true });
      break;
    }
    const value = unframe(bytes.subarray(start, newline));
    if (value === undefined) bad.push({ start, end: newline + 1, torn: false });
    else {
      lines.push({ value, bytes: bytes.subarray(start, newline + 1) });
      good = newline + 1;
    }
    start = newline + 1;
  }
  return { lines, bad, good };
}
