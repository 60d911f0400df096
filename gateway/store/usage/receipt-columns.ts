import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Receipt } from "../../contract/receipt.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { NEWLINE } from "../disk/line.ts";
import { LONGEST_LINE } from "../disk/line-reader.ts";
import { segmentMonths, segmentName } from "../disk/segments.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import type { ReceiptSource } from "../store.ts";
import { lineAt } from "./block-list.ts";
import { readReceipt } from "./odd-receipt.ts";
import { BLOCK_ROWS, BlockBuilder, ReceiptBlock, bloomOf } from "./receipt-block.ts";
import { ReceiptLine } from "./receipt-line.ts";
import { SegmentBlocks, encodeHead, monthOfColumns } from "./segment-blocks.ts";

const READ_BYTES = 256 * 1024;
/** Lines between two looks at the time. */
const LINES = 32;
/** No one waits for it. */
const SLICE_MS = 1;

/** The block that grows. */
interface OpenBlock {
  readonly month: string;
  readonly builder: BlockBuilder;
  /** Where its lines begin in the segment. */
  from: number;
}

/** The receipts of the log up to a number, which all are in blocks. */
export interface ColumnsMark {
  readonly n: number;
  /** Of each month how many blocks they are, the first ones, and by what these are known again. */
  readonly months: readonly (readonly [month: string, blocks: number, sum: number])[];
}

/**
 * The receipts of the log in columns, as far as they are: some seconds after they are settled. What makes them and what
 * forgets them is called one after another.
 */
export class ReceiptColumns {
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #opened = new Map<string, Promise<SegmentBlocks>>();
  readonly #segments = new Map<string, SegmentBlocks>();
  /** Months with receipts that may not be in columns; null before the first look: all. */
  #behind: Set<string> | null = null;
  readonly #line = new ReceiptLine();
  #open: OpenBlock | null = null;
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(fs: StoreFs, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
  }

  /** @param log the segment of the month, of `size` bytes */
  of(month: string, log: StoreFile, size: number): Promise<SegmentBlocks> {
    const known = this.#opened.get(month);
    if (known !== undefined) return known;
    const opened = SegmentBlocks.open(this.#fs, this.#folder, month, log, size).then((blocks) => {
      this.#segments.set(month, blocks);
      return blocks;
    });
    this.#opened.set(month, opened);
    return opened;
  }

  /** Number of the last receipt of a month that is known to be in columns; -1 for none. */
  highestOf(month: string): number {
    const blocks = this.#segments.get(month);
    return blocks === undefined || blocks.count === 0 ? -1 : blocks.of(blocks.count - 1, "highestNumber");
  }

  /** Has blocks made again from one on: what lies there does not fit the log. */
  forget(month: string, index: number): void {
    this.#segments.get(month)?.keep(index);
    this.#behind?.add(month);
    this.#open = null;
  }

  /** Reads what was passed by a scan; null for what is not there as it was. */
  async receipts(sources: readonly ReceiptSource[]): Promise<(Receipt | null)[]> {
    const files = new Map<string, StoreFile>();
    const line = new ReceiptLine();
    try {
      for (const source of sources) {
        if (typeof source === "string" || files.has(source.month)) continue;
        files.set(source.month, await this.#fs.open(join(this.#folder, segmentName(source.month)), "read"));
      }
      const found = sources.map(async (source) =>
        typeof source === "string" ? source : lineAt(files.get(source.month) as StoreFile, source),
      );
      return (await Promise.all(found)).map((bytes, place) => {
        if (typeof bytes === "string") return JSON.parse(bytes) as Receipt;
        if (readReceipt(line, bytes, 0, bytes.length) && line.isWhole()) return JSON.parse(line.source()) as Receipt;
        this.#forgetAt(sources[place] as Exclude<ReceiptSource, string>);
        return null;
      });
    } finally {
      for (const file of files.values()) await file.close();
    }
  }

  /** What the log says at a place is not what is in the block of it. */
  #forgetAt({ month, from }: Exclude<ReceiptSource, string>): void {
    const index = this.#segments.get(month)?.indexOf(from) ?? -1;
    if (index !== -1) this.forget(month, index);
  }

  /** A receipt has come. */
  touch(month: string): void {
    this.#behind?.add(month);
  }

  /**
   * Puts receipts in columns that are not yet, those of the newest months first.
   * @param most blocks that are filled; one month more than that is looked at
   * @returns whether there may be more
   */
  pack(most: number, clock: Clock): Promise<boolean> {
    const packing = this.#packMonths(most, clock);
    this.#running = packing.catch(() => undefined);
    return packing;
  }

  /** As many receipts as are in blocks that stay as they are; null where it is not certain that these are all up to a number. */
  async mark(): Promise<ColumnsMark | null> {
    const names = segmentMonths(await this.#fs.list(this.#folder));
    const last = names.at(-1);
    if (last === undefined || this.#behind === null) return null;
    const months: [string, number, number][] = [];
    const highest: number[] = [];
    for (const month of names) {
      // What comes to an earlier month when a clock is set back has higher numbers, and its last block another sum.
      if (month !== last && this.#behind.has(month)) return null;
      await this.#inSegment(month, async ({ blocks }) => {
        const count = month === last ? blocks.full : blocks.count;
        months.push([month, count, blocks.sumOf(count)]);
        highest.push(count === 0 ? -1 : blocks.of(count - 1, "highestNumber"));
      });
    }
    const n = highest.at(-1) as number;
    return n !== -1 && n === Math.max(...highest) ? { n, months } : null;
  }

  /** Whether the log has the same receipts up to that number, as far as anybody can tell without reading them. */
  async fits({ months }: ColumnsMark): Promise<boolean> {
    const names = segmentMonths(await this.#fs.list(this.#folder));
    if (!months.every(([month], place) => names[place] === month)) return false;
    for (const [month, count, sum] of months) {
      const isSame = await this.#inSegment(
        month,
        async ({ blocks }) => blocks.count >= count && blocks.sumOf(count) === sum,
      );
      if (!isSame) return false;
    }
    return true;
  }

  /** What is under way ends soon: the next start does the rest. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #packMonths(most: number, clock: Clock): Promise<boolean> {
    const months = (this.#behind ??= await this.#lookAround());
    let left = most;
    // Earlier ones must not wait until no receipt comes.
    for (const month of [...months]
      .toSorted()
      .toReversed()
      .slice(0, most + 1)) {
      if (left === 0 || this.#stopped) break;
      months.delete(month);
      let isDone = false;
      try {
        const filled = await this.#packMonth(month, left, clock);
        isDone = filled < left && !this.#stopped;
        left -= filled;
      } finally {
        if (!isDone) months.add(month);
      }
    }
    return months.size > 0;
  }

  /** All months. Where someone has removed one of the log, or restored a backup without it, its columns go too. */
  async #lookAround(): Promise<Set<string>> {
    const names = await this.#fs.list(this.#folder);
    const months = new Set(segmentMonths(names));
    for (const name of names) {
      const month = monthOfColumns(name);
      if (month !== null && !months.has(month)) await this.#fs.remove(join(this.#folder, name));
    }
    return months;
  }

  #packMonth(month: string, most: number, clock: Clock): Promise<number> {
    return this.#inSegment(month, (segment) => this.#packSegment(segment, most, new Slices(clock, SLICE_MS)));
  }

  async #inSegment<T>(month: string, work: (segment: PackedSegment) => Promise<T>): Promise<T> {
    const path = join(this.#folder, segmentName(month));
    const log = await this.#fs.open(path, "read");
    try {
      const size = (await this.#fs.size(path)) ?? 0;
      const blocks = await this.of(month, log, size);
      return await work({ month, blocks, log, size });
    } finally {
      await log.close();
    }
  }

  /** @returns how many blocks were filled */
  async #packSegment(segment: PackedSegment, most: number, slices: Slices): Promise<number> {
    const { month, blocks, log, size } = segment;
    if (blocks.to >= size) return 0;
    const open = this.#open?.month === month ? this.#open : await this.#resume(month, blocks);
    const { builder } = open;
    // Where it fails, what was added is not on the disk, and is added again to what is.
    this.#open = null;
    let [filled, passed, written] = [0, 0, builder.rows];
    for await (const { bytes, start, inFile, length } of linesFrom(log, blocks.to, size)) {
      if (this.#stopped) return filled;
      if (readReceipt(this.#line, bytes, start, start + length) && this.#line.isWhole())
        builder.add(this.#line, inFile - open.from, length);
      if (builder.rows === BLOCK_ROWS) {
        await this.#write(segment, open);
        open.from = inFile + length + 1;
        builder.clear();
        written = 0;
        filled += 1;
        if (filled === most) break;
      }
      passed += 1;
      if (passed % LINES === 0 && slices.over) await slices.pause();
    }
    if (builder.rows > written) await this.#write(segment, open);
    this.#open = open;
    return filled;
  }

  /** Goes on with the last block where it is not full. */
  async #resume(month: string, blocks: SegmentBlocks): Promise<OpenBlock> {
    const builder = new BlockBuilder();
    const last = blocks.count === 0 ? null : blocks.head(blocks.count - 1);
    if (last === null || last.rows === BLOCK_ROWS) return { month, builder, from: blocks.to };
    const block = new ReceiptBlock();
    const bodies = await blocks.openBlocks().catch(() => null);
    try {
      const room = { bytes: Buffer.alloc(0) };
      const [body] = bodies === null ? [] : await blocks.read(bodies, [blocks.count - 1], room);
      if (body !== undefined && body !== null) {
        block.read(body, month, last);
        for (block.row = 0; block.row < block.rows; block.row += 1) {
          const { from, to } = block.source();
          builder.add(block, from - last.from, to - from);
        }
      } else blocks.keep(blocks.count - 1);
    } finally {
      await bodies?.close();
    }
    return { month, builder, from: last.from };
  }

  /** Puts the open block in the place of what there is of it. */
  async #write({ blocks, log }: PackedSegment, { builder, from }: OpenBlock): Promise<void> {
    const { start, length } = builder.lastLine;
    const line = Buffer.alloc(length);
    await log.read(line, from + start);
    const body = builder.encode();
    const last = { lineStart: from + start, lineLength: length, lineSum: crc32(line) };
    await blocks.put(from, body, (at) =>
      encodeHead(
        { from, to: from + start + length + 1, at, bytes: body.length, sum: crc32(body), ...last, ...builder.summary },
        builder.ranges,
        bloomOf(builder),
      ),
    );
  }
}

interface PackedSegment {
  readonly month: string;
  readonly blocks: SegmentBlocks;
  readonly log: StoreFile;
  readonly size: number;
}

interface FoundBytes {
  /** Good until the next line is asked for. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly inFile: number;
  /** Without its newline. */
  readonly length: number;
}

/** The lines of a file that end with a newline before `to`, from where one begins. What is too long for a line is none. */
async function* linesFrom(file: StoreFile, from: number, to: number): AsyncGenerator<FoundBytes> {
  let memory = Buffer.allocUnsafe(2 * READ_BYTES);
  let [position, kept, isTooLong] = [from, 0, false];
  while (position < to) {
    if (memory.length < kept + READ_BYTES)
      memory = Buffer.concat([memory.subarray(0, kept), Buffer.alloc(kept + READ_BYTES)]);
    const room = memory.subarray(kept, kept + Math.min(READ_BYTES, to - position));
    const read = await file.read(room, position);
    if (read === 0) return;
    position += read;
    const end = kept + read;
    let start = 0;
    for (let newline = memory.indexOf(NEWLINE, kept); newline !== -1 && newline < end;) {
      const inFile = position - end + start;
      if (!isTooLong) yield { bytes: memory, start, inFile, length: newline - start };
      isTooLong = false;
      start = newline + 1;
      newline = memory.indexOf(NEWLINE, start);
    }
    kept = end - start;
    if (kept > LONGEST_LINE) {
      isTooLong = true;
      kept = 0;
    } else memory.copy(memory, 0, start, end);
  }
}
