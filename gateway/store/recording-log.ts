import { join } from "node:path";
import { Mutex } from "../lib/mutex.ts";
import { frame } from "./disk/line.ts";
import { linesBackwards } from "./disk/lines-backwards.ts";
import { nodeStoreFs } from "./disk/store-fs.ts";
import type { StoreFile, StoreFs } from "./disk/store-fs.ts";
import { NoRoomError, StoreWriteError } from "./store.ts";

const NAME = /^(\d{13})\.ndjson$/;
const FOLDER = "recordings";
const getName = (start: number): string => `${String(start).padStart(13, "0")}.ndjson`;

/**
 * Max bytes of a segment, which is deleted as a whole: small ones keep the limit precise and are read in a few
 * milliseconds.
 */
const SEGMENT_BYTES = 4 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Bytes of disk space that recordings leave to receipts and results. */
export const RECORDINGS_LEAVE_BYTES = 256 * 1024 * 1024;
/** Max milliseconds between a recording's write and the time by which it is looked up. */
const NEAR_MS = 2 * 60_000;

/** A file of the log; its name is the moment (Unix ms) of its creation. */
interface Segment {
  readonly start: number;
  bytes: number;
}

export interface RecordingLogParts {
  /** The data folder. */
  readonly dir: string;
  /** Tells whether the disk has space for one more segment: receipts and results take precedence over recordings. */
  readonly hasRoom: () => Promise<boolean>;
  readonly fs?: StoreFs;
  readonly segmentBytes?: number;
}

/**
 * Recordings of requests: framed lines in segments of a few MiB and one UTC day each, immutable and deleted as a whole.
 * Each run of Postern starts a new segment, so a line torn by a kill stays the last one of its file and is never shown.
 * Nothing is synced: losing some recordings in a power cut is acceptable. Operations run one at a time.
 */
export class RecordingLog {
  readonly #fs: StoreFs;
  /** Made with the first recording. */
  readonly #folder: string;
  readonly #hasRoom: () => Promise<boolean>;
  readonly #segmentBytes: number;
  /** Oldest first; null until the folder was read. */
  #segments: Segment[] | null = null;
  #open: { readonly file: StoreFile; readonly segment: Segment } | null = null;
  readonly #mutex = new Mutex();
  #closed = false;

  constructor(parts: RecordingLogParts) {
    this.#fs = parts.fs ?? nodeStoreFs;
    this.#folder = join(parts.dir, FOLDER);
    this.#hasRoom = parts.hasRoom;
    this.#segmentBytes = parts.segmentBytes ?? SEGMENT_BYTES;
  }

  /**
   * Writes a recording, and deletes the oldest segments while there are more than `mostBytes`.
   * @param now Unix milliseconds
   * @throws NoRoomError, StoreWriteError after the end, or the disk's error; nothing is then written
   */
  add(json: string, now: number, mostBytes: number): Promise<void> {
    return this.#runExclusive(async () => {
      const line = Buffer.from(frame(json));
      const { file, segment } = await this.#getSegment(line.length, now);
      try {
        await file.write(line, segment.bytes);
      } catch (error) {
        await this.#giveUp(file, segment);
        throw error;
      }
      segment.bytes += line.length;
      await this.#bound(mostBytes);
    });
  }

  /**
   * The newest recording that holds `"id":"…"` with this id and was written soon after one of these moments.
   * @param moments Unix milliseconds
   */
  find(id: string, moments: readonly number[]): Promise<unknown> {
    return this.#runExclusive(async () => {
      const segments = await this.#list();
      const needle = Buffer.from(`"id":${JSON.stringify(id)}`);
      const near = segments.filter(({ start }, index) => {
        const end = segments[index + 1]?.start ?? Infinity;
        // If the wall clock was set back, the newest names lie ahead of it.
        if (end === Infinity) return true;
        return moments.some((moment) => start <= moment + NEAR_MS && end >= moment - NEAR_MS);
      });
      for (const segment of near.toReversed()) {
        const found = await this.#lineWith(segment, needle);
        if (found !== undefined) return found;
      }
      return undefined;
    });
  }

  /** Returns segments, oldest first: the creation and the present length of each. */
  segments(): Promise<readonly Readonly<Segment>[]> {
    return this.#runExclusive(async () => (await this.#list()).map((segment) => ({ ...segment })));
  }

  /**
   * Visits the recordings of a segment after its first `from` bytes, newest first. One segment at a time, so that new
   * recordings are written in between.
   * @returns its current size in bytes; 0 if it was deleted
   */
  read(start: number, from: number, visit: (recording: unknown) => Promise<void>): Promise<number> {
    return this.#runExclusive(async () => {
      const segment = (await this.#list()).find((each) => each.start === start);
      if (segment === undefined) return 0;
      const { bytes } = segment;
      const file = await this.#fs.open(this.#path(start), "read");
      try {
        let left = bytes - from;
        for await (const { read, value } of linesBackwards(file, bytes, [], { longest: Infinity })) {
          left -= read;
          if (left < 0) break;
          const recording = value();
          if (recording !== undefined) await visit(recording);
        }
      } finally {
        await file.close();
      }
      return bytes;
    });
  }

  /** Deletes segments created before the UTC day of `from` or after `to` (Unix ms), and the oldest beyond the bound. */
  trim({ from, to }: { readonly from: number; readonly to: number }, mostBytes: number): Promise<void> {
    return this.#runExclusive(async () => {
      const day = Math.floor(from / DAY_MS);
      for (const segment of await this.#list()) {
        if (Math.floor(segment.start / DAY_MS) < day || segment.start > to) await this.#remove(segment);
      }
      await this.#bound(mostBytes);
    });
  }

  /** Deletes everything. */
  clear(): Promise<void> {
    return this.#runExclusive(async () => {
      for (const segment of await this.#list()) await this.#remove(segment);
    });
  }

  size(): Promise<{ bytes: number; oldest: number | null }> {
    return this.#runExclusive(async () => {
      const segments = await this.#list();
      return { bytes: sum(segments), oldest: segments[0]?.start ?? null };
    });
  }

  /** Runs after all pending operations; later ones are refused. */
  close(): Promise<void> {
    const shut = this.#runExclusive(() => this.#shut());
    this.#closed = true;
    return shut;
  }

  /** The last whole line with these bytes in it, made out. */
  async #lineWith({ start, bytes }: Segment, needle: Buffer): Promise<unknown> {
    const file = await this.#fs.open(this.#path(start), "read");
    try {
      for await (const { has, value } of linesBackwards(file, bytes, [needle], { longest: Infinity })) {
        const found = has ? value() : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    } finally {
      await file.close();
    }
  }

  #path(start: number): string {
    return join(this.#folder, getName(start));
  }

  #runExclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreWriteError("The log of recordings is closed."));
    return this.#mutex.run(work);
  }

  async #list(): Promise<Segment[]> {
    if (this.#segments !== null) return this.#segments;
    const starts = (await this.#fs.list(this.#folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    const segments: Segment[] = [];
    for (const start of starts.toSorted().map(Number)) {
      const bytes = await this.#fs.size(this.#path(start));
      // An entry that is not a file is foreign, and is neither read nor deleted.
      if (bytes !== null) segments.push({ start, bytes });
    }
    this.#segments = segments;
    return segments;
  }

  async #getSegment(bytes: number, now: number): Promise<{ file: StoreFile; segment: Segment }> {
    const open = this.#open;
    if (open !== null) {
      const sameDay = Math.floor(open.segment.start / DAY_MS) === Math.floor(now / DAY_MS);
      if (sameDay && open.segment.bytes + bytes <= this.#segmentBytes) return open;
      await this.#shut();
    }
    if (!(await this.#hasRoom())) throw new NoRoomError("The disk has too little room for recordings.");
    await this.#fs.makeFolder(this.#folder);
    const segments = await this.#list();
    // Names are unique even if the wall clock was set back.
    let start = Math.max(0, Math.floor(now));
    while (segments.some((segment) => segment.start === start)) start += 1;
    const file = await this.#fs.open(this.#path(start), "create");
    const segment = { start, bytes: 0 };
    this.#segments = [...segments, segment].toSorted((a, b) => a.start - b.start);
    this.#open = { file, segment };
    return this.#open;
  }

  /** Handles a refused write: truncates the file to its last whole line, if the disk allows it. */
  async #giveUp(file: StoreFile, segment: Segment): Promise<void> {
    await file.truncate(segment.bytes).catch(() => undefined);
    await this.#shut();
  }

  async #shut(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.file.close().catch(() => undefined);
  }

  async #bound(mostBytes: number): Promise<void> {
    const segments = await this.#list();
    let bytes = sum(segments);
    for (const segment of segments) {
      if (bytes <= mostBytes) return;
      bytes -= segment.bytes;
      await this.#remove(segment);
    }
  }

  async #remove(segment: Segment): Promise<void> {
    const segments = await this.#list();
    if (this.#open?.segment === segment) await this.#shut();
    await this.#fs.remove(this.#path(segment.start));
    this.#segments = segments.filter((other) => other !== segment);
  }
}

const sum = (segments: readonly Segment[]): number => segments.reduce((total, { bytes }) => total + bytes, 0);
