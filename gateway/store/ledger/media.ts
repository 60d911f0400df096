import type { DatabaseSync, StatementSync } from "node:sqlite";
import { believedSince, isTooOld, outdatedMedia } from "../../core/media/media-retention.ts";
import type { RetainedMedia } from "../../core/media/media-retention.ts";
import type { MediaFilter } from "../../core/media/media-filter.ts";
import { searchText, searchWords } from "../../core/media/prompt-search.ts";
import type { FolderContent } from "../media/library-folders.ts";
import { MediaFollower } from "./media-follower.ts";
import { condition, isAmong, joinAll } from "./ledger-table.ts";
import type { Condition, LedgerTable, Line, OpenTable, TableParts } from "./ledger-table.ts";
import type { FindOutdated, ListMediaRows, ListedMediaRows, OutdatedMedia } from "./questions.ts";

/** Ids in need of repair that one response names. */
const MOST_ODD = 1_000;

/** Results by their sidecars, ids whose sidecar is lost, and the folders as they were read. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS media (
  id TEXT NOT NULL PRIMARY KEY, place INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL,
  key TEXT NOT NULL, nano REAL, bytes INTEGER NOT NULL, prompt TEXT NOT NULL, folder TEXT NOT NULL, stamp TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS media_by_place ON media (place, id);
CREATE INDEX IF NOT EXISTS media_by_folder ON media (folder);
CREATE TABLE IF NOT EXISTS media_odd (id TEXT NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (folder, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS media_folders (name TEXT NOT NULL PRIMARY KEY, changed_at INTEGER NOT NULL) WITHOUT ROWID`;

/** Results of the library, from its sidecars. */
export const mediaTable: LedgerTable = {
  name: "media",
  folder: "media",
  fileNumber: () => null,
  schema: SCHEMA,
  indexes: "",
  open: (parts) => new MediaTable(parts),
  follow: (parts) => new MediaFollower(parts),
};

class MediaTable implements OpenTable {
  readonly queries: OpenTable["queries"];
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #insertOdd: StatementSync;

  constructor({ database }: TableParts) {
    this.#database = database;
    this.#insert = database.prepare("INSERT OR REPLACE INTO media VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insertOdd = database.prepare("INSERT OR IGNORE INTO media_odd VALUES (?, ?)");
    this.queries = {
      list: (ask: ListMediaRows) => this.#list(ask),
      outdated: (ask: FindOutdated) => this.#findOutdated(ask),
    };
  }

  /** @param line changes of a folder */
  add({ value }: Line): void {
    const { folder, sidecars, gone, odd } = value as FolderContent;
    if (gone.length > 0) {
      const { sql, values } = isAmong("id", gone);
      this.#database.prepare(`DELETE FROM media WHERE ${sql}`).run(...values);
    }
    this.#database.prepare("DELETE FROM media_odd WHERE folder = ?").run(folder);
    for (const id of odd) this.#insertOdd.run(id, folder);
    for (const { entry, place, stamp } of sidecars) {
      const { id, at, kind, bytes, origin } = entry;
      const { model = "", key = "", nano = null, prompt = "" } = origin ?? {};
      this.#insert.run(id, place, at, kind, model, key, nano, bytes, searchText(prompt), folder, stamp);
    }
  }

  forget(): void {
    this.#database.exec("DELETE FROM media; DELETE FROM media_odd; DELETE FROM media_folders");
  }

  flush(): void {
    // A row is written as soon as it is added.
  }

  #list({ limit, before, offset, hidden, changed: _changed, ...filter }: ListMediaRows): ListedMediaRows {
    const filtered = joinAll([isShown(hidden), ...matchMedia(filter)]);
    const isBefore = before === null ? [] : [condition("(place, id) < (?, ?)", before.place, before.id)];
    const { sql, values } = joinAll([filtered, ...isBefore]);
    const page = this.#database.prepare(
      `SELECT id, place FROM media WHERE ${sql} ORDER BY place DESC, id DESC LIMIT ? OFFSET ?`,
    );
    const rows = page
      .all(...values, limit + 1, offset)
      .map(({ id, place }) => ({ id: String(id), place: Number(place) }));
    const total = this.#database.prepare(`SELECT count(*) AS count FROM media WHERE ${filtered.sql}`);
    const odd = this.#database.prepare("SELECT id FROM media_odd LIMIT ?").all(MOST_ODD);
    return {
      ids: rows.slice(0, limit).map(({ id }) => id),
      next: rows.length > limit ? (rows[limit - 1] ?? null) : null,
      total: Number(total.get(...filtered.values)?.["count"]),
      odd: odd.map(({ id }) => String(id)),
    };
  }

  #findOutdated({ hidden, now, keepDays, maxBytes }: FindOutdated): OutdatedMedia {
    const { sql, values } = isShown(hidden);
    const oldestFirst = this.#database.prepare(`SELECT id, at, bytes FROM media WHERE ${sql} ORDER BY place, id`);
    const rows = oldestFirst.all(...values) as unknown as readonly RetainedMedia[];
    const since = keepDays === null ? null : believedSince(rows, now);
    const retained =
      keepDays === null || since === null ? [] : rows.filter(({ at }) => at < since && isTooOld(at, keepDays, now));
    return { ids: outdatedMedia(rows, { keepDays, maxBytes }, now), retained: retained.length, since };
  }
}

/** @param hidden ids of deleted results */
function isShown(hidden: readonly string[]): Condition {
  if (hidden.length === 0) return condition("TRUE");
  const { sql, values } = isAmong("id", hidden);
  return condition(`NOT (${sql})`, ...values);
}

const matchMedia = ({ kind, model, key, q, since, until, minNano }: MediaFilter): readonly Condition[] => [
  ...(kind === undefined ? [] : [condition("kind = ?", kind)]),
  ...(model === undefined ? [] : [condition("model = ?", model)]),
  ...(key === undefined ? [] : [condition("key = ?", key)]),
  ...(since === undefined ? [] : [condition("at >= ?", since)]),
  ...(until === undefined ? [] : [condition("at < ?", until)]),
  ...(minNano === undefined ? [] : [condition("nano >= ?", minNano)]),
  ...searchWords(q ?? "").map((word) => condition("instr(prompt, ?) > 0", word)),
];
