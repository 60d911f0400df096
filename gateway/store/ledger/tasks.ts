import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { searchWords } from "../../core/media/prompt-search.ts";
import { getEntry } from "../../core/tasks/task-entry.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import { utcMonth } from "../../lib/clock.ts";
import { isTaskRecord } from "../tasks/task-check.ts";
import { LONGEST_TASK, findTaskMonth } from "../tasks/task-months.ts";
import { condition, getFile, getOffset, isAmong, joinAll, joinAny, placesFrom } from "./ledger-table.ts";
import type { Condition, LedgerTable, Line, OpenTable, TableParts } from "./ledger-table.ts";
import type { FindTasks, FoundTask, ListTaskRows, ListedTasks } from "./questions.ts";

/** Figures that tasks are sorted by, and everything that they are found by. */
const COLUMNS = `
  id TEXT NOT NULL PRIMARY KEY, public_id TEXT NOT NULL, provider_id TEXT, request_id TEXT NOT NULL, key TEXT NOT NULL,
  connection TEXT NOT NULL, model TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL, finished_at REAL,
  nano INTEGER, idempotency TEXT, deleted INTEGER NOT NULL, place INTEGER, length INTEGER NOT NULL, prompt TEXT NOT NULL`;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS tasks (${COLUMNS}) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tasks_by_place ON tasks (place);
CREATE INDEX IF NOT EXISTS tasks_by_provider_id ON tasks (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS tasks_by_name ON tasks (idempotency) WHERE idempotency IS NOT NULL`;

/** Tasks of the document, as one question sends them: they count instead of what the archive has of them. */
const LIVE = `CREATE TEMP TABLE IF NOT EXISTS live_tasks (${COLUMNS})`;

/** Max rows of one id: a task may also be in the document again. */
const MOST_FOUND = 20;

/** Finished tasks that have left the document. The last record of an id in its month counts. */
export const tasksTable: LedgerTable = {
  name: "tasks",
  folder: "tasks",
  fileNumber: findTaskMonth,
  longestLine: LONGEST_TASK,
  reportsDamage: true,
  schema: SCHEMA,
  indexes: "",
  open: (parts) => new TaskTable(parts),
};

class TaskTable implements OpenTable {
  readonly queries: OpenTable["queries"];
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;

  constructor({ database }: TableParts) {
    this.#database = database;
    database.exec(`PRAGMA temp_store = MEMORY; ${LIVE}`);
    this.#insert = database.prepare(insertInto("tasks"));
    this.queries = {
      list: (ask: ListTaskRows) => this.#list(ask),
      find: (ask: FindTasks) => this.#find(ask),
    };
  }

  add({ place, length, value }: Line): boolean {
    if (!isTaskRecord(value) || findTaskMonth(`tasks-${utcMonth(value.created_at)}.ndjson`) !== getFile(place))
      return false;
    this.#insert.run(...makeRow(getEntry(value), place, length));
    return true;
  }

  forget(file: number): void {
    this.#database
      .prepare("DELETE FROM tasks WHERE place >= ? AND place < ?")
      .run(placesFrom(file), placesFrom(file + 1));
  }

  flush(): void {
    // A row is written as soon as it is added.
  }

  #list({ live, sort, order, limit, offset, after, ...filter }: ListTaskRows): ListedTasks {
    this.#database.exec("DELETE FROM live_tasks");
    const insert = this.#database.prepare(insertInto("live_tasks"));
    for (const entry of live) insert.run(...makeRow(entry, null, 0));
    const from = `(SELECT * FROM live_tasks UNION ALL SELECT * FROM tasks WHERE id NOT IN (SELECT id FROM live_tasks))`;
    const filtered = matchTasks(filter);
    const { sql, values } = joinAll([filtered, ...(after === null ? [] : [isAfter(after, order)])]);
    const direction = order === "asc" ? "ASC" : "DESC";
    const rows = this.#database.prepare(
      `SELECT id, place, length FROM ${from} WHERE ${sql}
      ORDER BY ${sort} ${direction} NULLS LAST, created_at ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    );
    const total = this.#database.prepare(`SELECT count(*) AS count FROM ${from} WHERE ${filtered.sql}`);
    return {
      tasks: rows.all(...values, limit, offset).map(readFound),
      total: Number(total.get(...filtered.values)?.["count"]),
    };
  }

  #find({ by, value, key, connection }: FindTasks): FoundTask[] {
    const { sql, values } = joinAll([
      joinAny(FOUND_BY[by].map((column) => condition(`${column} = ?`, value))),
      ...(key === null ? [] : [condition("key = ?", key)]),
      ...(connection === null ? [] : [condition("connection = ?", connection)]),
    ]);
    const newest = `SELECT id, place, length FROM tasks WHERE ${sql}
      ORDER BY id = ? DESC, created_at DESC, id DESC LIMIT ${MOST_FOUND}`;
    return this.#database
      .prepare(newest)
      .all(...values, value)
      .map(readFound);
  }
}

const FOUND_BY: Readonly<Record<FindTasks["by"], readonly string[]>> = {
  id: ["id", "provider_id"],
  provider_id: ["provider_id"],
  name: ["idempotency"],
};

const insertInto = (table: string): string => `INSERT OR REPLACE INTO ${table} VALUES (${"?, ".repeat(15)}?)`;

const makeRow = (entry: TaskEntry, place: number | null, length: number): SQLInputValue[] => [
  entry.id,
  entry.publicId,
  entry.providerId,
  entry.requestId,
  entry.key,
  entry.connection,
  entry.model,
  entry.status,
  entry.createdAt,
  entry.finishedAt,
  entry.nano,
  entry.idempotency,
  entry.deleted ? 1 : 0,
  place,
  length,
  entry.prompt,
];

function readFound(row: Record<string, unknown>): FoundTask {
  const { id, place, length } = row;
  if (place === null) return { id: String(id), place: null };
  const at = Number(place);
  return { id: String(id), place: { file: getFile(at), offset: getOffset(at), length: Number(length) } };
}

function matchTasks(filter: Omit<ListTaskRows, "live" | "sort" | "order" | "limit" | "offset" | "after">): Condition {
  const { q, status, models, key, since, until, min_nano: least, isListed } = filter;
  return joinAll([
    ...(status === undefined ? [] : [condition("status = ?", status)]),
    ...(models === undefined ? [] : [isAmong("model", models)]),
    ...(key === undefined ? [] : [condition("key = ?", key)]),
    ...(since === undefined ? [] : [condition("created_at >= ?", since)]),
    ...(until === undefined ? [] : [condition("created_at < ?", until)]),
    ...(least === undefined ? [] : [condition("nano >= ?", least)]),
    ...(isListed ? [condition("deleted = 0")] : []),
    ...(q === undefined || q === "" ? [] : [matchText(q)]),
  ]);
}

/** Matches a task id exactly, or all words in the prompt. */
const matchText = (text: string): Condition =>
  joinAny([
    ...["id", "public_id", "provider_id", "request_id"].map((column) => condition(`${column} = ?`, text)),
    joinAll(searchWords(text).map((word) => condition("instr(prompt, ?) > 0", word))),
  ]);

function isAfter({ created_at: createdAt, id }: { created_at: number; id: string }, order: "asc" | "desc"): Condition {
  const sign = order === "asc" ? ">" : "<";
  return condition(`created_at ${sign} ? OR (created_at = ? AND id ${sign} ?)`, createdAt, createdAt, id);
}
