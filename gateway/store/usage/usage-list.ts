import { join } from "node:path";
import type { Receipt } from "../../contract/receipt.ts";
import { matchesRequest } from "../../contract/matches-request.ts";
import type { Search } from "../../contract/matches-request.ts";
import { utcMonth } from "../../lib/clock.ts";
import { NEWLINE, linesIn } from "../disk/line.ts";
import { linesBackwards } from "../disk/lines-backwards.ts";
import type { Word } from "../disk/lines-backwards.ts";
import { asUsageLine, segmentMonths, segmentName } from "../disk/segments.ts";
import type { UsageLine } from "../disk/segments.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { MOST_BLOCK_BYTES, findInBlocks } from "./block-list.ts";
import type { ReceiptColumns } from "./receipt-columns.ts";

/** What a page of the files is asked for. */
interface SegmentQuery extends Search {
  readonly limit: number;
  /** This one receipt only. */
  readonly id?: string;
  readonly recordedFrom?: number;
  readonly settledAfter?: number | undefined;
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
export const CLOCK_SET_BACK_MS = 86_400_000;

/** Pages backwards through the segments from `before`, or from their end. */
export async function findReceipts(
  fs: StoreFs,
  folder: string,
  query: SegmentQuery,
  before: ReceiptCursor | null,
  columns: ReceiptColumns | null = null,
): Promise<FoundReceipts> {
  const data: Receipt[] = [];
  let budget = MOST_BYTES;
  const words = wordsOf(query);
  const { id, recordedFrom = -Infinity, settledAfter: after = -1 } = query;
  // Columns have nothing of what was recorded.
  const usesBlocks = words.length > 0 && id === undefined && recordedFrom === -Infinity;
  const page = { data, limit: query.limit, budget: MOST_BLOCK_BYTES };
  const since = query.since === undefined ? "" : utcMonth(query.since);
  const until = query.until === undefined ? null : utcMonth(query.until);
  const longBefore = (query.since ?? 0) - CLOCK_SET_BACK_MS;
  const months = segmentMonths(await fs.list(folder)).toReversed();
  for (const month of months) {
    if (before !== null && month > before.month) continue;
    if (until !== null && month > until) continue;
    if (month < since) break;
    const path = join(folder, segmentName(month));
    const file = await fs.open(path, "read");
    try {
      const size = (await fs.size(path)) ?? 0;
      const known = before?.month === month ? await offsetOf(file, size, before.n) : size;
      const end = query.until === undefined ? known : await endBy(file, known, query.until + CLOCK_SET_BACK_MS);
      const blocks = usesBlocks ? ((await columns?.of(month, file, size))?.asTheyAre ?? null) : null;
      const inBlocks = Math.min(blocks?.to ?? 0, end);
      for await (const { has, read, count, value } of linesBackwards(file, end, words, { begin: inBlocks })) {
        budget -= read;
        // Of many lines that do not match, one says how far back they are.
        const tells = count > 1 && (query.since ?? query.settledAfter) !== undefined;
        if (!has && !tells && budget > 0) continue;
        const line = asUsageLine(value());
        // Numbers ascend in a segment; another one may have gone on while the clock was wrong.
        if (line !== undefined && line.n <= after) break;
        const receipt = has && line !== undefined && "receipt" in line ? line.receipt : undefined;
        const wanted = receipt !== undefined && (query.id === undefined || receipt.id === query.id);
        if (wanted && line !== undefined && !isBeyond(before, month, line.n)) {
          if (matchesRequest(receipt, query)) data.push(receipt);
          else if (awaitsRecording(receipt, query)) return { data, cursor: { month, n: line.n + 1 } };
        }
        if (line !== undefined && (data.length >= query.limit || budget <= 0))
          return { data, cursor: cursorAt(month, line) };
        if (line !== undefined && momentOf(line) < longBefore) return { data, cursor: null };
      }
      if (blocks === null || inBlocks === 0) continue;
      const number = before?.month === month ? before.n : Infinity;
      const stretch = { month, log: file, blocks, end, before: number, after, longBefore };
      const found = await findInBlocks(page, query, stretch).catch(() => "unread" as const);
      // The next scan has them made again.
      if (found === "unread") return await findReceipts(fs, folder, query, before);
      if (found !== null) return { data, cursor: found === "end" ? null : { month, n: found } };
    } finally {
      await file.close();
    }
  }
  return { data, cursor: null };
}

const momentOf = (line: UsageLine): number => ("call" in line ? line.call.at : line.receipt.at);

/** Whether only its recording can say that it is asked for, and that was not looked at yet. */
export function awaitsRecording(receipt: Receipt, { recordedFrom, q, ...query }: Omit<SegmentQuery, "limit">): boolean {
  if (q === undefined || recordedFrom === undefined || receipt.at - receipt.ms >= recordedFrom) return false;
  return matchesRequest(receipt, query);
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
    for await (const { has, count, value } of linesBackwards(file, size, [Buffer.from(JSON.stringify(id))])) {
      const line = has ? asUsageLine(value()) : undefined;
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
function wordsOf(query: SegmentQuery): readonly Word[] {
  const { id, key, model, provider, connection, client, endpoint, outcome, status, asked, q } = query;
  const { session, project, agent } = query;
  const fields = Object.entries({
    id,
    key,
    model,
    provider,
    connection,
    client,
    endpoint,
    outcome,
    session,
    project,
    agent,
  });
  const words = fields.flatMap(([name, value]) => (value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`]));
  if (status !== undefined && status !== "failed") words.push(`"status":${status.slice(0, 1)}`);
  const bytes: Word[] = words.map((word) => Buffer.from(word));
  if (asked !== undefined) bytes.push(askedFor(asked));
  // Only the id says what was recorded of a request.
  const byId = query.recorded !== undefined || (query.recordedFrom ?? -Infinity) > -Infinity;
  if (q !== undefined && ASCII.test(q) && !byId) bytes.push(searchedFor(q, query.named ?? []));
  return bytes;
}

/** Of a model or of a route: a receipt has names of others too, but none of its own is missing. */
function askedFor(names: readonly string[]): Word {
  const words = names.flatMap((name) =>
    ["model", "name"].map((field) => Buffer.from(`"${field}":${JSON.stringify(name)}`)),
  );
  return (bytes) => words.some((word) => bytes.includes(word));
}

/** Other letters change their bytes with their case: for those, every line is made out. */
const ASCII = /^[ -~]*$/;

/** Whether bytes have these letters in them, in any case, or the id of one of these connections. */
function searchedFor(q: string, named: readonly string[]): Word {
  const low = JSON.stringify(q.toLowerCase()).slice(1, -1);
  const ids = named.map((id) => Buffer.from(`"connection":${JSON.stringify(id)}`));
  // A character a byte, so that only letters of ASCII change, and none of these is a part of another's bytes.
  return (bytes) => ids.some((id) => bytes.includes(id)) || bytes.toString("latin1").toLowerCase().includes(low);
}

const isBeyond = (before: ReceiptCursor | null, month: string, n: number | undefined): boolean =>
  before !== null && before.month === month && n !== undefined && n >= before.n;

/**
 * Where the line of receipt `n` begins or, when it is not there, the first later one: by halving, numbers ascend.
 * @param from where a line begins: all before it are earlier
 */
export async function offsetOf(file: StoreFile, size: number, n: number, from = 0): Promise<number> {
  let low = from;
  let high = size;
  while (high - low > READ_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const bytes = await readAt(file, middle, Math.min(READ_BYTES, high - middle));
    const cut = bytes.indexOf(NEWLINE) + 1;
    const found = cut === 0 ? null : firstLine(bytes.subarray(cut), middle + cut, () => true);
    if (found === null || found.n >= n) high = middle;
    else low = found.offset;
  }
  const bytes = await readAt(file, low, Math.min(high + READ_BYTES, size) - low);
  const found = firstLine(bytes, low, (line) => line.n >= n && "receipt" in line);
  return found?.offset ?? low + bytes.lastIndexOf(NEWLINE) + 1;
}

async function readAt(file: StoreFile, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, offset);
  return bytes;
}

/** Of bytes that lie at `offset` of a segment, at the beginning of a line. */
function firstLine(
  bytes: Buffer,
  offset: number,
  isWanted: (line: UsageLine) => boolean,
): { n: number; offset: number } | null {
  for (const { value, offset: at } of linesIn(bytes, offset)) {
    const line = asUsageLine(value);
    if (line !== undefined && isWanted(line)) return { n: line.n, offset: at };
  }
  return null;
}

/** An offset up to which everything settled before `moment` stands: by halving, where the file is long. */
export async function endBy(file: StoreFile, size: number, moment: number): Promise<number> {
  let low = 0;
  let high = size;
  while (high - low > READ_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const at = await momentFrom(file, middle, high);
    if (at === null || at >= moment) high = middle;
    else low = middle;
  }
  return high === size ? size : Math.min(size, high + READ_BYTES);
}

/** When the first line that begins behind an offset was written; null when there is none before `end`. */
async function momentFrom(file: StoreFile, offset: number, end: number): Promise<number | null> {
  const bytes = Buffer.alloc(Math.min(READ_BYTES, end - offset));
  await file.read(bytes, offset);
  const cut = bytes.indexOf(NEWLINE) + 1;
  if (cut === 0) return null;
  for (const { value } of linesIn(bytes.subarray(cut), offset + cut)) {
    const line = asUsageLine(value);
    if (line !== undefined) return momentOf(line);
  }
  return null;
}
