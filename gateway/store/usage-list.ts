import { join } from "node:path";
import type { Receipt } from "../contract/receipt.ts";
import { NEWLINE, unframe } from "./line.ts";
import { LONGEST_LINE, asUsageLine, segmentMonths, segmentName } from "./segments.ts";
import type { UsageLine } from "./segments.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";

export interface ReceiptQuery {
  readonly limit: number;
  readonly key?: string;
  readonly model?: string;
}

/** A place in the log: everything older than receipt `n` of `month`, and all earlier months. */
export interface ReceiptCursor {
  readonly month: string;
  readonly n: number;
}

export const cursorText = ({ month, n }: ReceiptCursor): string => `${month}.${n}`;

/** @returns null when a text is no cursor. */
export function parseCursor(text: string): ReceiptCursor | null {
  const [, month, n] = /^([+-]?\d{4,6}-\d\d)\.(\d{1,15})$/.exec(text) ?? [];
  return month === undefined || n === undefined ? null : { month, n: Number(n) };
}

export interface FoundReceipts {
  readonly data: Receipt[];
  /** Where to go on; null when there is nothing older. */
  readonly cursor: ReceiptCursor | null;
}

const READ_BYTES = 64 * 1024;
/** A filter that matches little must not read the whole history in one call: then the page is short, with a cursor. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Pages backwards through the segments from `before`, or from their end. */
export async function findReceipts(
  fs: StoreFs,
  folder: string,
  query: ReceiptQuery,
  before: ReceiptCursor | null,
): Promise<FoundReceipts> {
  const data: Receipt[] = [];
  let budget = MOST_BYTES;
  const months = segmentMonths(await fs.list(folder)).toReversed();
  for (const month of months) {
    if (before !== null && month > before.month) continue;
    const path = join(folder, segmentName(month));
    const file = await fs.open(path, "read");
    try {
      const size = (await fs.size(path)) ?? 0;
      const end = before?.month === month ? await offsetOf(file, size, before.n) : size;
      for await (const { line, read } of linesBackwards(file, end)) {
        budget -= read;
        const receipt = line !== undefined && "receipt" in line ? line.receipt : undefined;
        if (receipt !== undefined && matches(receipt, query) && !isBeyond(before, month, line?.n)) data.push(receipt);
        if (line !== undefined && (data.length >= query.limit || budget <= 0))
          return { data, cursor: cursorAt(month, line) };
      }
    } finally {
      await file.close();
    }
  }
  return { data, cursor: null };
}

/** A receipt is looked for in so many lines. */
const LOOKED_THROUGH = 10_000;

/** Whether the last lines of a month's segment have a receipt of this id. */
export async function hasReceipt(fs: StoreFs, folder: string, month: string, id: string): Promise<boolean> {
  const path = join(folder, segmentName(month));
  const size = await fs.size(path);
  if (size === null) return false;
  const file = await fs.open(path, "read");
  try {
    let lines = 0;
    for await (const { line } of linesBackwards(file, size, Buffer.from(JSON.stringify(id)))) {
      if (line !== undefined && "receipt" in line && line.receipt.id === id) return true;
      lines += 1;
      if (lines >= LOOKED_THROUGH) return false;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** A call that was begun stands after the receipt whose number it carries. */
const cursorAt = (month: string, line: UsageLine): ReceiptCursor => ({
  month,
  n: "call" in line ? line.n + 1 : line.n,
});

export function matches(receipt: Receipt, query: ReceiptQuery): boolean {
  return (
    (query.key === undefined || receipt.key === query.key) &&
    (query.model === undefined || receipt.model === query.model)
  );
}

const isBeyond = (before: ReceiptCursor | null, month: string, n: number | undefined): boolean =>
  before !== null && before.month === month && n !== undefined && n >= before.n;

/**
 * Lines from `end` to the beginning of the file. `read` is what each cost to read, in bytes.
 * @param word only lines that hold these bytes are made out
 */
async function* linesBackwards(
  file: StoreFile,
  end: number,
  word: Buffer | null = null,
): AsyncGenerator<{ line: UsageLine | undefined; read: number }> {
  let position = end;
  let rest: Buffer = Buffer.alloc(0);
  while (position > 0) {
    const length = Math.min(READ_BYTES, position);
    position -= length;
    const chunk = Buffer.alloc(length);
    await file.read(chunk, position);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([chunk, rest]);
    // The first line of a chunk may begin before it.
    const newline = bytes.indexOf(NEWLINE);
    const first = position === 0 ? 0 : newline === -1 ? bytes.length : newline + 1;
    let lineEnd = bytes.length;
    while (lineEnd > first) {
      const lineStart = Math.max(first, bytes.lastIndexOf(NEWLINE, lineEnd - 2) + 1);
      const text = bytes.subarray(lineStart, lineEnd - 1);
      const wanted = bytes[lineEnd - 1] === NEWLINE && (word === null || text.includes(word));
      const line = wanted ? asUsageLine(unframe(text)) : undefined;
      yield { line, read: lineEnd - lineStart };
      lineEnd = lineStart;
    }
    rest = first > LONGEST_LINE ? Buffer.alloc(0) : bytes.subarray(0, first);
  }
}

/** Where the line of receipt `n` begins or, when it is not there, the first later one: by halving, numbers ascend. */
async function offsetOf(file: StoreFile, size: number, n: number): Promise<number> {
  let low = 0;
  let high = size;
  while (high - low > READ_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const found = await firstLineAfter(file, middle, high);
    if (found === null || found.n >= n) high = middle;
    else low = found.start;
  }
  const bytes = Buffer.alloc(high + READ_BYTES > size ? size - low : high + READ_BYTES - low);
  await file.read(bytes, low);
  let start = 0;
  for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
    const line = asUsageLine(unframe(bytes.subarray(start, newline)));
    if (line !== undefined && line.n >= n && "receipt" in line) return low + start;
    start = newline + 1;
  }
  return low + start;
}

async function firstLineAfter(
  file: StoreFile,
  offset: number,
  end: number,
): Promise<{ n: number; start: number } | null> {
  const bytes = Buffer.alloc(Math.min(READ_BYTES, end - offset));
  await file.read(bytes, offset);
  let start = bytes.indexOf(NEWLINE) + 1;
  if (start === 0) return null;
  for (let newline = bytes.indexOf(NEWLINE, start); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
    const line = asUsageLine(unframe(bytes.subarray(start, newline)));
    if (line !== undefined) return { n: line.n, start: offset + start };
    start = newline + 1;
  }
  return null;
}
