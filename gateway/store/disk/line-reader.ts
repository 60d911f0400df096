import { NEWLINE, cutLines, skipByteOrderMark } from "./line.ts";
import type { BadRange, CutLines } from "./line.ts";
import type { StoreFile } from "./store-fs.ts";

const READ_BYTES = 256 * 1024;
/** Bytes without a newline above which they count as damage, unless a log allows longer lines. */
export const LONGEST_LINE = 1024 * 1024;

export interface LineRange {
  /** Offset of the first line; by default the start of the file. */
  readonly from?: number;
  /** End offset; by default the end of the file. */
  readonly to?: number;
  /** Bytes. */
  readonly longest?: number;
}

/** Reads a file of lines forwards, some hundred lines at a time, in memory that its longest line bounds. */
export class LineReader {
  readonly #file: StoreFile;
  readonly #to: number;
  readonly #longest: number;
  /** Offset of the next read. */
  #position: number;
  /** Bytes of a line whose end was not read yet; it starts at `#position - #rest.length`. */
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(file: StoreFile, { from = 0, to = Infinity, longest = LONGEST_LINE }: LineRange = {}) {
    this.#file = file;
    this.#to = to;
    this.#longest = longest;
    this.#position = from;
  }

  /** @returns null at the end. */
  async next(): Promise<CutLines | null> {
    if (this.#ended) return null;
    const known = this.#rest.length;
    // Reads grow with the length of a line, so that its start is not copied repeatedly.
    const readLength = Math.min(Math.max(READ_BYTES, known), this.#to - this.#position);
    const bytes = Buffer.allocUnsafe(known + readLength);
    this.#rest.copy(bytes);
    const start = this.#position - known;
    const length = await this.#file.read(bytes.subarray(known), this.#position);
    this.#position += length;
    this.#ended = length < readLength || this.#position >= this.#to;
    return this.#cut(bytes.subarray(0, known + length), start);
  }

  #cut(bytes: Buffer, start: number): CutLines {
    const newline = bytes.lastIndexOf(NEWLINE) + 1;
    const cut = newline === 0 ? { lines: [], bad: [] } : cutLines(bytes, start);
    const rest = start + newline === 0 ? skipByteOrderMark(bytes) : newline;
    this.#rest = bytes.subarray(rest);
    if (this.#rest.length > 0 && (this.#ended || this.#rest.length > this.#longest)) {
      cut.bad.push({ start: start + rest, end: start + bytes.length, torn: this.#ended });
      this.#rest = Buffer.alloc(0);
    }
    return cut;
  }
}

/** Reads the bytes of these ranges of a file in order, in chunks. */
export async function* findBytes(file: StoreFile, ranges: readonly Omit<BadRange, "torn">[]): AsyncGenerator<Buffer> {
  for (const { start, end } of ranges) {
    for (let at = start; at < end;) {
      const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
      const length = await file.read(bytes, at);
      if (length === 0) break;
      yield bytes.subarray(0, length);
      at += length;
    }
  }
}

/** The same, as a whole. */
export async function readRanges(file: StoreFile, ranges: readonly Omit<BadRange, "torn">[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const bytes of findBytes(file, ranges)) parts.push(bytes);
  return Buffer.concat(parts);
}
