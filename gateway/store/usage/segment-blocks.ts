import { join } from "node:path";
import { crc32 } from "node:zlib";
import { requestFigureSchema } from "../../contract/request-figures.ts";
import type { RequestFigure } from "../../contract/request-figures.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { BLOCK_ROWS, BLOOM_BYTES } from "./receipt-block.ts";
import type { FigureRange } from "./receipt-block.ts";

/**
 * Beside each segment of the usage log, what its receipts say in columns: blocks of 1,024 receipts in one file, and of each
 * block a head in another. Made of the log when it is on the disk, and made again where they do not fit it: nothing is lost
 * with them, no backup holds them and they are not synced.
 */
const [HEADS, BLOCKS] = ["heads", "blocks"] as const;
/** @returns the month whose receipts a file of that name has in columns; null where it has none */
export const monthOfColumns = (name: string): string | null => /^usage-(.+)\.(?:heads|blocks)$/.exec(name)?.[1] ?? null;

/** What is in a head and a block, and how it is made of lines. With another number all are made again. */
const FORMAT = 1;

const FIGURES = requestFigureSchema.options;
const FIELDS = [
  // Where its lines begin and end in the segment.
  "from",
  "to",
  // Its bytes among the blocks, and their CRC-32.
  "at",
  "bytes",
  "sum",
  "rows",
  "firstMoment",
  "lastMoment",
  "highestNumber",
  // Its last line in the segment, by which the segment is known, and its CRC-32.
  "lineStart",
  "lineLength",
  "lineSum",
] as const;
type Field = (typeof FIELDS)[number];
const PLACES = Object.fromEntries(FIELDS.map((field, place) => [field, place])) as Readonly<Record<Field, number>>;
const FIGURES_AT = FIELDS.length * 8;
const BLOOM_AT = FIGURES_AT + FIGURES.length * 16;
const SUM_AT = BLOOM_AT + BLOOM_BYTES;
const HEAD_BYTES = SUM_AT + 8;

/** What a block is, without a look at it. */
export type BlockHead = Readonly<Record<Field, number>>;

export function encodeHead(head: BlockHead, ranges: readonly Readonly<FigureRange>[], bloom: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  for (const [place, name] of FIELDS.entries()) bytes.writeDoubleLE(head[name], 8 * place);
  for (const [place, [least, most]] of ranges.entries()) {
    bytes.writeDoubleLE(least, FIGURES_AT + 16 * place);
    bytes.writeDoubleLE(most, FIGURES_AT + 16 * place + 8);
  }
  bytes.set(bloom, BLOOM_AT);
  bytes.writeDoubleLE(crc32(bytes.subarray(0, SUM_AT), FORMAT), SUM_AT);
  return bytes;
}

/** Memory that blocks are read into, one after another. */
export interface BlockRoom {
  bytes: Buffer;
}

/** The blocks of a segment, oldest first. */
export class SegmentBlocks {
  readonly #fs: StoreFs;
  readonly #path: (name: string) => string;
  #heads: Buffer = Buffer.alloc(0);

  private constructor(fs: StoreFs, path: (name: string) => string) {
    this.#fs = fs;
    this.#path = path;
  }

  /** Those that say what is in the segment. @param log the segment, of `size` bytes */
  static async open(fs: StoreFs, folder: string, month: string, log: StoreFile, size: number): Promise<SegmentBlocks> {
    const blocks = new SegmentBlocks(fs, (name) => join(folder, `usage-${month}.${name}`));
    try {
      blocks.#heads = await blocks.#readHeads();
      let count = blocks.#countFollowing();
      while (count > 0 && !(await blocks.#fits(count - 1, log, size))) count -= 1;
      blocks.keep(count);
    } catch {
      // They are made again.
      blocks.keep(0);
    }
    return blocks;
  }

  get count(): number {
    return this.#heads.length / HEAD_BYTES;
  }

  /** The first ones, that stay as they are. */
  get full(): number {
    return this.count > 0 && this.of(this.count - 1, "rows") < BLOCK_ROWS ? this.count - 1 : this.count;
  }

  /** By what the first ones are known again: the heads have the sums of what they are heads of. */
  sumOf(count: number): number {
    return crc32(this.#heads.subarray(0, count * HEAD_BYTES));
  }

  /** Up to where the segment is in blocks. */
  get to(): number {
    return this.count === 0 ? 0 : this.of(this.count - 1, "to");
  }

  /** One field of a block's head, where a look at all of them would make an object of each. */
  of(index: number, field: Field): number {
    return this.#heads.readDoubleLE(index * HEAD_BYTES + 8 * PLACES[field]);
  }

  head(index: number): BlockHead {
    const fields = FIELDS.map((field) => [field, this.of(index, field)] as const);
    return Object.fromEntries(fields) as Record<Field, number>;
  }

  /** The highest or the lowest of a figure in a block; null where no receipt has it. */
  best(index: number, by: RequestFigure, order: "desc" | "asc"): number | null {
    const place = FIGURES_AT + 16 * FIGURES.indexOf(by) + (order === "desc" ? 8 : 0);
    const figure = this.#heads.readDoubleLE(index * HEAD_BYTES + place);
    return Number.isNaN(figure) ? null : figure;
  }

  bloom(index: number): Uint8Array {
    const start = index * HEAD_BYTES + BLOOM_AT;
    return this.#heads.subarray(start, start + BLOOM_BYTES);
  }

  /** The block that a place of the segment is in; -1 where there is none. */
  indexOf(place: number): number {
    for (let index = 0; index < this.count; index += 1) if (place < this.of(index, "to")) return index;
    return -1;
  }

  /** The same blocks whatever comes to these. */
  get asTheyAre(): SegmentBlocks {
    const same = new SegmentBlocks(this.#fs, this.#path);
    same.#heads = this.#heads;
    return same;
  }

  /** Forgets all blocks but the first ones: they are made again. */
  keep(count: number): void {
    this.#heads = this.#heads.subarray(0, count * HEAD_BYTES);
  }

  /** To read blocks from. */
  openBlocks(): Promise<StoreFile> {
    return this.#fs.open(this.#path(BLOCKS), "read");
  }

  /**
   * Reads blocks, those that lie side by side at once: most of what a read costs is that another thread is woken for it.
   * @param indexes the last one first @param from as `openBlocks` gave it
   * @returns the bytes of each, in `room`; null where they are not as they were written
   */
  async read(from: StoreFile, indexes: readonly number[], room: BlockRoom): Promise<(Buffer | null)[]> {
    const heads = indexes.map((index) => this.head(index));
    const length = heads.reduce((sum, { bytes }) => sum + bytes, 0);
    // Columns lie where their figures may lie.
    if (room.bytes.length < length) room.bytes = Buffer.from(new ArrayBuffer(length + (length >> 2)));
    const bodies: Buffer[] = [];
    const reads: Promise<unknown>[] = [];
    let end = length;
    for (let place = 0; place < heads.length;) {
      const last = heads[place] as BlockHead;
      let [first, start] = [last, end];
      for (; place < heads.length; place += 1) {
        const head = heads[place] as BlockHead;
        if (head !== last && head.at + head.bytes !== first.at) break;
        [first, start] = [head, start - head.bytes];
        bodies.push(room.bytes.subarray(start, start + head.bytes));
      }
      const bytes = room.bytes.subarray(start, end);
      // What could not be read has another sum.
      reads.push(from.read(bytes, first.at).catch(() => bytes.fill(0)));
      end = start;
    }
    await Promise.all(reads);
    return bodies.map((body, place) => (crc32(body) === heads[place]?.sum ? body : null));
  }

  /**
   * Adds a block, or puts it in the place of the last one where both begin at the same place of the segment.
   * @param headOf says what it is at that place among the blocks
   */
  async put(from: number, body: Buffer, headOf: (at: number) => Buffer): Promise<void> {
    if (from < this.to) this.keep(this.count - 1);
    const last = this.count === 0 ? null : this.head(this.count - 1);
    const at = last === null ? 0 : last.at + last.bytes;
    await this.#write(BLOCKS, body, at);
    const head = headOf(at);
    await this.#write(HEADS, head, this.#heads.length);
    this.#heads = Buffer.concat([this.#heads, head]);
  }

  async #write(name: string, bytes: Buffer, at: number): Promise<void> {
    const path = this.#path(name);
    const file = await this.#fs.open(path, "append");
    try {
      // What lies behind it is of blocks that did not fit.
      if (((await this.#fs.size(path)) ?? 0) > at) await file.truncate(at);
      await file.write(bytes, at);
    } finally {
      await file.close();
    }
  }

  async #readHeads(): Promise<Buffer> {
    const path = this.#path(HEADS);
    const size = (await this.#fs.size(path)) ?? 0;
    if (size === 0) return Buffer.alloc(0);
    const file = await this.#fs.open(path, "read");
    try {
      const bytes = Buffer.alloc(Math.floor(size / HEAD_BYTES) * HEAD_BYTES);
      const read = await file.read(bytes, 0);
      return bytes.subarray(0, Math.floor(read / HEAD_BYTES) * HEAD_BYTES);
    } finally {
      await file.close();
    }
  }

  /** How many from the first on are whole and follow each other without a gap. */
  #countFollowing(): number {
    let [count, from, at] = [0, 0, 0];
    for (; count < this.count; count += 1) {
      const bytes = this.#heads.subarray(count * HEAD_BYTES, (count + 1) * HEAD_BYTES);
      if (crc32(bytes.subarray(0, SUM_AT), FORMAT) !== bytes.readDoubleLE(SUM_AT)) break;
      if (this.of(count, "from") !== from || this.of(count, "at") !== at) break;
      from = this.of(count, "to");
      at += this.of(count, "bytes");
    }
    return count;
  }

  /** Whether the segment has the last line of a block where the block says. */
  async #fits(index: number, log: StoreFile, size: number): Promise<boolean> {
    const { to, lineStart, lineLength, lineSum } = this.head(index);
    if (to > size) return false;
    const line = Buffer.alloc(lineLength);
    return (await log.read(line, lineStart)) === lineLength && crc32(line) === lineSum;
  }
}
