import { dirname } from "node:path";
import { replaceFile } from "./atomic-file.ts";
import { frame, readLines, unframe } from "./line.ts";
import type { BadRange } from "./line.ts";
import { spansOf } from "./line-spans.ts";
import { errorCode } from "./store-fs.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";
import { StoreWriteError } from "../store.ts";

/** Where a line is in its log, without its newline. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

export interface LineLogOptions {
  /** As messages call it: "The … cannot be written". */
  readonly name: string;
  /** Bytes; half of what is read at once unless given. */
  readonly longestLine?: number;
}

const READ_BYTES = 256 * 1024;
/** A line must fit into what is read at once; what is read at once grows for those that do not. */
const LONGEST_LINE = READ_BYTES / 2;

/** What reading a log found that is no line. */
export interface LogDamage {
  readonly ranges: readonly BadRange[];
  /** What is in these ranges, one after another. */
  readonly bytes: Buffer;
}

interface Waiting {
  readonly line: Buffer;
  readonly done: (place: LinePlace) => void;
  readonly failed: (error: StoreWriteError) => void;
}

/**
 * A log of one checksummed line for each thing that happened, only ever appended to. Lines that wait are written with
 * one write and one sync; a group that the disk refuses is cut off again, so that it is not there after a restart
 * either.
 */
export class LineLog {
  readonly #fs: StoreFs;
  readonly #path: string;
  readonly #name: string;
  readonly #longest: number;
  #file: Promise<StoreFile> | null = null;
  /** End of the last whole line. */
  #good = 0;
  /** Bytes may lie beyond `#good`. */
  #dirtyTail = true;
  /** What lies before `#good` does not end in a newline: the next line begins one. */
  #unended = false;
  #queue: Waiting[] = [];
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(fs: StoreFs, path: string, { name, longestLine = LONGEST_LINE }: LineLogOptions) {
    this.#fs = fs;
    this.#path = path;
    this.#name = name;
    this.#longest = longestLine;
  }

  /**
   * Reads the log, some hundred lines at a time, and stands at the end of its last whole line.
   * @param part the bytes to read; from the beginning to the end unless given
   * @returns what was no line, or null. The damaged bytes are still there until `heal`.
   */
  async replay(
    take: (value: unknown, place: LinePlace) => void,
    { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number } = {},
  ): Promise<LogDamage | null> {
    if ((await this.#fs.size(this.#path)) === null) return null;
    const file = await this.#fs.open(this.#path, "read");
    try {
      const ranges: BadRange[] = [];
      let chunk = Buffer.allocUnsafe(READ_BYTES);
      this.#good = Math.max(this.#good, from);
      for (let position = from; ;) {
        const wanted = chunk.subarray(0, Math.min(chunk.length, to - position));
        const length = await file.read(wanted, position);
        const ended = length < chunk.length;
        const { lines, bad } = readLines(chunk.subarray(0, length));
        const cut = bad.at(-1);
        if (cut?.torn === true && cut.start === 0 && !ended && chunk.length < 2 * this.#longest) {
          chunk = Buffer.allocUnsafe(2 * chunk.length);
          continue;
        }
        for (const { value, bytes } of lines) {
          const offset = position + bytes.byteOffset - chunk.byteOffset;
          take(value, { offset, length: bytes.length - 1 });
          this.#good = Math.max(this.#good, offset + bytes.length);
        }
        // The last line of a chunk goes on in the next one, unless it is longer than any line.
        const rest = cut?.torn === true && !ended && cut.start > 0 ? length - cut.start : 0;
        for (const range of rest === 0 ? bad : bad.slice(0, -1)) {
          ranges.push({ start: position + range.start, end: position + range.end, torn: range.torn && ended });
        }
        if (ended) return await damageOf(file, ranges);
        position += length - rest;
        if (chunk.length > READ_BYTES) chunk = Buffer.allocUnsafe(READ_BYTES);
      }
    } finally {
      await file.close();
    }
  }

  /**
   * Takes the damaged ranges out of the file: a torn last line is cut off, otherwise the log is written anew. Call
   * `replay` again afterwards: places may have moved.
   */
  async heal(ranges: readonly BadRange[]): Promise<void> {
    if (ranges.length === 1 && ranges[0]?.torn === true) return this.#cutTail(await this.#open());
    const size = (await this.#fs.size(this.#path)) ?? 0;
    const from = await this.#fs.open(this.#path, "read");
    try {
      await replaceFile(this.#fs, this.#path, async (into) => {
        let written = 0;
        let start = 0;
        for (const range of [...ranges, { start: size, end: size }]) {
          for (; start < range.start;) {
            const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, range.start - start));
            const length = await from.read(bytes, start);
            await into.write(bytes.subarray(0, length), written);
            written += length;
            start += length;
          }
          start = range.end;
        }
      });
    } finally {
      await from.close();
    }
  }

  /**
   * Goes on at `end`, with everything before it left as it is.
   * @param unended what lies there does not end in a newline
   */
  continueAt(end: number, unended: boolean): void {
    this.#good = end;
    this.#unended = unended;
  }

  /** Ends what lies unended at its end now, before any line is appended. @throws the disk's error: then it comes later */
  async endLine(): Promise<void> {
    if (!this.#unended) return;
    await this.#write(NEW_LINE);
    this.#unended = false;
    this.#good += NEW_LINE.length;
  }

  /** Resolves with the line's place when it is on the disk. @throws StoreWriteError when it is not, and will not be. */
  append(value: unknown): Promise<LinePlace> {
    if (this.#closed) return Promise.reject(new StoreWriteError(`The ${this.#name} is closed.`));
    const line = Buffer.from(frame(JSON.stringify(value)));
    if (line.length > this.#longest) {
      return Promise.reject(new StoreWriteError(`A line of ${line.length} bytes is too long for the ${this.#name}.`));
    }
    return new Promise((done, failed) => {
      this.#queue.push({ line, done, failed });
      this.#kick();
    });
  }

  /** @returns the value of a line, or undefined when it is not whole any more. */
  async read(place: LinePlace): Promise<unknown> {
    return (await this.readAll([place]))[0];
  }

  /** Lines that are close together are read at once. @returns their values in the order of the places, as `read` does */
  async readAll(places: readonly LinePlace[]): Promise<unknown[]> {
    const values: unknown[] = places.map(() => undefined);
    const spans = spansOf(places);
    if (spans.length === 0) return values;
    const file = await this.#open();
    await Promise.all(
      spans.map(async ({ from, to, lines }) => {
        const bytes = Buffer.allocUnsafe(to - from);
        const whole = bytes.subarray(0, await file.read(bytes, from));
        for (const { index, offset, length } of lines) {
          const line = whole.subarray(offset - from, offset - from + length);
          if (line.length === length) values[index] = unframe(line);
        }
      }),
    );
    return values;
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running !== null) await this.#running;
    await (await this.#file)?.close();
    this.#file = null;
  }

  #kick(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // One may have come between the last look at the queue and now.
      if (this.#queue.length > 0) this.#kick();
    });
  }

  async #run(): Promise<void> {
    // One turn later, so that the lines of this turn share a write.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = this.#queue;
      this.#queue = [];
      const lead = this.#unended ? NEW_LINE : NOTHING;
      try {
        await this.#write(Buffer.concat([lead, ...group.map(({ line }) => line)]));
      } catch (error) {
        const refusal = new StoreWriteError(
          `The ${this.#name} cannot be written (${errorCode(error) || String(error)}).`,
          { cause: error },
        );
        for (const { failed } of group) failed(refusal);
        continue;
      }
      this.#unended = false;
      this.#good += lead.length;
      for (const { line, done } of group) {
        done({ offset: this.#good, length: line.length - 1 });
        this.#good += line.length;
      }
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    const file = await this.#open();
    await this.#cutTail(file);
    this.#dirtyTail = true;
    try {
      await file.write(bytes, this.#good);
      await file.sync();
    } catch (error) {
      // At once where the disk lets us; otherwise before the next line.
      await this.#cutTail(file).catch(() => undefined);
      throw error;
    }
    this.#dirtyTail = false;
  }

  async #cutTail(file: StoreFile): Promise<void> {
    if (!this.#dirtyTail) return;
    await file.truncate(this.#good);
    await file.sync();
    this.#dirtyTail = false;
  }

  #open(): Promise<StoreFile> {
    this.#file ??= this.#openOnce().catch((error: unknown) => {
      this.#file = null;
      throw error;
    });
    return this.#file;
  }

  /** The log's name is on the disk when this resolves. */
  async #openOnce(): Promise<StoreFile> {
    const file = await this.#fs.open(this.#path, "append");
    try {
      if (this.#good === 0) await this.#fs.syncFolder(dirname(this.#path));
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  }
}

const NEW_LINE = Buffer.from("\n");
const NOTHING = Buffer.alloc(0);

async function damageOf(file: StoreFile, ranges: readonly BadRange[]): Promise<LogDamage | null> {
  if (ranges.length === 0) return null;
  const parts: Buffer[] = [];
  for (const { start, end } of ranges) {
    const bytes = Buffer.alloc(end - start);
    await file.read(bytes, start);
    parts.push(bytes);
  }
  return { ranges, bytes: Buffer.concat(parts) };
}
