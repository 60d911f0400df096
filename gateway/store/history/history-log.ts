import { join } from "node:path";
import type { HistoryAgent } from "../../contract/history.ts";
import { historyAgentSchema } from "../../contract/history.ts";
import type { HistoryBatch, HistoryEntry, HistoryTokens } from "../../core/history/history-entry.ts";
import { HISTORY_UNITS } from "../../core/history/history-entry.ts";
import { isRecord } from "../../lib/records.ts";
import { Mutex } from "../../lib/mutex.ts";
import type { Slices } from "../../lib/slices.ts";
import { AppendLog } from "../disk/append-log.ts";
import { frame } from "../disk/line.ts";
import { LineReader } from "../disk/line-reader.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { HISTORY_FOLDER } from "../folder/data-folder.ts";
import { StoreWriteError } from "../store.ts";
import { getMark, readTable, writeTable } from "./history-table-file.ts";
import type { CountedTable, LogMark } from "./history-table-file.ts";

const FILE = "imported.ndjson";
/** Table of the counts, rebuilt if it does not match the log; it is in no backup. */
const TABLE = "imported.table";
/** Entries of a line: some hundred kB at the most. */
const MOST_ENTRIES = 1_000;
/** Figures of an entry before its tokens. */
const FIELDS = 8;
const [SIDECHAIN, POSTERN] = [1, 2];

type Row = readonly (string | number)[];

/** A line as it lies on the disk: names once, entries as rows of their numbers. */
interface StoredBatch {
  readonly agent: HistoryAgent;
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly tail: string;
  readonly state: unknown;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

export interface HistoryLogParts {
  /** The data folder. */
  readonly dir: string;
  /** A newer version wrote the folder: nothing in it may be changed. */
  readonly readOnly: boolean;
  readonly fs?: StoreFs;
}

/**
 * Usage imported from agents' logs: one append-only file of checksummed lines, removed as a whole. Each line has the entries
 * of a part of a log together with how far that log was read, so that both are kept or neither is.
 */
export class HistoryLog {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #tablePath: string;
  readonly #readOnly: boolean;
  /** Keeps removed entries from being written again. */
  readonly #changes = new Mutex();
  #writer: AppendLog | null = null;
  #closed = false;

  constructor({ dir, readOnly, fs = nodeStoreFs }: HistoryLogParts) {
    this.#fs = fs;
    this.#dir = dir;
    this.#folder = join(dir, HISTORY_FOLDER);
    this.#path = join(this.#folder, FILE);
    this.#tablePath = join(this.#folder, TABLE);
    this.#readOnly = readOnly;
  }

  /** Returns the size on the disk. */
  async bytes(): Promise<number> {
    return (await this.#fs.size(this.#path)) ?? 0;
  }

  /** Has everything looked at that is kept, in the order in which it came. @returns how many lines are damaged */
  async read(visit: (batch: HistoryBatch) => void, slices: Slices): Promise<number> {
    const size = await this.#fs.size(this.#path);
    if (size === null) return 0;
    const file = await this.#fs.open(this.#path, "read");
    let damaged = 0;
    try {
      const reader = new LineReader(file, { to: size });
      for (let cut = await reader.next(); cut !== null; cut = await reader.next()) {
        // A torn end that a kill left was never confirmed.
        damaged += cut.bad.filter(({ torn }) => !torn).length;
        for (const { value } of cut.lines) {
          const batch = getBatch(value);
          if (batch === null) damaged += 1;
          else visit(batch);
          if (slices.over) await slices.pause();
        }
      }
    } finally {
      await file.close();
    }
    return damaged;
  }

  /** Returns the mark of the log in its current state; null without a log. */
  mark(): Promise<LogMark | null> {
    return getMark(this.#fs, this.#path);
  }

  /** Returns the stored table if nothing was added to the log since; else null. */
  table(): Promise<CountedTable | null> {
    return readTable(this.#fs, this.#tablePath, this.#path).catch(() => null);
  }

  /** @param counted of the log with that mark: if the log has changed since, nothing is kept */
  keepTable(counted: CountedTable & { readonly mark: LogMark }): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#closed || this.#readOnly) return;
      await writeTable(this.#fs, this.#tablePath, this.#path, counted);
    });
  }

  /**
   * Keeps what one reading of a log brought. What is not yet on the disk may be lost with a power cut, together with how
   * far the log was read.
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
  async synced(): Promise<void> {
    await this.#writer?.synced();
  }

  /** Forgets everything. @throws StoreWriteError, or the disk's error */
  clear(): Promise<void> {
    return this.#changes.run(async () => {
      this.#requireWritable();
      await this.#end();
      const found: string[] = [];
      for (const path of [this.#tablePath, this.#path]) if ((await this.#fs.size(path)) !== null) found.push(path);
      for (const path of found) await this.#fs.remove(path);
      if (found.length > 0) await this.#fs.syncFolder(this.#folder);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#changes.settled();
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

  /** A disk that refuses has nothing of it: the next import reads it again. */
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

function getStored({ entries, ...batch }: HistoryBatch): StoredBatch {
  const names = new Map<string, number>();
  const number = (name: string): number => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const rows = entries.map((entry) => [
    entry.key,
    entry.scope,
    entry.at,
    (entry.sidechain ? SIDECHAIN : 0) + (entry.postern ? POSTERN : 0),
    number(entry.model),
    number(entry.session),
    number(entry.project),
    number(entry.served),
    ...entry.tokens,
  ]);
  return { ...batch, names: [...names.keys()], rows };
}

/** @returns null if it is no valid batch */
function getBatch(value: unknown): HistoryBatch | null {
  if (!isRecord(value)) return null;
  const { file, from, to, tail, state, names, rows } = value;
  const agent = historyAgentSchema.safeParse(value["agent"]);
  if (!agent.success || typeof file !== "string" || typeof tail !== "string") return null;
  if (!isOffset(from) || !isOffset(to) || !Array.isArray(names) || !Array.isArray(rows)) return null;
  const entries: HistoryEntry[] = [];
  for (const row of rows) {
    const entry = Array.isArray(row) ? getEntry(agent.data, row as Row, names as string[]) : null;
    if (entry === null) return null;
    entries.push(entry);
  }
  return { agent: agent.data, file, from, to, tail, state, entries };
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function getEntry(agent: HistoryAgent, row: Row, names: readonly string[]): HistoryEntry | null {
  const [key, scope, at, flags, model, session, project, served] = row;
  if (row.length !== FIELDS + HISTORY_UNITS.length || typeof key !== "string" || typeof scope !== "string") return null;
  const tokens = row.slice(FIELDS) as unknown as HistoryTokens;
  if (![model, session, project, served].every((place) => typeof names[place as number] === "string")) return null;
  if (!isOffset(at) || !tokens.every(isOffset)) return null;
  return {
    agent,
    key,
    scope,
    at,
    model: names[model as number] as string,
    session: names[session as number] as string,
    project: names[project as number] as string,
    served: names[served as number] as string,
    sidechain: ((flags as number) & SIDECHAIN) !== 0,
    postern: ((flags as number) & POSTERN) !== 0,
    tokens,
  };
}
