import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { MEDIA_LOG } from "./media-copy.ts";
import type { MediaIndex } from "./media-index.ts";
import { COLUMN_BYTES, MediaPage } from "./media-page.ts";

/**
 * Pages of the library's list as they are in memory, next to the log that they were made of: a start compares the log's
 * bytes with each page's checksums and reads only the lines after the last page. A page that does not match is read line by
 * line and rebuilt, so losing this file loses nothing, and damage in the log is still found.
 */
export const MEDIA_PAGES = "index.pages";

/** Before each page: the bytes of its texts, the CRC-32 of its columns and texts, and that of its lines in the log. */
const HEAD_BYTES = 12;
const MOST_TEXT_BYTES = 64 * 1024 * 1024;
/** Bytes per read: the lines of a page take about half of it. */
const READ_BYTES = 2 * 1024 * 1024;

/** Usable pages of the file. */
export interface KnownPages {
  readonly pages: readonly MediaPage[];
  /** Bytes of the file up to the end of the last page. */
  readonly bytes: number;
}

export const NO_PAGES: KnownPages = { pages: [], bytes: 0 };

/** The pages that say what is in the log, from its beginning. @param dir the library's folder */
export async function readPages(fs: StoreFs, dir: string): Promise<KnownPages> {
  const path = join(dir, MEDIA_PAGES);
  try {
    if ((await fs.size(path)) === null || (await fs.size(join(dir, MEDIA_LOG))) === null) return NO_PAGES;
    const file = await fs.open(path, "read");
    try {
      const log = await fs.open(join(dir, MEDIA_LOG), "read");
      try {
        return await readWhile(file, log);
      } finally {
        await log.close();
      }
    } finally {
      await file.close();
    }
  } catch {
    return NO_PAGES;
  }
}

async function readWhile(file: StoreFile, log: StoreFile): Promise<KnownPages> {
  const pages: MediaPage[] = [];
  // All reads share one buffer: the rest of many would stay until garbage collection.
  const room = Buffer.allocUnsafeSlow(READ_BYTES);
  let read = await file.read(room.subarray(0, HEAD_BYTES), 0);
  for (let bytes = 0, head = room.subarray(0, HEAD_BYTES); ;) {
    const known = { pages, bytes };
    const [length, bodySum, logSum] = [0, 4, 8].map((at) => head.readUInt32LE(at)) as [number, number, number];
    if (read < head.length || length > MOST_TEXT_BYTES) return known;
    const end = COLUMN_BYTES + length;
    const body = end + HEAD_BYTES <= room.length ? room : Buffer.allocUnsafe(end + HEAD_BYTES);
    // The head of the next page comes with it.
    read = (await file.read(body.subarray(0, end + HEAD_BYTES), bytes + HEAD_BYTES)) - end;
    if (read < 0 || crc32(body.subarray(0, end)) !== bodySum) return known;
    head = Buffer.from(body.subarray(end, end + HEAD_BYTES));
    const columns = new Uint8Array(body.subarray(0, COLUMN_BYTES));
    const page = MediaPage.decode(columns.buffer, body.subarray(COLUMN_BYTES, end));
    if (page === null || page.from !== (pages.at(-1)?.to ?? 0)) return known;
    if ((await sumOf(log, page, room)) !== logSum) return known;
    pages.push(page);
    bytes += HEAD_BYTES + end;
  }
}

/**
 * The CRC-32 of a page's lines as they are in the log; null when the log ends before.
 * @param bytes room for a part of them
 */
async function sumOf(log: StoreFile, { from, to }: MediaPage, bytes: Uint8Array): Promise<number | null> {
  let sum = 0;
  for (let at = from; at < to; at += bytes.length) {
    const part = bytes.subarray(0, Math.min(bytes.length, to - at));
    if ((await log.read(part, at)) < part.length) return null;
    sum = crc32(part, sum);
  }
  return sum;
}

/** Takes out what the file says beyond the known pages: it may be of results that are in the log no more. */
export async function dropUnknownPages(fs: StoreFs, dir: string, { bytes }: KnownPages): Promise<void> {
  const path = join(dir, MEDIA_PAGES);
  try {
    if (((await fs.size(path)) ?? 0) <= bytes) return;
    if (bytes === 0) return await fs.remove(path);
    const file = await fs.open(path, "append");
    try {
      await file.truncate(bytes);
    } finally {
      await file.close();
    }
  } catch {
    // The next page that is written is written over it.
  }
}

/** Writes each page when it is full. Nothing waits for it, and nothing is reported when the disk refuses. */
export class MediaPages {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #index: MediaIndex;
  /** How many are written, and their bytes. */
  #count: number;
  #bytes: number;
  #running: Promise<void> | null = null;
  #stopped = false;

  /** @param known what `index` was begun with */
  constructor(fs: StoreFs, dir: string, index: MediaIndex, known: KnownPages) {
    this.#fs = fs;
    this.#dir = dir;
    this.#index = index;
    this.#count = known.pages.length;
    this.#bytes = known.bytes;
  }

  follow(): void {
    if (!this.#stopped && this.#index.fullPages > this.#count) this.#running ??= this.#write();
  }

  /** Resolves when every full page is written, or the disk refused. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Stops writing; the next start writes the remaining pages. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #write(): Promise<void> {
    try {
      const log = await this.#fs.open(join(this.#dir, MEDIA_LOG), "read");
      try {
        const file = await this.#fs.open(join(this.#dir, MEDIA_PAGES), "append");
        try {
          await file.truncate(this.#bytes);
          const room = new Uint8Array(READ_BYTES);
          while (!this.#stopped && this.#count < this.#index.fullPages) await this.#append(log, file, room);
        } finally {
          await file.close();
        }
      } finally {
        await log.close();
      }
    } catch {
      // The next start makes them of the log.
      this.#stopped = true;
    } finally {
      this.#running = null;
    }
  }

  async #append(log: StoreFile, file: StoreFile, room: Uint8Array): Promise<void> {
    const page = this.#index.fullPage(this.#count);
    const sum = await sumOf(log, page, room);
    if (sum === null) throw new Error("the log is shorter than it was");
    const { columns, texts } = page.encode();
    const head = Buffer.alloc(HEAD_BYTES);
    const figures = [texts.length, crc32(texts, crc32(columns)), sum];
    for (const [place, figure] of figures.entries()) head.writeUInt32LE(figure, 4 * place);
    await file.write(Buffer.concat([head, columns, texts]), this.#bytes);
    this.#bytes += HEAD_BYTES + COLUMN_BYTES + texts.length;
    this.#count += 1;
  }
}
