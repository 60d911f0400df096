import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getMessage } from "../../lib/message-of.ts";
import { within } from "../../lib/within.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { StoreEvent } from "../store-event.ts";
import { INDEX_FILE, IN_MEMORY, isDamage, openIndex, removeIndex } from "./index-file.ts";
import type { Follower, FollowerParts, LedgerTable, OpenTable, WriteSlot } from "./ledger-table.ts";
import { LogFollower, POSITIONS } from "./log-follower.ts";
import type { FileDamage } from "./questions.ts";
import { TABLES } from "./tables.ts";

/** A query waits for earlier writes to be indexed, unless there are more bytes than this, */
const NEAR_BYTES = 4 * 1024 * 1024;
/** which one read of this length (ms) shows; and never longer than that many of them. */
const LOOK_MS = 40;
const LOOKS = 125;

const SCHEMA = [POSITIONS, ...TABLES.map(({ schema }) => schema)].join(";");

export interface LedgerIndexParts {
  /** The data folder. */
  readonly dir: string;
  /** Nothing may be written in it. */
  readonly readOnly: boolean;
  readonly log: (event: StoreEvent) => void;
  /** Receives damage of files that only the index reads. */
  readonly report?: (damage: FileDamage) => void;
  readonly fs?: StoreFs;
}

export interface Responded {
  readonly response: unknown;
  /** Progress of the table's rebuild in percent; null if complete. */
  readonly rebuilding: number | null;
}

/** A queried table and the log that it follows. */
interface FollowedTable {
  readonly open: OpenTable;
  readonly follower: Follower;
  /** The running read, and the next one for queries that arrived meanwhile. */
  reading: Promise<void> | null;
  next: Promise<void> | null;
}

/** The index over the logs, as it is in its thread. Nothing in it is waited for by a call. */
export class LedgerIndex {
  readonly #parts: LedgerIndexParts;
  readonly #path: string;
  #database: DatabaseSync | null = null;
  readonly #tables = new Map<string, FollowedTable>();
  #slot: WriteSlot = { owner: null };
  #refused = "";

  constructor(parts: LedgerIndexParts) {
    this.#parts = parts;
    this.#path = parts.readOnly ? IN_MEMORY : join(parts.dir, INDEX_FILE);
  }

  /** @param name table and query, joined by a dot @throws errors of the logs or the index */
  async ask(name: string, question: object): Promise<Responded> {
    const [table = "", about = ""] = name.split(".");
    try {
      return await this.#respond(table, about, question);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#discard(error);
      return await this.#respond(table, about, question);
    }
  }

  close(): void {
    this.#tables.clear();
    this.#slot = { owner: null };
    this.#database?.close();
    this.#database = null;
  }

  async #respond(name: string, about: string, question: object): Promise<Responded> {
    const table = this.#open(name);
    const { follower } = table;
    follower.prepare?.(question);
    const reading = this.#catchUp(name, table);
    for (let look = 0; look < LOOKS; look += 1)
      if ((await within(reading, LOOK_MS)) || follower.total - follower.done > NEAR_BYTES) break;
    // The index may have been recreated meanwhile.
    const { open, follower: newest } = this.#open(name);
    const query = open.queries[about];
    if (query === undefined) throw new Error(`The index has no query ${name}.${about}.`);
    return { response: query(question as never), rebuilding: getPercent(newest) };
  }

  /** Resolves when all that was written by now is read, or cannot be. */
  #catchUp(name: string, table: FollowedTable): Promise<void> {
    if (table.reading === null) return (table.reading = this.#read(name, table));
    table.next ??= table.reading.then(() => {
      table.next = null;
      return (table.reading = this.#read(name, table));
    });
    return table.next;
  }

  async #read(name: string, table: FollowedTable): Promise<void> {
    try {
      await table.follower.read(async () => {
        await nextTurn();
        if (this.#tables.get(name) !== table) throw new Error("The index was closed.");
      });
      for (const statement of findTable(name).indexes.split(";")) {
        this.#database?.exec(statement);
        await nextTurn();
      }
      this.#refused = "";
    } catch (error) {
      if (this.#tables.get(name) === table) this.#takeFailure(error);
    } finally {
      table.reading = null;
    }
  }

  /** Closes the index: rows that were not committed are read again after the next question opens it. */
  #takeFailure(error: unknown): void {
    if (isDamage(error)) {
      this.#discard(error);
      return;
    }
    this.close();
    const reason = getMessage(error);
    if (reason === this.#refused) return;
    this.#refused = reason;
    const message = `The index cannot be written (${reason}). Pages show what it has until the disk of the data folder takes it.`;
    this.#parts.log({ event: "store.index_refused", level: "warning", message });
  }

  #discard(error: unknown): void {
    this.close();
    if (this.#path !== IN_MEMORY) removeIndex(this.#path);
    const message = `The index was damaged (${getMessage(error)}) and is made again of the logs; nothing is lost.`;
    this.#parts.log({ event: "store.index_discarded", level: "info", message });
  }

  #open(name: string): FollowedTable {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = findTable(name);
    const database = (this.#database ??= this.#openFile());
    const folder = join(this.#parts.dir, table.folder);
    let isIndexed = false;
    const parts = { database, folder, isIndexed: () => (isIndexed ||= hasIndexes(database, table)) };
    const open = table.open(parts);
    const { fs = nodeStoreFs, report } = this.#parts;
    const following: FollowerParts = {
      fs,
      folder,
      database,
      table,
      open,
      slot: this.#slot,
      report: (damage) => {
        if (table.reportsDamage === true) report?.(damage);
      },
    };
    const follower = table.follow?.(following) ?? new LogFollower(following);
    const followed: FollowedTable = { open, follower, reading: null, next: null };
    this.#tables.set(name, followed);
    return followed;
  }

  #openFile(): DatabaseSync {
    try {
      return openIndex(this.#path, SCHEMA);
    } catch (error) {
      this.#takeFailure(error);
      return openIndex(IN_MEMORY, SCHEMA);
    }
  }
}

function findTable(name: string): LedgerTable {
  const table = TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`The index has no table ${name}.`);
  return table;
}

function hasIndexes(database: DatabaseSync, { indexes }: LedgerTable): boolean {
  const expected = indexes.split("CREATE INDEX").length - 1;
  const sql = "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'index' AND instr(?, ' ' || name || ' ') > 0";
  return database.prepare(sql).get(indexes)?.["count"] === expected;
}

const getPercent = ({ isWhole, done, total }: Follower): number | null =>
  isWhole ? null : Math.min(99, Math.floor((100 * done) / Math.max(1, total)));
