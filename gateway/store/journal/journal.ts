import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/message-of.ts";
import type { Change } from "../document.ts";
import { journalName } from "./journal-read.ts";
import { frame } from "../disk/line.ts";
import type { StoreLog } from "../store-event.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { StoreWriteError } from "../store.ts";

/** Lines that share one write and one sync. */
const GROUP_LINES = 256;

interface Entry {
  readonly changes: readonly Change[];
  readonly json: string;
  /** Already in memory: kept until the disk takes it. A strict one is applied when it is synced, or rejected. */
  readonly relaxed: boolean;
  readonly done: (seq: number) => void;
  readonly failed: (error: StoreWriteError) => void;
}

export interface JournalStart {
  /** Number of the last line that any file holds. */
  readonly lastSeq: number;
  /** The file to go on with, where its next line belongs, or null to begin a new one. */
  readonly file: { readonly name: string; readonly length: number } | null;
}

/**
 * The journal of the document. Lines are numbered, written in groups and synced before their changes are applied;
 * a group that the disk refuses is cut off again, so that memory and disk say the same after every outcome.
 */
export class Journal {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #log: StoreLog;
  readonly #apply: (changes: readonly Change[]) => void;
  readonly #onHealth: () => void;
  readonly #onFile: (firstSeq: number) => void;
  #queue: Entry[] = [];
  #running: Promise<void> | null = null;
  #file: StoreFile | null = null;
  #name: string | null;
  /** End of the last synced line. */
  #good: number;
  /** Bytes after `#good` may be left from a refused group. */
  #dirtyTail = false;
  #lastSeq: number;
  #rotated: { resolve: () => void; reject: (error: unknown) => void } | null = null;
  #healthy = true;
  /** Bytes since the last rotation, to know when a snapshot is due. */
  bytesSinceRotation = 0;

  constructor(
    parts: {
      fs: StoreFs;
      dir: string;
      clock: Clock;
      log: StoreLog;
      apply: (changes: readonly Change[]) => void;
      onHealth: () => void;
      /** A new file was begun. */
      onFile: (firstSeq: number) => void;
    },
    start: JournalStart,
  ) {
    this.#fs = parts.fs;
    this.#dir = parts.dir;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#apply = parts.apply;
    this.#onHealth = parts.onHealth;
    this.#onFile = parts.onFile;
    this.#lastSeq = start.lastSeq;
    this.#name = start.file?.name ?? null;
    this.#good = start.file?.length ?? 0;
    // What a crash left of a last line is cut off before the first append.
    this.#dirtyTail = start.file !== null;
    this.bytesSinceRotation = this.#good;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** False from a refused write until the disk takes one again. */
  get healthy(): boolean {
    return this.#healthy;
  }

  /**
   * Resolves with the line's number when it is synced and its changes are applied.
   * @throws StoreWriteError when the disk refused it; nothing of it is applied.
   */
  append(changes: readonly Change[]): Promise<number> {
    const json = JSON.stringify(changes);
    return new Promise((done, failed) => this.#enqueue({ changes, json, relaxed: false, done, failed }));
  }

  /** For changes that are in memory already. Kept and tried again while the disk refuses. */
  appendRelaxed(changes: readonly Change[], settled: () => void): void {
    const failed = (): void => undefined;
    this.#enqueue({ changes, json: JSON.stringify(changes), relaxed: true, done: settled, failed });
  }

  /** Resolves when everything that was appended before is synced. @throws StoreWriteError */
  async flush(): Promise<void> {
    if (this.#queue.length > 0 || this.#running !== null) await this.append([]);
  }

  /**
   * Writes a line of its own, so that its number is nobody else's, and begins a new file some time after it.
   * @returns that number. Every change up to it is applied, and everything after it is in the journal.
   */
  async rotate(): Promise<number> {
    const seq = await this.append([]);
    await new Promise<void>((resolve, reject) => {
      this.#rotated = { resolve, reject };
      this.#kick();
    });
    return seq;
  }

  /** Tries the disk with an empty line after it refused something. */
  async probe(): Promise<void> {
    await this.append([]).catch(() => undefined);
  }

  /** The file that is being appended to and how much of it is whole; null before the first line. */
  get end(): { readonly name: string; readonly length: number } | null {
    return this.#name === null ? null : { name: this.#name, length: this.#good };
  }

  /** Gives relaxed changes that the disk refused a last chance. */
  async close(): Promise<void> {
    if (!this.#healthy) await this.probe();
    while (this.#running !== null) await this.#running;
    await this.#file?.close();
    this.#file = null;
  }

  #enqueue(entry: Entry): void {
    this.#queue.push(entry);
    this.#kick();
  }

  #kick(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      const waiting = this.#rotated !== null || this.#queue.some((entry) => !entry.relaxed);
      if (waiting || (this.#healthy && this.#queue.length > 0)) this.#kick();
    });
  }

  async #run(): Promise<void> {
    // One turn later, so that all commits of this turn share the first group.
    await Promise.resolve();
    while (this.#queue.length > 0 || this.#rotated !== null) {
      await this.#beginFileWhenAsked();
      const group = this.#queue.splice(0, GROUP_LINES);
      if (group.length > 0 && !(await this.#writeGroup(group))) return;
    }
  }

  async #beginFileWhenAsked(): Promise<void> {
    const asked = this.#rotated;
    if (asked === null) return;
    this.#rotated = null;
    await this.#beginFile().then(asked.resolve, asked.reject);
  }

  /** @returns false when the disk refused the group. */
  async #writeGroup(group: readonly Entry[]): Promise<boolean> {
    let seq = this.#lastSeq;
    const ts = this.#clock.now();
    let lines = "";
    for (const { json } of group) lines += frame(`{"seq":${(seq += 1)},"ts":${ts},"changes":${json}}`);
    const bytes = Buffer.from(lines);
    try {
      const file = await this.#readyFile();
      this.#dirtyTail = true;
      await file.write(bytes, this.#good);
      await file.sync();
    } catch (error) {
      await this.#refuse(group, error);
      return false;
    }
    this.#dirtyTail = false;
    this.#good += bytes.length;
    this.bytesSinceRotation += bytes.length;
    for (const entry of group) {
      this.#lastSeq += 1;
      if (!entry.relaxed) this.#apply(entry.changes);
      entry.done(this.#lastSeq);
    }
    this.#setHealthy(true);
    return true;
  }

  async #refuse(group: readonly Entry[], error: unknown): Promise<void> {
    // Cut off at once: what was refused must not be there after a restart.
    await this.#cutTail().catch(() => undefined);
    const code = errorCode(error);
    this.#log({
      event: "store.journal_refused",
      level: "error",
      message: `The journal could not be written (${describe(error)}).`,
      code,
    });
    this.#queue.unshift(...group.filter((entry) => entry.relaxed));
    this.#setHealthy(false);
    const refusal = new StoreWriteError(`The change could not be written to the data folder (${describe(error)}).`, {
      cause: error,
    });
    for (const entry of group) entry.failed(refusal);
  }

  async #readyFile(): Promise<StoreFile> {
    if (this.#name === null) await this.#beginFile();
    this.#file ??= await this.#fs.open(join(this.#dir, this.#name ?? ""), "append");
    await this.#cutTail();
    return this.#file;
  }

  async #cutTail(): Promise<void> {
    if (!this.#dirtyTail || this.#file === null) return;
    await this.#file.truncate(this.#good);
    await this.#file.sync();
    this.#dirtyTail = false;
  }

  async #beginFile(): Promise<void> {
    const firstSeq = this.#lastSeq + 1;
    const name = journalName(firstSeq);
    if (name === this.#name && this.#good === 0) return;
    const file = await this.#fs.open(join(this.#dir, name), "append");
    try {
      await file.truncate(0);
      await this.#fs.syncFolder(this.#dir);
    } catch (error) {
      await file.close();
      throw error;
    }
    await this.#file?.close();
    this.#file = file;
    this.#name = name;
    this.#good = 0;
    this.#dirtyTail = false;
    this.bytesSinceRotation = 0;
    this.#onFile(firstSeq);
  }

  #setHealthy(healthy: boolean): void {
    if (this.#healthy === healthy) return;
    this.#healthy = healthy;
    this.#onHealth();
  }
}

function describe(error: unknown): string {
  return errorCode(error) || messageOf(error);
}
