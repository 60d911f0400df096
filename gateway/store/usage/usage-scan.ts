import { join } from "node:path";
import type { Search } from "../../contract/matches-request.ts";
import type { Clock } from "../../lib/clock.ts";
import { utcMonth } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { blocksBackwards } from "../disk/blocks-backwards.ts";
import type { LineBlock } from "../disk/blocks-backwards.ts";
import { NEWLINE, frame } from "../disk/line.ts";
import { LineReader } from "../disk/line-reader.ts";
import { asUsageLine, segmentMonths, segmentName } from "../disk/segments.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import type { BestWanted, PassedBlock, PassedReceipt, ScanHow, Scanned } from "../store.ts";
import { BlockFilter, leastOfBest, rankOf } from "./block-filter.ts";
import { lineFilter } from "./line-filter.ts";
import { readReceipt } from "./odd-receipt.ts";
import { BLOCK_ROWS, ReceiptBlock } from "./receipt-block.ts";
import type { ReceiptColumns } from "./receipt-columns.ts";
import { ReceiptLine } from "./receipt-line.ts";
import type { BlockHead, BlockRoom, SegmentBlocks } from "./segment-blocks.ts";
import { CLOCK_SET_BACK_MS, endBy, offsetOf } from "./usage-list.ts";
import type { ReceiptCursor } from "./usage-list.ts";

/** Where one scan ends before it has seen everything. */
export interface ScanBounds {
  /** That are looked at: what heads of blocks rule out costs nothing. */
  readonly receipts: number;
  readonly ms: number;
}

const SCAN_BOUNDS: ScanBounds = { receipts: 1_000_000, ms: 2_000 };

/** Blocks that are read at once: half a MiB. */
const READ_AHEAD = 8;

const COMMA = 0x2c;
/** Lines between two looks at the time: some hundredths of a millisecond each. */
const LINES = 32;

interface ScanParts extends ScanHow {
  readonly fs: StoreFs;
  readonly folder: string;
  readonly clock: Clock;
  readonly columns: ReceiptColumns;
  readonly bounds?: ScanBounds | undefined;
}

/** Passes over all receipts of the log that a filter lets in, newest first, within bounds and between other work. */
export class UsageScan {
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #columns: ReceiptColumns;
  readonly #slices: Slices;
  readonly #search: Search;
  readonly #lets: (line: ReceiptLine) => boolean;
  readonly #filter: BlockFilter;
  readonly #visit: (receipt: PassedReceipt) => void;
  readonly #visitBlock: ((block: PassedBlock) => void) | null;
  readonly #best: BestWanted | null;
  readonly #after: number;
  readonly #bounds: ScanBounds;
  readonly #ends: number;
  /** Nothing that is looked for stands before what was settled before this moment. */
  readonly #longBefore: number;
  readonly #line = new ReceiptLine();
  readonly #block = new ReceiptBlock();
  readonly #room: BlockRoom = { bytes: Buffer.alloc(0) };
  /** Of it, those that the filter lets in. */
  readonly #rows = new Uint32Array(BLOCK_ROWS);
  #leastOfBest = -Infinity;
  #scanned = 0;
  /** Of these, those that their heads have ruled out. */
  #ruledOut = 0;
  #sinceLook = 0;
  #outOfRange = false;
  /** Whether one of before the filter's time was passed. */
  #amongOld = false;

  constructor(parts: ScanParts, search: Search, visit: (receipt: PassedReceipt) => void) {
    const { bounds = SCAN_BOUNDS } = parts;
    this.#fs = parts.fs;
    this.#folder = parts.folder;
    this.#clock = parts.clock;
    this.#columns = parts.columns;
    this.#slices = new Slices(parts.clock);
    this.#search = search;
    this.#lets = lineFilter(search);
    this.#filter = new BlockFilter(search);
    this.#visit = visit;
    this.#visitBlock = parts.visitBlock ?? null;
    this.#best = parts.best ?? null;
    this.#after = parts.after ?? -Infinity;
    this.#bounds = bounds;
    this.#ends = parts.clock.monotonic() + bounds.ms;
    this.#longBefore = (search.since ?? -Infinity) - CLOCK_SET_BACK_MS;
  }

  /** One that is in memory. @param json as it is written */
  pass(n: number, json: string): void {
    const bytes = Buffer.from(frame(`{"n":${n},"receipt":${json}}`));
    this.#pass(bytes, 0, bytes.length - 1, null);
  }

  /** Those of the files that are older. */
  async passFiles(before: ReceiptCursor | null): Promise<Scanned> {
    const months = this.#monthsOf(segmentMonths(await this.#fs.list(this.#folder)), before);
    if (this.#best !== null && this.#filter.isOpen) this.#leastOfBest = await this.#lookAtHeads(months, this.#best);
    for (const month of months) {
      if (this.#outOfRange) break;
      const whole = await this.#inSegment(month, (segment) =>
        this.#passSegment(segment, before?.month === month ? before.n : null),
      );
      if (!whole) return { scanned: this.#scanned, complete: false };
    }
    return { scanned: this.#scanned, complete: true };
  }

  /** The newest first. */
  #monthsOf(months: readonly string[], before: ReceiptCursor | null): string[] {
    const { since, until } = this.#search;
    const first = since === undefined ? "" : utcMonth(since);
    // Those that a clock which was ahead has left may stand in later months than their neighbours.
    const last = until === undefined ? null : utcMonth(until);
    const wanted = months.filter((month) => month >= first && (last === null || month <= last));
    return wanted.filter((month) => before === null || month <= before.month).toReversed();
  }

  async #inSegment<T>(month: string, work: (segment: Segment) => Promise<T>): Promise<T> {
    const path = join(this.#folder, segmentName(month));
    const file = await this.#fs.open(path, "read");
    try {
      const size = (await this.#fs.size(path)) ?? 0;
      const blocks = await this.#columns.of(month, file, size);
      return await work({ month, file, size, blocks, count: blocks.count });
    } finally {
      await file.close();
    }
  }

  /** What the last of the best has at the least. */
  async #lookAtHeads(months: readonly string[], wanted: BestWanted): Promise<number> {
    const { since = -Infinity, until = Infinity } = this.#search;
    const bests: (number | null)[] = [];
    for (const month of months)
      await this.#inSegment(month, async ({ blocks, count }) => {
        for (let index = 0; index < count; index += 1) {
          if (blocks.of(index, "firstMoment") >= since && blocks.of(index, "lastMoment") < until)
            bests.push(blocks.best(index, wanted.by, wanted.order));
        }
      });
    return leastOfBest(bests, wanted);
  }

  /** @returns false when there was no time for all of it */
  async #passSegment(segment: Segment, before: number | null): Promise<boolean> {
    const { file, size, blocks, count } = segment;
    const last = count === 0 ? null : blocks.head(count - 1);
    const inBlocks = last?.to ?? 0;
    const isBehind = before !== null && last !== null && before > last.highestNumber;
    const known = before === null ? size : await offsetOf(file, size, before, isBehind ? inBlocks : 0);
    // Nothing is settled later than now, but for what a clock that was ahead has left.
    const until = (this.#search.until ?? Infinity) + CLOCK_SET_BACK_MS;
    const end = until > this.#clock.now() ? known : await endBy(file, known, until);
    if (!(await this.#passLines(file, Math.min(end, inBlocks), end, before))) return false;
    if (count === 0 || this.#outOfRange) return true;
    const bodies = await blocks.openBlocks().catch(() => null);
    try {
      for (let next = count - 1; next >= 0 && !this.#outOfRange;) {
        const wanted: number[] = [];
        for (; next >= 0 && wanted.length < READ_AHEAD; next -= 1)
          if (blocks.of(next, "from") < end && !this.#isPassedOver(blocks, next)) wanted.push(next);
        const read = bodies === null ? [] : await blocks.read(bodies, wanted, this.#room);
        for (const [place, index] of wanted.entries()) {
          if (this.#isOver()) return false;
          if (this.#slices.over) await this.#slices.pause();
          if (!(await this.#passBody(segment, index, read[place] ?? null, end, before))) return false;
          if (this.#outOfRange) break;
        }
      }
      return true;
    } finally {
      await bodies?.close();
    }
  }

  /** @param body of a block; null where it is not as it was written @returns false when there was no time */
  async #passBody(
    { month, file, blocks }: Segment,
    index: number,
    body: Buffer | null,
    end: number,
    before: number | null,
  ): Promise<boolean> {
    const head = blocks.head(index);
    if (body === null) {
      this.#columns.forget(month, index);
      return this.#passLines(file, head.from, Math.min(head.to, end), before);
    }
    this.#block.read(body, month, head);
    this.#passRows(head, end, before);
    return true;
  }

  /** Whether nothing of a block is wanted. It is counted as looked at. */
  #isPassedOver(blocks: SegmentBlocks, index: number): boolean {
    if (blocks.of(index, "highestNumber") <= this.#after) return true;
    // The end of the filter's time is looked for.
    if (blocks.of(index, "firstMoment") < this.#longBefore) return false;
    if (this.#filter.mayMatch(blocks, index) && this.#mayBeBest(blocks, index)) return false;
    const rows = blocks.of(index, "rows");
    this.#scanned += rows;
    this.#ruledOut += rows;
    return true;
  }

  #mayBeBest(blocks: SegmentBlocks, index: number): boolean {
    if (this.#best === null) return true;
    const figure = blocks.best(index, this.#best.by, this.#best.order);
    return rankOf(figure, this.#best.order) >= this.#leastOfBest && this.#best.wants(figure);
  }

  /** Those of the block that was read which stand before `end`. */
  #passRows(head: BlockHead, end: number, before: number | null): void {
    const block = this.#block;
    const passes = this.#passing(head, end, before);
    let count = this.#filter.rows(block, this.#rows);
    if (passes !== null) count = keep(this.#rows, count, passes);
    this.#scanned += block.rows;
    if (count === 0) return;
    block.matching = this.#rows.subarray(0, count);
    if (this.#visitBlock !== null) {
      this.#visitBlock(block);
      return;
    }
    for (const row of block.matching) {
      block.row = row;
      this.#visit(block);
    }
  }

  /** Says of rows whether they are passed at all; null where all are, as in nearly every block. */
  #passing(head: BlockHead, end: number, before: number | null): ((row: number) => boolean) | null {
    const [after, least] = [this.#after, before ?? Infinity];
    const isCut = head.to - 1 > end;
    // Some are of long before the filter's time: the search ends there.
    const isLast = head.firstMoment < this.#longBefore;
    if (!isLast && !isCut && head.highestNumber < least && after === -Infinity) return null;
    const block = this.#block;
    const numbers = block.figures("n");
    let first = -1;
    if (isLast) {
      const moments = block.figures("at");
      first = block.rows - 1;
      const ends = (row: number): boolean =>
        (numbers[row] as number) < least && (moments[row] as number) < this.#longBefore;
      while (first >= 0 && !ends(first)) first -= 1;
      this.#outOfRange = first >= 0;
    }
    return (row) => {
      const n = numbers[row] as number;
      if (row < first || n >= least || n <= after) return false;
      block.row = row;
      return !isCut || block.source().to < end;
    };
  }

  /** @param from where a line begins @returns false when there was no time for all of it */
  async #passLines(file: StoreFile, from: number, end: number, before: number | null): Promise<boolean> {
    for await (const block of blocksBackwards(file, end, { begin: from })) {
      if (!(await this.#passBlock(block, before))) return false;
      if (this.#outOfRange) break;
    }
    return true;
  }

  async #passBlock({ bytes, start, end }: LineBlock, before: number | null): Promise<boolean> {
    let lineEnd = end;
    while (lineEnd > start) {
      const lineStart = Math.max(start, bytes.lastIndexOf(NEWLINE, lineEnd - 2) + 1);
      // What has no newline was not written to its end.
      if (bytes[lineEnd - 1] === NEWLINE) this.#pass(bytes, lineStart, lineEnd - 1, before);
      lineEnd = lineStart;
      if (this.#outOfRange) return true;
      if (++this.#sinceLook < LINES) continue;
      this.#sinceLook = 0;
      if (this.#isOver()) return false;
      if (this.#slices.over) await this.#slices.pause();
    }
    return true;
  }

  #isOver(): boolean {
    return this.#scanned - this.#ruledOut > this.#bounds.receipts || this.#clock.monotonic() >= this.#ends;
  }

  #pass(bytes: Buffer, start: number, end: number, before: number | null): void {
    const line = this.#line;
    if (this.#isOld(bytes, start, end) || !readReceipt(line, bytes, start, end)) return;
    if ((before !== null && line.n >= before) || line.n <= this.#after) return;
    this.#scanned += 1;
    if (this.#lets(line)) this.#visit(line);
    const { since } = this.#search;
    if (since === undefined || line.at >= since) return;
    this.#amongOld = true;
    if (line.at < this.#longBefore) this.#outOfRange = line.isWhole();
  }

  /** Of the day before the filter's time, which is passed over lest a clock was set back, most is told by one figure. */
  #isOld(bytes: Buffer, start: number, end: number): boolean {
    const { since } = this.#search;
    if (since === undefined || !this.#amongOld) return false;
    const at = momentAt(bytes, start, end);
    if (at === null || at >= since || at < since - CLOCK_SET_BACK_MS) return false;
    this.#scanned += 1;
    return true;
  }
}

/** @returns how many are left of the first `count` */
function keep(rows: Uint32Array, count: number, isKept: (row: number) => boolean): number {
  let kept = 0;
  for (const row of rows.subarray(0, count)) if (isKept(row)) rows[kept++] = row;
  return kept;
}

/** A segment of the log while it is passed. */
interface Segment {
  readonly month: string;
  readonly file: StoreFile;
  readonly size: number;
  readonly blocks: SegmentBlocks;
  /** How many there were when it was opened: others come meanwhile. */
  readonly count: number;
}

/** What stands before the number of a line: its checksum, and the beginning of its JSON. */
const BEFORE_NUMBER = '00000000 {"n":'.length;
const RECEIPT_ID = Buffer.from(',"receipt":{"id":"');
/** In no text, whose quotes are escaped. */
const THEN_AT = Buffer.from('","at":');
const ZERO = 0x30;

/** When the receipt of a line was settled, without reading the line; null where it is not written as here. */
function momentAt(bytes: Buffer, start: number, end: number): number | null {
  let place = start + BEFORE_NUMBER;
  while (isDigit(bytes[place])) place += 1;
  const id = place + RECEIPT_ID.length;
  if (id > end || RECEIPT_ID.compare(bytes, place, id) !== 0) return null;
  place = bytes.indexOf(THEN_AT, id);
  if (place === -1 || place > end) return null;
  let moment = 0;
  for (place += THEN_AT.length; isDigit(bytes[place]); place += 1) moment = moment * 10 + (bytes[place] ?? 0) - ZERO;
  return bytes[place] === COMMA ? moment : null;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

/** When the first receipt of the oldest segment was settled; null without any. */
export async function oldestMoment(fs: StoreFs, folder: string): Promise<number | null> {
  for (const month of segmentMonths(await fs.list(folder))) {
    const path = join(folder, segmentName(month));
    const size = (await fs.size(path)) ?? 0;
    if (size === 0) continue;
    const file = await fs.open(path, "read");
    try {
      const reader = new LineReader(file, { to: size });
      for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
        for (const { value } of batch.lines) {
          const line = asUsageLine(value);
          if (line !== undefined && "receipt" in line) return line.receipt.at;
        }
      }
    } finally {
      await file.close();
    }
  }
  return null;
}
