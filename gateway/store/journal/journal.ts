import { basename, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { Change } from "../document.ts";
import { AppendLog } from "../disk/append-log.ts";
import type { LogEntry } from "../disk/append-log-parts.ts";
import { frame } from "../disk/line.ts";
import type { BadRange } from "../disk/line.ts";
import { journalName } from "./journal-read.ts";
import type { StoreLog } from "../store-event.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { StoreWriteError } from "../store.ts";

export interface JournalStart {
  /** Number of the last line in any file. */
  readonly lastSeq: number;
  /** File to continue, or null to create one. */
  readonly file: JournalFile | null;
}

export interface JournalFile {
  readonly name: string;
  /** Bytes up to the end of its last line. */
  readonly length: number;
  /** Incomplete last line, of which a copy exists. */
  readonly torn: BadRange | null;
}

export interface JournalParts {
  readonly fs: StoreFs;
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly apply: (changes: readonly Change[]) => void;
  readonly onHealth: () => void;
  /** Called for each new file. */
  readonly onFile: (firstSeq: number) => void;
}

/**
 * The journal of the document: lines are numbered, and synced before their changes are applied. Refused lines are
 * removed again, so that memory and disk agree in any case.
 */
export class Journal {
  readonly #parts: JournalParts;
  readonly #start: JournalStart;
  readonly #log: AppendLog;
  #lastSeq: number;
  /** Name of the file that lines go to; null: the next one begins a new file. */
  #name: string | null;
  /** Bytes written when the present file was created; negative for the bytes it had at the start. */
  #rotatedAt: number;

  constructor(parts: JournalParts, start: JournalStart) {
    this.#parts = parts;
    this.#start = start;
    this.#lastSeq = start.lastSeq;
    this.#name = start.file?.name ?? null;
    this.#rotatedAt = -(start.file?.length ?? 0);
    this.#log = new AppendLog({
      fs: parts.fs,
      name: "data folder",
      onHealth: (failure) => this.#tellHealth(failure),
      onFile: (path) => this.#noteFile(basename(path)),
    });
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** False from a refused write until the next successful one. */
  get healthy(): boolean {
    return this.#log.healthy;
  }

  /** Bytes since the last rotation, to know when a snapshot is due. */
  get bytesSinceRotation(): number {
    return this.#log.bytesWritten - this.#rotatedAt;
  }

  /** The file that is being appended to and how much of it is whole; null before the first line. */
  get end(): { readonly name: string; readonly length: number } | null {
    const { file } = this.#log;
    return file === null ? this.#start.file : { name: basename(file.path), length: file.synced };
  }

  /**
   * Resolves with the line's number when it is synced and its changes are applied.
   * @throws StoreWriteError when the disk refused it; nothing of it is applied.
   */
  append(changes: readonly Change[]): Promise<number> {
    return new Promise((done, refused) => {
      const apply = (seq: number): void => {
        this.#parts.apply(changes);
        done(seq);
      };
      this.#log.append(this.#entry(JSON.stringify(changes), apply, refused));
    });
  }

  /** Appends changes that are already in memory. They are kept and retried while the disk refuses. */
  appendRelaxed(changes: readonly Change[], settled: () => void): void {
    this.#log.append(this.#entry(JSON.stringify(changes), settled));
  }

  /** Resolves when everything that was appended before is synced. @throws StoreWriteError */
  flush(): Promise<void> {
    return this.#log.sync();
  }

  /**
   * Writes a separate line, so that its number is unique, and starts a new file some time after it.
   * @returns that number: all changes up to it are applied, and all later ones are in the journal.
   */
  async rotate(): Promise<number> {
    const seq = await this.append([]);
    this.#name = null;
    await new Promise<void>((done, refused) => this.#log.append(this.#entry(null, () => done(), refused)));
    return seq;
  }

  /** Gives relaxed changes that the disk refused a last chance. */
  async close(): Promise<void> {
    // The changes lost with the last second were reported to no client as kept.
    await this.#log.close().catch(() => undefined);
  }

  /** @param changes null for no line: then only its file is begun. @param refused without it, it is kept */
  #entry(changes: string | null, done: (seq: number) => void, refused?: (error: StoreWriteError) => void): LogEntry {
    const seqAt = (index: number): number => this.#start.lastSeq + 1 + index;
    let seq = 0;
    return {
      awaited: true,
      path: (index) => join(this.#parts.dir, this.#name ?? journalName(seqAt(index))),
      line: (index) => {
        if (changes === null) return "";
        seq = seqAt(index);
        return frame(`{"seq":${seq},"ts":${this.#parts.clock.now()},"changes":${changes}}`);
      },
      noteSync: () => {
        if (changes !== null) this.#lastSeq = seq;
        done(seq);
      },
      ...(refused === undefined ? {} : { refused }),
    };
  }

  #noteFile(name: string): void {
    if (this.#name === null) {
      // Everything in the file before is synced.
      this.#parts.onFile(this.#lastSeq + 1);
      this.#rotatedAt = this.#log.bytesWritten;
    }
    this.#name = name;
  }

  #tellHealth(failure: unknown): void {
    if (failure !== null) {
      const code = errorCode(failure);
      const message = `The journal could not be written (${code || getMessage(failure)}).`;
      this.#parts.log({ event: "store.journal_refused", level: "error", message, code });
      // Only a successful line proves that the disk accepts lines again.
      if (!this.#log.closed) this.#log.append(this.#entry("[]", () => undefined));
    }
    this.#parts.onHealth();
  }
}
