import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { StoreFs } from "../disk/store-fs.ts";
import type { FileDamage } from "./questions.ts";

/** Max size of a log file that places can address: 64 GiB. */
const FILE_BYTES = 2 ** 36;
const FILES = Number.MAX_SAFE_INTEGER / FILE_BYTES;

/** A line of a log. Its place combines file number and offset, so that greater places are later. */
export interface Line {
  readonly place: number;
  /** Bytes, without its newline. */
  readonly length: number;
  /** The parsed value, whose checksum is right. */
  readonly value: unknown;
}

/** @returns null if a file is too long or its number too high: such lines are not indexed */
export function getPlace(file: number, offset: number): number | null {
  return file >= 0 && file < FILES && offset < FILE_BYTES ? file * FILE_BYTES + offset : null;
}

export const getFile = (place: number): number => Math.floor(place / FILE_BYTES);
export const getOffset = (place: number): number => place % FILE_BYTES;
/** Returns the first place of a file. */
export const placesFrom = (file: number): number => file * FILE_BYTES;

/** A question to a table, which goes from thread to thread as its response does. */
export type Question = Readonly<Record<string, unknown>>;
export type Query = (question: never) => unknown;

/** A table of the index over one log. A new one is a file that says this, and a line in `tables.ts`. */
export interface LedgerTable {
  /** Begins the names of its questions. */
  readonly name: string;
  /** Below the data folder. */
  readonly folder: string;
  /** Returns the number of a log file; later files have greater numbers. Null for other files. */
  fileNumber(name: string): number | null;
  /** Bytes; by default that of `LineReader`. */
  readonly longestLine?: number;
  /** Whether damage of its files is reported, because nothing else reads all of them. */
  readonly reportsDamage?: boolean;
  /** Tables, and indexes that lines are added with. */
  readonly schema: string;
  /** Indexes that are made when the log was read once: sorting is faster than adding line by line. */
  readonly indexes: string;
  open(parts: TableParts): OpenTable;
  /** Opens the reader of its source if that is not a log. */
  follow?(parts: FollowerParts): Follower;
}

/** The follower whose rows are in the open transaction: tables are read at the same time. */
export interface WriteSlot {
  owner: Follower | null;
}

export interface FollowerParts {
  readonly fs: StoreFs;
  /** Folder of the truth. */
  readonly folder: string;
  readonly database: DatabaseSync;
  readonly table: LedgerTable;
  readonly open: OpenTable;
  readonly slot: WriteSlot;
  report(damage: FileDamage): void;
}

/** Reads new data of a source into a table, from its last position. */
export interface Follower {
  /** Whether it has read everything. */
  readonly isWhole: boolean;
  /** How much is in the table, and how much there is. */
  readonly done: number;
  readonly total: number;
  /** Receives facts about the source from a query. */
  prepare?(question: object): void;
  /** Reads what there is by now. @param pause is called after each piece */
  read(pause: () => Promise<void>): Promise<void>;
  /** Commits rows that it has added. */
  commit(): void;
}

export interface TableParts {
  readonly database: DatabaseSync;
  /** The folder of the log. */
  readonly folder: string;
  /** Whether the indexes are made: before, no statement may name one. */
  isIndexed(): boolean;
}

export interface OpenTable {
  /** Adds a line. Lines of other kinds are skipped. @returns false where its record cannot be used */
  add(line: Line): boolean | void;
  /** Counts lines that are damaged. */
  addDamaged?(lines: number): void;
  /** Removes the lines of a file that was replaced. */
  forget(file: number): void;
  /** Writes rows collected while lines were added, in the same transaction. */
  flush(): void;
  /** Functions that respond to its questions, by their names without the table. */
  readonly queries: Readonly<Record<string, Query>>;
}

/** SQL condition with bound values: a query's data is never part of the SQL text. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export const condition = (sql: string, ...values: readonly SQLInputValue[]): Condition => ({ sql, values });

/** Combines conditions by AND. */
export function joinAll(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return condition("TRUE");
  return join(conditions, " AND ");
}

/** Any of these. */
export function joinAny(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return condition("FALSE");
  return join(conditions, " OR ");
}

const join = (conditions: readonly Condition[], by: string): Condition => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(by),
  values: conditions.flatMap(({ values }) => values),
});

/** Values as one that is bound: `IN (SELECT value FROM json_each(?))`. */
export const isAmong = (column: string, values: readonly unknown[]): Condition =>
  condition(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
