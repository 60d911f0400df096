import { secureFile } from "./append-file.ts";
import { AppendLog } from "./append-log.ts";
import type { LogEntry } from "./append-log-parts.ts";
import { replaceFile } from "./atomic-file.ts";
import { frame, unframe } from "./line.ts";
import type { BadRange } from "./line.ts";
import { LineReader, readRanges, findBytes } from "./line-reader.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";
import { StoreWriteError } from "../store.ts";

/** Lines that are read with one call. */
interface LineSpan {
  readonly from: number;
  readonly to: number;
  /** Lines with their index in the requested list. */
  readonly lines: readonly (LinePlace & { readonly index: number })[];
}

/** Bytes between two lines that are read along with them: a call costs more. */
const GAP_BYTES = 32 * 1024;
const SPAN_BYTES = 512 * 1024;

/** Puts lines that lie close together into one span. */
function getSpans(places: readonly LinePlace[]): LineSpan[] {
  const ordered = places.map((place, index) => ({ ...place, index })).toSorted((a, b) => a.offset - b.offset);
  const spans: { from: number; to: number; lines: (LinePlace & { index: number })[] }[] = [];
  for (const line of ordered) {
    const end = line.offset + line.length;
    const span = spans.at(-1);
    if (span !== undefined && line.offset - span.to <= GAP_BYTES && end - span.from <= SPAN_BYTES) {
      span.lines.push(line);
      span.to = Math.max(span.to, end);
    } else spans.push({ from: line.offset, to: end, lines: [line] });
  }
  return spans;
}

/** The position of a line in its log, without its newline. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

export interface LineLogOptions {
  /** The name in messages: "The … cannot be written". */
  readonly name: string;
  /** Bytes; default 128 KiB. */
  readonly longestLine?: number;
}

const LONGEST_LINE = 128 * 1024;

/** Invalid bytes of a log. */
export interface LogDamage {
  readonly ranges: readonly BadRange[];
  /** The content of these ranges, one after another. */
  readonly bytes: Buffer;
}

/** A log with one checksummed line per entry; lines are read back by their places. */
export class LineLog {
  readonly #fs: StoreFs;
  readonly #path: string;
  readonly #name: string;
  readonly #longest: number;
  readonly #log: AppendLog;
  #reader: Promise<StoreFile> | null = null;

  constructor(fs: StoreFs, path: string, { name, longestLine = LONGEST_LINE }: LineLogOptions) {
    this.#fs = fs;
    this.#path = path;
    this.#name = name;
    this.#longest = longestLine;
    this.#log = new AppendLog({ fs, name });
  }

  /**
   * Reads the log in batches of some hundred lines.
   * @param part range of bytes; the whole file by default
   * @returns the damage, or null. The damaged bytes stay until `heal`.
   */
  async replay(
    take: (value: unknown, place: LinePlace) => void,
    part: { readonly from?: number; readonly to?: number } = {},
  ): Promise<LogDamage | null> {
    if ((await this.#fs.size(this.#path)) === null) return null;
    const file = await this.#fs.open(this.#path, "read");
    try {
      const ranges: BadRange[] = [];
      const reader = new LineReader(file, { ...part, longest: this.#longest });
      for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
        for (const { value, offset, length } of batch.lines) take(value, { offset, length });
        ranges.push(...batch.bad);
      }
      return ranges.length === 0 ? null : { ranges, bytes: await readRanges(file, ranges) };
    } finally {
      await file.close();
    }
  }

  /**
   * Takes the damaged ranges out of the file: a torn last line is cut off, otherwise the log is rewritten. Call it
   * before anything is appended, and `replay` again afterwards: places may have moved.
   */
  async heal(ranges: readonly BadRange[]): Promise<void> {
    const [first] = ranges;
    if (first === undefined) return;
    if (ranges.length === 1 && first.torn) return secureFile(this.#fs, this.#path, first);
    const size = (await this.#fs.size(this.#path)) ?? 0;
    const from = await this.#fs.open(this.#path, "read");
    try {
      await replaceFile(this.#fs, this.#path, async (into) => {
        let written = 0;
        for await (const bytes of findBytes(from, between(ranges, size))) {
          await into.write(bytes, written);
          written += bytes.length;
        }
      });
    } finally {
      await from.close();
    }
  }

  /** Terminates an incomplete last line before any line is appended. @throws StoreWriteError: retried later */
  begin(): Promise<void> {
    return new Promise((done, failed) => this.#hand(new ValueEntry(this.#path, "", () => done(), failed)));
  }

  /** Resolves with the line's place when it is on the disk. @throws StoreWriteError when it is not, and will not be. */
  append(value: unknown): Promise<LinePlace> {
    const line = frame(JSON.stringify(value));
    const length = Buffer.byteLength(line) - 1;
    if (length >= this.#longest) {
      return Promise.reject(new StoreWriteError(`A line of ${length + 1} bytes is too long for the ${this.#name}.`));
    }
    return new Promise((done, failed) => {
      this.#hand(new ValueEntry(this.#path, line, (offset) => done({ offset, length }), failed));
    });
  }

  #hand(entry: ValueEntry): void {
    try {
      this.#log.append(entry);
    } catch (error) {
      entry.refused(error as StoreWriteError);
    }
  }

  /** @returns the value of a line, or undefined if it is damaged */
  async read(place: LinePlace): Promise<unknown> {
    return (await this.readAll([place]))[0];
  }

  /** Reads several lines, adjacent ones in one read. @returns their values in the order of the places, like `read` */
  async readAll(places: readonly LinePlace[]): Promise<unknown[]> {
    const values: unknown[] = places.map(() => undefined);
    const spans = getSpans(places);
    if (spans.length === 0) return values;
    const file = await this.#openReader();
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
    await this.#log.close();
    await (await this.#reader?.catch(() => null))?.close();
    this.#reader = null;
  }

  #openReader(): Promise<StoreFile> {
    this.#reader ??= this.#fs.open(this.#path, "read").catch((error: unknown) => {
      this.#reader = null;
      throw error;
    });
    return this.#reader;
  }
}

class ValueEntry implements LogEntry {
  readonly awaited = true;
  readonly refused: (error: StoreWriteError) => void;
  readonly #path: string;
  readonly #line: string;
  readonly #done: (offset: number) => void;
  #offset = 0;

  constructor(path: string, line: string, done: (offset: number) => void, refused: (error: StoreWriteError) => void) {
    this.#path = path;
    this.#line = line;
    this.#done = done;
    this.refused = refused;
  }

  path(): string {
    return this.#path;
  }

  line(): string {
    return this.#line;
  }

  setPlace(offset: number): void {
    this.#offset = offset;
  }

  noteSync(): void {
    this.#done(this.#offset);
  }
}

/** Returns the ranges between the given ones, up to the size. */
function between(ranges: readonly BadRange[], size: number): Omit<BadRange, "torn">[] {
  const ends = [0, ...ranges.map(({ end }) => end)];
  return ends.map((start, index) => ({ start, end: ranges[index]?.start ?? size }));
}
