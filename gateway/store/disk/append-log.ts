import { AppendFile } from "./append-file.ts";
import type { AppendLogParts, LogEntry } from "./append-log-parts.ts";
import { LogLines } from "./log-lines.ts";
import type { Written } from "./log-lines.ts";
import { errorCode } from "./store-fs.ts";
import { SyncPace } from "./sync-pace.ts";
import { getMessage } from "../../lib/message-of.ts";
import { StoreWriteError } from "../store.ts";

/** Pause between two tries while the disk refuses. */
const RETRY_MS = 500;

/**
 * Writes all lines to the disk. The lines of one event loop turn share a write, waiting ones share a sync, and lines
 * stay in order. A line is *written* when the kernel has it (it survives a kill of this process) and *synced* when the
 * disk has it (it survives a power cut). If the disk refuses, lines with a caller are removed from the file, so that
 * they are absent after a restart too; others are kept and retried, and no line is written twice.
 */
export class AppendLog {
  readonly #parts: AppendLogParts;
  readonly #lines = new LogLines();
  /** Entries whose callers must be notified of the refusal. */
  readonly #refusing: { readonly entry: LogEntry; readonly error: StoreWriteError }[] = [];
  #file: AppendFile | null = null;
  readonly #ends = new Map<string, number>();
  #flush: NodeJS.Immediate | null = null;
  /** Resolves when everything in the queue is written. */
  #written: PromiseWithResolvers<void> | null = null;
  /** Resolves when everything handed in is synced; a sync that already runs has none of it. */
  #covered: PromiseWithResolvers<void> | null = null;
  /** Set while a file is opened or repaired; nothing is written meanwhile. */
  #busy: Promise<void> | null = null;
  #syncing: Promise<void> | null = null;
  readonly #pace: SyncPace;
  #retryTimer: NodeJS.Timeout | null = null;
  #failure: unknown = null;
  #closing: Promise<void> | null = null;
  /** Bytes that were written since the log was made. */
  bytesWritten = 0;

  constructor(parts: AppendLogParts) {
    this.#parts = parts;
    this.#pace = new SyncPace(parts.restMs ?? 0, () => this.#syncNow());
  }

  /** False from a refusal until all kept lines are on the disk. */
  get healthy(): boolean {
    return this.#failure === null;
  }

  get closed(): boolean {
    return this.#closing !== null;
  }

  /** The file that lines go to now; null before the first one. */
  get file(): Pick<AppendFile, "path" | "end" | "synced"> | null {
    return this.#file;
  }

  /** Start of the next line in each file that the log has written, by path. */
  get ends(): ReadonlyMap<string, number> {
    if (this.#file !== null) this.#ends.set(this.#file.path, this.#file.end);
    return this.#ends;
  }

  /** Whether everything that was handed in is synced. */
  get idle(): boolean {
    return !this.#lines.areQueued && !this.#lines.areUnsynced;
  }

  /** Whether lines are kept, or refused ones are still in the file. */
  get #unsettled(): boolean {
    return !this.idle || this.#file?.dirty === true;
  }

  /** Queues a line. @throws StoreWriteError after the end; nothing is then written */
  append(entry: LogEntry): void {
    if (this.#closing !== null) throw new StoreWriteError(`The ${this.#parts.name} is closed.`);
    this.#lines.push(entry);
    if (entry.awaited) this.#pace.await();
    if (this.#failure === null) this.#flush ??= setImmediate(() => this.flush());
    else if (entry.refused === undefined) this.#retryLater();
    else this.#repairNow();
  }

  /** Whether a line that is not written is wanted. */
  someQueued(matches: (entry: LogEntry) => boolean): boolean {
    return this.#lines.someQueued(matches);
  }

  /** Resolves when all queued lines are written or refused. For logs that keep all lines. */
  written(): Promise<void> {
    if (!this.#lines.areQueued || this.#failure !== null) return DONE;
    this.#written ??= Promise.withResolvers();
    return this.#written.promise;
  }

  /**
   * Resolves when everything that was handed in is synced; or refused, then it is not `healthy`.
   * @param hurried the sync does not wait for others to share it
   */
  waitUntilCovered(hurried = false): Promise<void> {
    if (this.idle || this.#failure !== null) return DONE;
    if (hurried) this.#pace.hurry();
    else this.#pace.await();
    this.#covered ??= Promise.withResolvers();
    return this.#covered.promise;
  }

  /** Resolves when everything that was handed in is synced. @throws StoreWriteError while the disk refuses */
  async sync(): Promise<void> {
    const covered = this.waitUntilCovered(true);
    this.flush();
    await covered;
    if (this.#failure !== null) throw this.#refusal();
  }

  /** Writes queued lines immediately, unless the disk refuses. */
  flush(): void {
    if (this.#flush !== null) clearImmediate(this.#flush);
    this.#flush = null;
    for (let path = this.#lines.nextPath; path !== undefined; path = this.#lines.nextPath) {
      if (this.#busy !== null || this.#failure !== null) return;
      if (this.#file?.path !== path) {
        this.#busy = this.#work(async () => {
          await this.#syncing;
          if (this.#failure === null) await this.#switchTo(path);
        });
        return;
      }
      try {
        this.#writeGroup(this.#file);
      } catch (error) {
        return this.#fail(error);
      }
    }
    this.#endWritten();
    this.#syncSoon();
  }

  /** Makes a last attempt and closes the file. @throws StoreWriteError when lines are left that the disk refuses */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#failure !== null && this.#unsettled) this.#repairNow();
    this.#pace.hurry();
    this.flush();
    do {
      await this.#busy;
      await this.#syncing;
      await this.waitUntilCovered();
    } while (this.#busy !== null || this.#syncing !== null);
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#pace.stop();
    await this.#file?.close();
    if (!this.idle) throw this.#refusal();
  }

  /** Runs one job on files at a time. */
  async #work(job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (error) {
      this.#fail(error);
    }
    if (this.#refusing.length > 0) {
      // If the disk permits it, refused lines are out of the file before their callers are notified.
      if (this.#file?.dirty === true) await this.#file.repair().catch(() => undefined);
      for (const { entry, error } of this.#refusing.splice(0)) entry.refused?.(error);
    }
    this.#busy = null;
    if (this.#failure === null) this.flush();
    else this.#retryLater();
  }

  /** Leaves the present file, with everything in it synced, and goes on in another. */
  async #switchTo(path: string): Promise<void> {
    const before = this.#file;
    if (before !== null) {
      if (this.#lines.areUnsynced) await before.sync();
      this.#confirm(this.#lines.written);
      this.#file = null;
      this.#ends.set(before.path, before.end);
      await before.close();
    }
    this.#file = await AppendFile.open(this.#parts.fs, path);
    this.#parts.onFile?.(path);
  }

  #writeGroup(file: AppendFile): void {
    const text = this.#lines.take(file.path, file.end);
    if (text !== "") {
      const bytes = Buffer.from(text);
      file.write(bytes);
      this.bytesWritten += bytes.length;
    }
    this.#lines.wrote();
  }

  #endWritten(): void {
    this.#written?.resolve();
    this.#written = null;
  }

  #syncSoon(): void {
    const busy = this.#syncing !== null || this.#busy !== null || this.#failure !== null;
    if (!busy && this.#lines.areUnsynced) this.#pace.plan();
  }

  /** Syncs after a flush, so that this sync covers everything that is waited for. */
  #syncNow(): void {
    this.#pace.stop();
    const file = this.#file;
    if (this.#syncing !== null || this.#busy !== null || this.#failure !== null || file === null) return;
    if (this.#lines.areQueued) {
      this.#pace.hurry();
      return this.flush();
    }
    this.#syncing = this.#sync(file);
  }

  async #sync(file: AppendFile): Promise<void> {
    const covered = this.#covered;
    this.#covered = null;
    this.#pace.noteStart();
    const { written } = this.#lines;
    try {
      await file.sync();
      this.#confirm(written);
    } catch (error) {
      this.#fail(error);
    }
    covered?.resolve();
    this.#syncing = null;
    this.#syncSoon();
  }

  #confirm(written: Written): void {
    this.#lines.confirm(written);
    if (this.idle) this.#endCovered();
  }

  #endCovered(): void {
    this.#covered?.resolve();
    this.#covered = null;
  }

  #fail(error: unknown): void {
    if (this.#file?.lostSync === true && this.#lines.areAwaited) {
      this.#file.takeBack();
      this.#lines.takeBack();
    }
    const first = this.#failure === null;
    this.#failure = error;
    const refusal = this.#refusal();
    for (const entry of this.#lines.refuse()) this.#refusing.push({ entry, error: refusal });
    this.#endWritten();
    this.#endCovered();
    if (first) this.#parts.onHealth?.(error);
    if (this.#refusing.length > 0) this.#repairNow();
    else this.#retryLater();
  }

  #refusal(): StoreWriteError {
    const cause = this.#failure;
    const why = errorCode(cause) || getMessage(cause);
    return new StoreWriteError(`The ${this.#parts.name} cannot be written (${why}).`, { cause });
  }

  /** Schedules a retry if the disk has work; otherwise the next line is the retry. */
  #retryLater(): void {
    if (!this.#unsettled || this.#closing !== null) return;
    this.#retryTimer ??= setTimeout(() => this.#repairNow(), RETRY_MS).unref();
  }

  #repairNow(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
    this.#busy ??= this.#work(() => this.#repair());
  }

  /** Writes and syncs all kept lines; only then does the disk count as healthy again. */
  async #repair(): Promise<void> {
    await this.#syncing;
    for (;;) {
      const { written } = this.#lines;
      if (this.#file !== null) {
        await this.#file.repair();
        this.#confirm(written);
      }
      const path = this.#lines.nextPath;
      if (path === undefined) break;
      if (this.#file?.path !== path) await this.#switchTo(path);
      if (this.#file !== null) this.#writeGroup(this.#file);
    }
    this.#failure = null;
    this.#parts.onHealth?.(null);
  }
}

const DONE = Promise.resolve();
