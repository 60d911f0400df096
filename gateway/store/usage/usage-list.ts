import { join } from "node:path";
import type { Receipt } from "../../contract/receipt.ts";
import { matchesRequest } from "../../contract/matches-request.ts";
import type { RequestFilter } from "../../contract/requests.ts";
import { utcMonth } from "../../lib/clock.ts";
import { NEWLINE, unframe } from "../disk/line.ts";
import { LONGEST_LINE, asUsageLine, segmentMonths, segmentName } from "../disk/segments.ts";
import type { UsageLine } from "../disk/segments.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";

/** What a page of the files is asked for. */
interface SegmentQuery extends Partial<RequestFilter> {
  readonly limit: number;
  /** This one receipt only. */
  readonly id?: string;
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

/** Receipts stand in the order of their moments, but where the wall clock was set back: never by more than this. */
const DAY_MS = 86_400_000;

/** Pages backwards through the segments from `before`, or from their end. */
export async function findReceipts(
  fs: StoreFs,
  folder: string,
  query: SegmentQuery,
  before: ReceiptCursor | null,
): Promise<FoundReceipts> {
  const data: Receipt[] = [];
  let budget = MOST_BYTES;
  const words = wordsOf(query);
  const since = query.since === undefined ? "" : utcMonth(query.since);
  const until = query.until === undefined ? null : utcMonth(query.until);
  const longBefore = (query.since ?? 0) - DAY_MS;
  const months = segmentMonths(await fs.list(folder)).toReversed();
  for (const month of months) {
    if (before !== null && month > before.month) continue;
    if (until !== null && month > until) continue;
    if (month < since) break;
    const path = join(folder, segmentName(month));
    const file = await fs.open(path, "read");
    try {
      const size = (await fs.size(path)) ?? 0;
      const end = before?.month === month ? await offsetOf(file, size, before.n) : size;
      for await (const { has, read, parse } of wordsBackwards(file, end, words)) {
        budget -= read;
        if (!has && budget > 0) continue;
        const line = parse();
        const receipt = has && line !== undefined && "receipt" in line ? line.receipt : undefined;
        const wanted = receipt !== undefined && (query.id === undefined || receipt.id === query.id);
        if (wanted && matchesRequest(receipt, query) && !isBeyond(before, month, line?.n)) data.push(receipt);
        if (line !== undefined && (data.length >= query.limit || budget <= 0))
          return { data, cursor: cursorAt(month, line) };
        if (receipt !== undefined && receipt.at < longBefore) return { data, cursor: null };
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
    for await (const { has, count, parse } of wordsBackwards(file, size, [Buffer.from(JSON.stringify(id))])) {
      const line = has ? parse() : undefined;
      if (line !== undefined && "receipt" in line && line.receipt.id === id) return true;
      lines += count;
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

/** Bytes that the line of every receipt which matches has in it: others need not be made out. */
function wordsOf(query: SegmentQuery): readonly Buffer[] {
  const { id, key, model, vendor, client, endpoint, outcome, status, q } = query;
  const fields = Object.entries({ id, key, model, vendor, client, endpoint, outcome });
  const words = fields.flatMap(([name, value]) => (value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`]));
  if (status !== undefined) words.push(`"status":${status.slice(0, 1)}`);
  if (q !== undefined) words.push(JSON.stringify(q).slice(1, -1));
  return words.map((word) => Buffer.from(word));
}

const isBeyond = (before: ReceiptCursor | null, month: string, n: number | undefined): boolean =>
  before !== null && before.month === month && n !== undefined && n >= before.n;

interface ReadLine {
  /** Whether the words are in it. */
  readonly has: boolean;
  /** What it cost to read, in bytes. */
  readonly read: number;
  /** More than one for a part of the file that holds none of the words. */
  readonly count: number;
  /** Makes the line out, or the first of the part. */
  readonly parse: () => UsageLine | undefined;
}

/** Lines from `end` to the beginning of the file, all of them made out. `read` is what each cost to read, in bytes. */
export async function* linesBackwards(
  file: StoreFile,
  end: number,
): AsyncGenerator<{ line: UsageLine | undefined; read: number }> {
  for await (const { parse, read } of wordsBackwards(file, end, [])) yield { line: parse(), read };
}

/** The same, of those with these words in them. A part without one of the words is passed over as a whole. */
async function* wordsBackwards(file: StoreFile, end: number, words: readonly Buffer[]): AsyncGenerator<ReadLine> {
  let position = end;
  let rest: Buffer = Buffer.alloc(0);
  const hasWords = (bytes: Buffer): boolean => words.every((word) => bytes.includes(word));
  while (position > 0) {
    const length = Math.min(READ_BYTES, position);
    position -= length;
    const chunk = Buffer.alloc(length);
    await file.read(chunk, position);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([chunk, rest]);
    // The first line of a chunk may begin before it.
    const newline = bytes.indexOf(NEWLINE);
    const first = position === 0 ? 0 : newline === -1 ? bytes.length : newline + 1;
    const readLine = (start: number, stop: number): ReadLine => {
      const text = bytes.subarray(start, stop - 1);
      const whole = bytes[stop - 1] === NEWLINE;
      return {
        has: whole && hasWords(text),
        read: stop - start,
        count: 1,
        parse: () => (whole ? asUsageLine(unframe(text)) : undefined),
      };
    };
    let lineEnd = bytes.length;
    if (words.length > 0 && lineEnd > first && !hasWords(bytes.subarray(first))) {
      const { parse } = readLine(first, bytes.indexOf(NEWLINE, first) + 1);
      yield { has: false, read: lineEnd - first, count: countLines(bytes, first), parse };
      lineEnd = first;
    }
    while (lineEnd > first) {
      const lineStart = Math.max(first, bytes.lastIndexOf(NEWLINE, lineEnd - 2) + 1);
      yield readLine(lineStart, lineEnd);
      lineEnd = lineStart;
    }
    rest = first > LONGEST_LINE ? Buffer.alloc(0) : bytes.subarray(0, first);
  }
}

function countLines(bytes: Buffer, from: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
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
