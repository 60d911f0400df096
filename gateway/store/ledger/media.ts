import type { DatabaseSync, StatementSync } from "node:sqlite";
import { searchText, searchWords } from "../../core/media/prompt-search.ts";
import { MEDIA_LOG } from "../media/media-copy.ts";
import { asMediaLine } from "../media/media-lines.ts";
import type { MediaFilter } from "../../core/media/media-filter.ts";
import { condition, isAmong, joinAll } from "./ledger-table.ts";
import type { Condition, LedgerTable, Line, OpenTable, TableParts } from "./ledger-table.ts";
import type { ListMediaRows, ListedMediaRows } from "./questions.ts";

/** Results in the order in which they were saved; whether a file is missing is known in memory alone. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS media (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL,
  key TEXT NOT NULL, nano REAL, deleted INTEGER NOT NULL, prompt TEXT NOT NULL
)`;

/** The results of the library, as its log tells of them. */
export const mediaTable: LedgerTable = {
  name: "media",
  folder: "media",
  fileNumber: (name) => (name === MEDIA_LOG ? 0 : null),
  schema: SCHEMA,
  indexes: "",
  open: (parts) => new MediaTable(parts),
};

class MediaTable implements OpenTable {
  readonly queries: OpenTable["queries"];
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;

  constructor({ database }: TableParts) {
    this.#database = database;
    // Two copies of a log may have been put together by hand.
    this.#insert = database.prepare("INSERT OR IGNORE INTO media VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)");
    this.queries = { list: (ask: ListMediaRows) => this.#list(ask) };
  }

  add({ place, value }: Line): void {
    const line = asMediaLine(value);
    if (line?.op === "add") {
      const { id, at, kind, origin } = line.entry;
      const { model = "", key = "", nano = null, prompt = "" } = origin ?? {};
      this.#insert.run(place, id, at, kind, model, key, nano, searchText(prompt));
    } else if (line?.op === "deleted" || line?.op === "restored")
      this.#change(`UPDATE media SET deleted = ${line.op === "deleted" ? 1 : 0}`, line.ids);
    else if (line?.op === "removed") this.#change("DELETE FROM media", line.ids);
  }

  forget(): void {
    this.#database.exec("DELETE FROM media");
  }

  flush(): void {
    // A row is written as soon as it is added.
  }

  #change(change: string, ids: readonly string[]): void {
    const { sql, values } = isAmong("id", ids);
    this.#database.prepare(`${change} WHERE ${sql}`).run(...values);
  }

  #list({ limit, before, offset, end: _end, ...filter }: ListMediaRows): ListedMediaRows {
    const wanted = matchMedia(filter);
    const { sql, values } = joinAll([wanted, ...(before === null ? [] : [condition("place < ?", before)])]);
    const page = this.#database.prepare(
      `SELECT id, place FROM media WHERE ${sql} ORDER BY place DESC LIMIT ? OFFSET ?`,
    );
    const rows = page.all(...values, limit + 1, offset);
    const total = this.#database.prepare(`SELECT count(*) AS count FROM media WHERE ${wanted.sql}`);
    const ids = rows.slice(0, limit).map(({ id }) => String(id));
    return {
      ids,
      next: rows.length > limit ? Number(rows[limit - 1]?.["place"]) : null,
      total: Number(total.get(...wanted.values)?.["count"]),
    };
  }
}

function matchMedia({ kind, model, key, q, since, until, minNano }: MediaFilter): Condition {
  return joinAll([
    condition("deleted = 0"),
    ...(kind === undefined ? [] : [condition("kind = ?", kind)]),
    ...(model === undefined ? [] : [condition("model = ?", model)]),
    ...(key === undefined ? [] : [condition("key = ?", key)]),
    ...(since === undefined ? [] : [condition("at >= ?", since)]),
    ...(until === undefined ? [] : [condition("at < ?", until)]),
    ...(minNano === undefined ? [] : [condition("nano >= ?", minNano)]),
    ...searchWords(q ?? "").map((word) => condition("instr(prompt, ?) > 0", word)),
  ]);
}
