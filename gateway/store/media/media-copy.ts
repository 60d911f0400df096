import { join } from "node:path";
import { NEWLINE, unframe } from "../disk/line.ts";
import type { LinePlace } from "../disk/line-log.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";

/** The library's log: what it holds and what it came from. */
export const MEDIA_LOG = "index.ndjson";
/** Second copy of the log, byte for byte. */
export const MEDIA_COPY = "index.copy.ndjson";

const CHUNK_BYTES = 256 * 1024;

/** Place and bytes of the last whole line of a file. */
export interface LastLine extends LinePlace {
  readonly bytes: Buffer;
}

/** @returns null when the file is not there, or nothing at its end is a whole line */
export async function lastLineOf(fs: StoreFs, path: string): Promise<LastLine | null> {
  const size = await fs.size(path);
  if (size === null) return null;
  const start = Math.max(0, size - CHUNK_BYTES);
  const bytes = Buffer.alloc(size - start);
  const file = await fs.open(path, "read");
  try {
    await file.read(bytes, start);
  } finally {
    await file.close();
  }
  for (let end = bytes.lastIndexOf(NEWLINE); end > 0;) {
    const before = bytes.lastIndexOf(NEWLINE, end - 1);
    const line = bytes.subarray(before + 1, end);
    if (unframe(line) !== undefined) return { offset: start + before + 1, length: line.length, bytes: line };
    end = before;
  }
  return null;
}

/** Whether a file has this line at its place. */
export async function hasLine(fs: StoreFs, path: string, { offset, bytes }: LastLine): Promise<boolean> {
  if ((await fs.size(path)) === null) return false;
  const file = await fs.open(path, "read");
  try {
    const found = Buffer.alloc(bytes.length);
    return (await file.read(found, offset)) === bytes.length && found.equals(bytes);
  } finally {
    await file.close();
  }
}

export interface MediaCopyParts {
  readonly fs: StoreFs;
  /** The library's folder. */
  readonly dir: string;
  /** Up to here the copy was whole when it was last looked at; what lies beyond may be what a power cut left. */
  readonly wholeTo: number;
  /** Sets the copy aside, which is not what the log was. @returns whether it is gone */
  readonly setAside: () => Promise<boolean>;
}

/**
 * Keeps a second copy of the library's log, byte for byte: if the log is lost, the origin of each result is still known. It
 * follows the synced content of the log, so it is never ahead of it, and nothing waits for it. The first time it compares
 * everything.
 */
export class MediaCopy {
  readonly #parts: MediaCopyParts;
  /** End of what is in the log. */
  #wanted = 0;
  /** Up to here both are the same, on the disk. */
  #done = 0;
  #compared = false;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(parts: MediaCopyParts) {
    this.#parts = parts;
  }

  /** The log is whole up to `end`. What the disk refuses now is copied with what comes next, or by the next start. */
  follow(end: number): void {
    this.#wanted = Math.max(this.#wanted, end);
    if (!this.#stopped) this.#running ??= this.#run();
  }

  /** Resolves when both are the same, or the disk refused. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Finishes copying and stops; if the comparison is not complete, the next start copies the rest. */
  async stop(): Promise<void> {
    if (!this.#compared) this.#stopped = true;
    await this.settled();
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped && this.#done < this.#wanted) await this.#catchUp();
    } catch {
      // Retried with the next line, or by the next start.
    } finally {
      this.#running = null;
    }
  }

  async #catchUp(): Promise<void> {
    const { fs, dir, setAside } = this.#parts;
    // Waits one turn, so that the lines of this turn are copied together.
    await Promise.resolve();
    const log = await fs.open(join(dir, MEDIA_LOG), "read");
    try {
      if (!this.#compared && !(await this.#compare(log)) && !(await setAside())) this.#stopped = true;
      if (this.#stopped) return;
      const copy = await fs.open(join(dir, MEDIA_COPY), "append");
      try {
        await this.#extend(log, copy);
      } finally {
        await copy.close();
      }
    } finally {
      await log.close();
    }
  }

  async #extend(log: StoreFile, copy: StoreFile): Promise<void> {
    if (!this.#compared) {
      await copy.truncate(this.#done);
      await this.#parts.fs.syncFolder(this.#parts.dir);
      this.#compared = true;
    }
    const end = this.#wanted;
    for (let at = this.#done; at < end;) {
      const bytes = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
      const length = await log.read(bytes, at);
      if (length === 0) throw new Error("the log is shorter than it was");
      await copy.write(bytes.subarray(0, length), at);
      at += length;
    }
    await copy.sync();
    this.#done = end;
  }

  /** Finds out how far both are the same. @returns false when the copy is another one where it should be whole */
  async #compare(log: StoreFile): Promise<boolean> {
    const { fs, dir, wholeTo } = this.#parts;
    const path = join(dir, MEDIA_COPY);
    const size = Math.min((await fs.size(path)) ?? 0, this.#wanted);
    if (size === 0) return true;
    const copy = await fs.open(path, "read");
    try {
      const [one, other] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
      for (let start = 0; start < size && !this.#stopped; start = this.#done) {
        const length = Math.min(CHUNK_BYTES, size - start);
        await Promise.all([log.read(one.subarray(0, length), start), copy.read(other.subarray(0, length), start)]);
        if (!one.subarray(0, length).equals(other.subarray(0, length))) {
          // Beyond its last whole line the copy is rewritten from the log.
          if (start + length <= wholeTo || differsBefore(one, other, Math.min(length, wholeTo - start))) {
            this.#done = 0;
            return false;
          }
          return true;
        }
        this.#done = start + length;
      }
      return true;
    } finally {
      await copy.close();
    }
  }
}

const differsBefore = (one: Buffer, other: Buffer, length: number): boolean =>
  length > 0 && !one.subarray(0, length).equals(other.subarray(0, length));
