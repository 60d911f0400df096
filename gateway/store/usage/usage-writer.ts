import { basename, join } from "node:path";
import { AppendLog } from "../disk/append-log.ts";
import type { LogEntry } from "../disk/append-log-parts.ts";
import { unframe } from "../disk/line.ts";
import { asUsageLine, segmentMonths, segmentName } from "../disk/segments.ts";
import type { StoreLog } from "../store-event.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { StoreWriteError } from "../store.ts";

/** Min milliseconds between syncs that calls wait for, so that concurrent calls share one. */
const SYNC_REST_MS = 4;

/** Writes usage lines to the segments of their months. A refused line is kept and retried. */
export class UsageWriter {
  readonly #log: AppendLog;
  readonly #folder: string;
  readonly #ends: ReadonlyMap<string, number>;
  /** Why nothing may be written at all, or null. */
  readonly #frozen: string | null;
  /** Month and path of the last line's segment: a cache, because most lines go to the same segment. */
  #month = "";
  #path = "";

  constructor(parts: {
    fs: StoreFs;
    folder: string;
    log: StoreLog;
    onHealth: () => void;
    /** Up to where each segment was read when the store was opened, by month. */
    ends: ReadonlyMap<string, number>;
    frozen: string | null;
  }) {
    const { fs, folder, log, onHealth } = parts;
    this.#folder = folder;
    this.#ends = parts.ends;
    this.#frozen = parts.frozen;
    let refusedBy: unknown = null;
    this.#log = new AppendLog({
      fs,
      name: "data folder",
      restMs: SYNC_REST_MS,
      onHealth: (failure) => {
        log(failure === null ? describeRecovery(refusedBy) : describeRefusal(failure));
        refusedBy = failure;
        onHealth();
      },
    });
  }

  /** False from a refused write until everything that was refused is on the disk. */
  get healthy(): boolean {
    return this.#frozen === null && this.#log.healthy;
  }

  get closed(): boolean {
    return this.#log.closed;
  }

  /** Bytes written since the store was opened, to know when a snapshot is due. */
  get bytesWritten(): number {
    return this.#log.bytesWritten;
  }

  /** @param synced called when the line is on the disk @throws StoreWriteError after the end */
  stage(month: string, line: string, synced: (() => void) | null = null): void {
    if (this.#frozen !== null) return;
    if (month !== this.#month) {
      this.#month = month;
      this.#path = join(this.#folder, segmentName(month));
    }
    this.#log.append(new StagedLine(this.#path, line, synced));
  }

  /** Whether the receipt of this id is not written yet. */
  isWriting(id: string): boolean {
    const idText = JSON.stringify(id);
    return this.#log.someQueued((entry) => {
      const line = entry.line(0);
      const value = line.includes(idText) ? asUsageLine(unframe(Buffer.from(line.trimEnd()))) : undefined;
      return value !== undefined && "receipt" in value && value.receipt.id === id;
    });
  }

  /** Writes staged lines immediately, unless the disk refuses. */
  flush(): void {
    this.#log.flush();
  }

  /** Resolves when all staged lines are written, or refused and kept here. */
  written(): Promise<void> {
    return this.#log.written();
  }

  /** Resolves when all staged lines are synced, or refused. @param alone whether no other line will share that sync */
  waitUntilCovered(alone: boolean): Promise<void> {
    return this.#log.waitUntilCovered(alone);
  }

  /** Resolves when every line that was staged before is synced. @throws StoreWriteError while the disk refuses */
  sync(): Promise<void> {
    return this.#frozen === null ? this.#log.sync() : Promise.reject(new StoreWriteError(this.#frozen));
  }

  /** Bytes of each segment that are written, by month. */
  position(): Record<string, number> {
    const written = [...this.#log.ends].map(([path, end]) => [segmentMonths([basename(path)])[0] ?? "", end] as const);
    return Object.fromEntries([...this.#ends, ...written]);
  }

  /** Makes a last attempt and closes the files. @throws StoreWriteError when lines are left that the disk refuses. */
  close(): Promise<void> {
    return this.#log.close();
  }
}

class StagedLine implements LogEntry {
  readonly awaited: boolean;
  readonly #path: string;
  #line: string;
  readonly #synced: (() => void) | null;

  constructor(path: string, line: string, synced: (() => void) | null) {
    this.#path = path;
    this.#line = line;
    this.#synced = synced;
    this.awaited = synced !== null;
  }

  path(): string {
    return this.#path;
  }

  line(): string {
    return this.#line;
  }

  /** Releases the text of the line early, before garbage collection promotes it. */
  written(): void {
    this.#line = "";
  }

  noteSync(): void {
    this.#synced?.();
  }
}

function describeRefusal(failure: unknown): Parameters<StoreLog>[0] {
  const code = errorCode(failure);
  const message = `Receipts cannot be written (${code || String(failure)}); they are kept in memory and tried again.`;
  return { event: "store.usage_refused", level: "error", message, code };
}

function describeRecovery(before: unknown): Parameters<StoreLog>[0] {
  const message = `The disk takes receipts again after ${errorCode(before) || "an error"}; none was lost.`;
  return { event: "store.usage_recovered", level: "info", message };
}
