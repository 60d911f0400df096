import { SegmentFile } from "../disk/segment-file.ts";
import type { StoreLog } from "../store-event.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { StoreWriteError } from "../store.ts";

/** Pause between two tries while the disk refuses. */
export const RETRY_MS = 500;
/** Receipts that nobody waits for are synced this often. */
const SYNC_EVERY_MS = 25;

/** Lines of one month that wait for the next write. */
interface Staged {
  readonly month: string;
  readonly lines: string[];
}

interface Waiter {
  /** How many lines must be synced. */
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: StoreWriteError) => void;
}

/**
 * Writes usage lines: those of one turn of the event loop with one write, synced in the background, one sync at a
 * time. A line that the disk refuses stays here and is tried again; it is never written twice.
 */
export class UsageWriter {
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #log: StoreLog;
  readonly #onHealth: () => void;
  /** Where the next line of each segment belongs, for segments that are not open. */
  readonly #ends: Map<string, number>;
  readonly #open = new Map<string, SegmentFile>();
  #staged: Staged[] = [];
  #turn: PromiseWithResolvers<void> | null = null;
  #stagedCount = 0;
  #writtenCount = 0;
  #syncedCount = 0;
  #waiters: Waiter[] = [];
  /** Opening a segment or repairing one: nothing is written meanwhile. */
  #busy: Promise<void> | null = null;
  #syncing: Promise<void> | null = null;
  #syncTimer: NodeJS.Timeout | null = null;
  #retryTimer: NodeJS.Timeout | null = null;
  #failure: unknown = null;
  /** Bytes written since the store was opened, to know when a snapshot is due. */
  bytesWritten = 0;

  constructor(parts: {
    fs: StoreFs;
    folder: string;
    log: StoreLog;
    onHealth: () => void;
    ends: ReadonlyMap<string, number>;
    /** Why nothing may be written at all, or null. */
    frozen: string | null;
  }) {
    this.#fs = parts.fs;
    this.#folder = parts.folder;
    this.#log = parts.log;
    this.#onHealth = parts.onHealth;
    this.#ends = new Map(parts.ends);
    this.#failure = parts.frozen === null ? null : new Error(parts.frozen);
  }

  /** False from a refused write until everything that was refused is on the disk. */
  get healthy(): boolean {
    return this.#failure === null;
  }

  /** @returns resolves when the line is written, or when the disk refused it and it is kept here. */
  stage(month: string, line: string): Promise<void> {
    this.#stagedCount += 1;
    const last = this.#staged.at(-1);
    if (last?.month === month) last.lines.push(line);
    else this.#staged.push({ month, lines: [line] });
    if (this.#failure !== null) return Promise.resolve();
    if (this.#turn === null) {
      this.#turn = Promise.withResolvers<void>();
      setImmediate(() => this.flush());
    }
    return this.#turn.promise;
  }

  /** Writes what is staged, now, unless the disk is refusing. */
  flush(): void {
    if (this.#busy !== null || this.#failure !== null) return;
    while (this.#staged.length > 0) {
      const { month, lines } = this.#staged[0] as Staged;
      const segment = this.#open.get(month);
      if (segment === undefined) return this.#openSegment(month);
      const bytes = Buffer.from(lines.join(""));
      try {
        segment.append(bytes);
      } catch (error) {
        return this.#fail(error);
      }
      this.#staged.shift();
      this.#writtenCount += lines.length;
      this.bytesWritten += bytes.length;
    }
    this.#endTurn();
    this.#syncSoon();
  }

  /** Resolves when every line that was staged before is written, or refused. */
  written(): Promise<void> {
    this.flush();
    return this.#turn?.promise ?? Promise.resolve();
  }

  /** Resolves when every line that was staged before is synced. @throws StoreWriteError while the disk refuses. */
  synced(): Promise<void> {
    this.flush();
    if (this.#failure !== null) return Promise.reject(refusal(this.#failure));
    if (this.#syncedCount >= this.#stagedCount) return Promise.resolve();
    const synced = new Promise<void>((resolve, reject) => {
      this.#waiters.push({ count: this.#stagedCount, resolve, reject });
    });
    this.#syncNow();
    return synced;
  }

  /** Bytes of each segment that are written. */
  position(): Record<string, number> {
    const segments = Object.fromEntries(this.#ends);
    for (const segment of this.#open.values()) segments[segment.month] = segment.written;
    return segments;
  }

  /** Makes a last attempt and closes the files. @throws StoreWriteError when lines are left that the disk refuses. */
  async close(): Promise<void> {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    if (this.#failure !== null) await this.#retry();
    try {
      await this.synced();
    } finally {
      if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
      if (this.#syncTimer !== null) clearTimeout(this.#syncTimer);
      await this.#busy;
      await this.#syncing;
      for (const segment of this.#open.values()) await segment.close();
      this.#open.clear();
    }
  }

  #openSegment(month: string): void {
    this.#busy = this.#segment(month)
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        this.#busy = null;
        this.flush();
        return undefined;
      });
  }

  async #segment(month: string): Promise<SegmentFile> {
    const found = this.#open.get(month);
    if (found !== undefined) return found;
    const segment = await SegmentFile.open(this.#fs, this.#folder, month, this.#ends.get(month) ?? 0);
    this.#open.set(month, segment);
    return segment;
  }

  #endTurn(): void {
    this.#turn?.resolve();
    this.#turn = null;
  }

  #syncSoon(): void {
    if (this.#waiters.length > 0) this.#syncNow();
    else this.#syncTimer ??= setTimeout(() => this.#syncNow(), SYNC_EVERY_MS).unref();
  }

  #syncNow(): void {
    if (this.#syncTimer !== null) clearTimeout(this.#syncTimer);
    this.#syncTimer = null;
    if (this.#syncing !== null || this.#busy !== null || this.#failure !== null) return;
    this.#syncing = this.#syncWritten()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#syncing = null;
        if (this.#failure === null && this.#syncedCount < this.#writtenCount) this.#syncSoon();
      });
  }

  async #syncWritten(): Promise<void> {
    const count = this.#writtenCount;
    for (const segment of this.#open.values()) if (segment.dirty) await segment.sync();
    this.#syncedCount = count;
    const waiting = this.#waiters;
    this.#waiters = waiting.filter((waiter) => waiter.count > count);
    for (const waiter of waiting) if (waiter.count <= count) waiter.resolve();
  }

  #fail(error: unknown): void {
    const first = this.#failure === null;
    this.#failure = error;
    this.#endTurn();
    const waiting = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiting) waiter.reject(refusal(error));
    this.#retryTimer = setTimeout(() => void this.#retry(), RETRY_MS).unref();
    if (!first) return;
    const code = errorCode(error);
    this.#log({
      event: "store.usage_refused",
      level: "error",
      message: `Receipts cannot be written (${code || String(error)}); they are kept in memory and tried again.`,
      code,
    });
    this.#onHealth();
  }

  async #retry(): Promise<void> {
    if (this.#busy !== null || this.#failure === null) return;
    this.#busy = this.#repair().finally(() => {
      this.#busy = null;
    });
    await this.#busy;
  }

  /** Writes everything that was refused and syncs it; only then is the disk trusted again. */
  async #repair(): Promise<void> {
    await this.#syncing;
    const before = this.#failure;
    try {
      for (const segment of this.#open.values()) await segment.repair();
      while (this.#staged.length > 0) await this.#writeStaged();
      await this.#syncWritten();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#failure = null;
    this.#log({
      event: "store.usage_recovered",
      level: "info",
      message: `The disk takes receipts again after ${errorCode(before) || "an error"}; none was lost.`,
    });
    this.#onHealth();
  }

  async #writeStaged(): Promise<void> {
    const { month, lines } = this.#staged[0] as Staged;
    const segment = await this.#segment(month);
    const bytes = Buffer.from(lines.join(""));
    segment.append(bytes);
    this.#staged.shift();
    this.#writtenCount += lines.length;
    this.bytesWritten += bytes.length;
  }
}

function refusal(error: unknown): StoreWriteError {
  const code = errorCode(error) || String(error);
  return new StoreWriteError(`The data folder cannot be written (${code}).`, { cause: error });
}
