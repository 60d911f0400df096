import { isRecord } from "../../lib/records.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { NEWLINE, skipByteOrderMark, unframe } from "./line.ts";
import type { BadRange } from "./line.ts";
import type { StoreFile } from "./store-fs.ts";
import type { OpenCall } from "../store.ts";
import { isOpenCall, isReceipt } from "../validate.ts";

/** The usage log is one file for each UTC month, `usage/usage-YYYY-MM.ndjson`, only ever appended to. */
export const segmentName = (month: string): string => `usage-${month}.ndjson`;

/** @returns the months of the segments among these names, oldest first. */
export function segmentMonths(names: readonly string[]): string[] {
  const months = names.map((name) => /^usage-([+-]?\d{4,6}-\d\d)\.ndjson$/.exec(name)?.[1]);
  return months.filter((month) => month !== undefined).toSorted();
}

/** A line of a segment: a receipt with its number, or a call that was begun when `n` was the last receipt's number. */
export type UsageLine =
  | { readonly n: number; readonly receipt: Receipt }
  | { readonly n: number; readonly call: OpenCall };

export function asUsageLine(value: unknown): UsageLine | undefined {
  if (!isRecord(value) || !Number.isSafeInteger(value["n"])) return undefined;
  const whole = "receipt" in value ? isReceipt(value["receipt"]) : isOpenCall(value["call"]);
  return whole ? (value as unknown as UsageLine) : undefined;
}

export interface UsageBatch {
  readonly lines: UsageLine[];
  readonly bad: BadRange[];
}

const READ_BYTES = 256 * 1024;
/** No receipt is this long: bytes without a newline beyond it are damage. */
export const LONGEST_LINE = 1024 * 1024;

/** Reads a segment forwards from `offset`, some hundred lines at a time. */
export class SegmentReader {
  readonly #file: StoreFile;
  /** Where the next read begins. */
  #position: number;
  /** Bytes of a line whose end was not read yet; it starts at `#position - #rest.length`. */
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;
  /** End of the last whole line. */
  good: number;

  constructor(file: StoreFile, offset: number) {
    this.#file = file;
    this.#position = offset;
    this.good = offset;
  }

  /** @returns null at the end. */
  async next(): Promise<UsageBatch | null> {
    if (this.#ended) return null;
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    const length = await this.#file.read(chunk, this.#position);
    const start = this.#position - this.#rest.length;
    const bytes =
      this.#rest.length === 0 ? chunk.subarray(0, length) : Buffer.concat([this.#rest, chunk.subarray(0, length)]);
    this.#position += length;
    this.#ended = length < READ_BYTES;
    return this.#cut(bytes, start);
  }

  #cut(bytes: Buffer, start: number): UsageBatch {
    const batch: UsageBatch = { lines: [], bad: [] };
    let from = start === 0 ? skipByteOrderMark(bytes) : 0;
    for (let newline = bytes.indexOf(NEWLINE, from); newline !== -1; newline = bytes.indexOf(NEWLINE, from)) {
      const line = asUsageLine(unframe(bytes.subarray(from, newline)));
      if (line === undefined) batch.bad.push({ start: start + from, end: start + newline + 1, torn: false });
      else {
        batch.lines.push(line);
        this.good = start + newline + 1;
      }
      from = newline + 1;
    }
    this.#rest = bytes.subarray(from);
    if (this.#rest.length > 0 && (this.#ended || this.#rest.length > LONGEST_LINE)) {
      batch.bad.push({ start: start + from, end: start + bytes.length, torn: this.#ended });
      this.#rest = Buffer.alloc(0);
    }
    return batch;
  }
}
