import { join } from "node:path";
import type { HistoryBatch } from "../../core/history/history-entry.ts";
import { Mutex } from "../../lib/mutex.ts";
import type { Slices } from "../../lib/slices.ts";
import { AppendLog } from "../disk/append-log.ts";
import { frame } from "../disk/line.ts";
import { LineReader } from "../disk/line-reader.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { HISTORY_FOLDER } from "../folder/data-folder.ts";
import type { Line } from "../ledger/ledger-table.ts";
import { StoreWriteError } from "../store.ts";
import { removeEarlierFiles } from "../usage/earlier-files.ts";
import { IMPORTED_LOG, getStored, readBatch } from "./imported-line.ts";

/** Table of counts that earlier versions stored with the log. */
const EARLIER_TABLE = "imported.table";
/** Max entries per line: at most some hundred kB. */
const MOST_ENTRIES = 1_000;

export interface HistoryLogParts {
  /** The data folder. */
  readonly dir: string;
  /** A newer version wrote the folder: nothing in it may be changed. */
  readonly readOnly: boolean;
  readonly fs?: StoreFs;
}

/**
 * Usage imported from agents' logs: one append-only file of checksummed lines, removed as a whole. Each line has the
 * entries of a part of a log and the read position, so that both are stored atomically.
 */
export class HistoryLog {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #readOnly: boolean;
  /** Keeps removed entries from being written again. */
  readonly #changes = new Mutex();
  #writer: AppendLog | null = null;
  #closed = false;

  constructor({ dir, readOnly, fs = nodeStoreFs }: HistoryLogParts) {
    this.#fs = fs;
    this.#dir = dir;
    this.#folder = join(dir, HISTORY_FOLDER);
    this.#path = join(this.#folder, IMPORTED_LOG);
    this.#readOnly = readOnly;
  }

  /** Returns the size on the disk. */
  async bytes(): Promise<number> {
    return (await this.#fs.size(this.#path)) ?? 0;
  }

  /** Visits all stored batches in order. @returns the number of damaged lines */
  async read(visit: (batch: HistoryBatch) => void, slices: Slices): Promise<number> {
    let damaged = 0;
    const take = (value: unknown): void => {
      const batch = readBatch(value);
      if (batch === null) damaged += 1;
      else visit(batch);
    };
    return damaged + (await this.scan(({ value }) => take(value), slices));
  }

  /** Reads every line. @returns how many are damaged */
  async scan(take: (line: Line) => void, slices: Slices | null = null): Promise<number> {
    const size = await this.#fs.size(this.#path);
    if (size === null) return 0;
    const file = await this.#fs.open(this.#path, "read");
    let damaged = 0;
    try {
      const reader = new LineReader(file, { to: size });
      for (let cut = await reader.next(); cut !== null; cut = await reader.next()) {
        // An incomplete last line left by a kill was never confirmed.
        damaged += cut.bad.filter(({ torn }) => !torn).length;
        for (const { value, offset, length } of cut.lines) {
          take({ value, place: offset, length });
          if (slices?.over === true) await slices.pause();
        }
      }
    } finally {
      await file.close();
    }
    return damaged;
  }

  /** Removes the table of earlier versions. What cannot be removed stays. */
  removeEarlier(): void {
    void removeEarlierFiles(this.#fs, this.#folder, (name) => name === EARLIER_TABLE).catch(() => undefined);
  }

  /**
   * Stores the result of reading a log. Unsynced lines may be lost in a power cut, together with the read position.
   * @throws StoreWriteError
   */
  async add(batch: HistoryBatch): Promise<void> {
    const writer = await this.#open();
    const { entries, from } = batch;
    // The last line of a batch records how far the log was read.
    for (let start = MOST_ENTRIES; start < entries.length; start += MOST_ENTRIES)
      this.#append(writer, { ...batch, to: from, entries: entries.slice(start - MOST_ENTRIES, start) });
    const last = Math.floor(Math.max(0, entries.length - 1) / MOST_ENTRIES) * MOST_ENTRIES;
    this.#append(writer, { ...batch, entries: entries.slice(last) });
    await writer.written();
  }

  /** Resolves when all of it is on the disk. @throws StoreWriteError */
  async sync(): Promise<void> {
    await this.#writer?.sync();
  }

  /** Forgets everything. @throws StoreWriteError, or the disk's error */
  clear(): Promise<void> {
    return this.#changes.run(async () => {
      this.#requireWritable();
      await this.#end();
      if ((await this.#fs.size(this.#path)) === null) return;
      await this.#fs.remove(this.#path);
      await this.#fs.syncFolder(this.#folder);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#changes.waitUntilSettled();
    await this.#end();
  }

  async #open(): Promise<AppendLog> {
    this.#requireWritable();
    if (this.#writer === null) {
      await this.#fs.makeFolder(this.#folder);
      await this.#fs.syncFolder(this.#dir);
      this.#writer = new AppendLog({ fs: this.#fs, name: "imported usage" });
    }
    return this.#writer;
  }

  #append(writer: AppendLog, batch: HistoryBatch): void {
    const line = frame(JSON.stringify(getStored(batch)));
    writer.append({ path: () => this.#path, line: () => line, awaited: false });
  }

  /** After a refused write nothing of it is stored: the next import reads it again. */
  async #end(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    await writer?.close().catch(() => undefined);
  }

  #requireWritable(): void {
    if (this.#closed) throw new StoreWriteError("The imported usage is closed.");
    if (this.#readOnly)
      throw new StoreWriteError("A newer version wrote this data folder: usage cannot be imported into it.");
  }
}
