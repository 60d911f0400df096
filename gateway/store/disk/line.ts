import { crc32 } from "node:zlib";

/**
 * The line format of all files: CRC-32 of the JSON as 8 hex digits, a space, the JSON, a newline. JSON contains no raw
 * newline, so the next line can be found after any damage.
 */
export function frame(json: string): string {
  return `${crc32(json).toString(16).padStart(8, "0")} ${json}\n`;
}

const CHECKSUM_DIGITS = 8;
const SPACE = 0x20;
const CARRIAGE_RETURN = 0x0d;
export const NEWLINE = 0x0a;

/** @returns the JSON value of a line (without its newline), or undefined if it is damaged */
export function unframe(bytes: Buffer): unknown {
  const line = bytes.subarray(skipByteOrderMark(bytes));
  if (line.length <= CHECKSUM_DIGITS + 1 || line[CHECKSUM_DIGITS] !== SPACE) return undefined;
  const digits = line.toString("latin1", 0, CHECKSUM_DIGITS);
  // An editor or a sync tool may have changed line endings; JSON never ends in one.
  const body = line.subarray(CHECKSUM_DIGITS + 1, line.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
  if (Number.parseInt(digits, 16) !== crc32(body) || !/^[0-9a-f]{8}$/.test(digits)) return undefined;
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Parses the line from `start` up to its newline at `end` without verifying its checksum: for verified bytes. Undefined
 * if it is not JSON.
 */
export function parseLine(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", start + CHECKSUM_DIGITS + 1, end)) as unknown;
  } catch {
    return undefined;
  }
}

export interface FoundLine {
  /** Undefined for bytes up to a newline that are no line. */
  readonly value: unknown;
  /** Byte offset in its file, without its newline. */
  readonly offset: number;
  readonly length: number;
}

/** Range of bytes that is not a line. `torn`: at the end of the file and without a newline. */
export interface BadRange {
  readonly start: number;
  readonly end: number;
  readonly torn: boolean;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Finds the start of a line after zeros, which some disks have in place of lost bytes and their newline. JSON contains
 * no zeros.
 * @param line without its newline @returns the offset of the line after such zeros; 0 without zeros
 */
export const measureHole = (line: Buffer): number => line.lastIndexOf(0) + 1;
/** Skips a byte order mark that an editor may have added; the lines are still valid. */
export function skipByteOrderMark(bytes: Buffer): number {
  return bytes[0] === BYTE_ORDER_MARK[0] && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
}

/**
 * Splits bytes at their newlines; the rest after the last one is omitted. @param at offset of the bytes in their file
 */
export function* findLines(bytes: Buffer, at = 0): Generator<FoundLine> {
  let start = at === 0 ? skipByteOrderMark(bytes) : 0;
  for (let newline = bytes.indexOf(NEWLINE, start); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
    const line = bytes.subarray(start, newline);
    const value = unframe(line);
    const hole = value === undefined ? measureHole(line) : 0;
    const afterHole = hole > 0 ? unframe(line.subarray(hole)) : undefined;
    if (afterHole === undefined) yield { value, offset: at + start, length: line.length };
    else {
      yield { value: undefined, offset: at + start, length: hole - 1 };
      yield { value: afterHole, offset: at + start + hole, length: line.length - hole };
    }
    start = newline + 1;
  }
}

export interface CutLines {
  readonly lines: FoundLine[];
  readonly bad: BadRange[];
}

/** The same, sorted by whether they are lines. */
export function cutLines(bytes: Buffer, at = 0): CutLines {
  const cut: CutLines = { lines: [], bad: [] };
  for (const line of findLines(bytes, at)) {
    if (line.value !== undefined) cut.lines.push(line);
    else cut.bad.push({ start: line.offset, end: line.offset + line.length + 1, torn: false });
  }
  return cut;
}

/** Returns all lines of a whole file. */
export function readLines(bytes: Buffer): CutLines {
  const cut = cutLines(bytes);
  const rest = bytes.lastIndexOf(NEWLINE) + 1;
  if (rest < bytes.length) cut.bad.push({ start: rest, end: bytes.length, torn: true });
  return cut;
}

/** A line with its newline. */
export const getBytes = (file: Buffer, { offset, length }: FoundLine): Buffer =>
  file.subarray(offset, offset + length + 1);
