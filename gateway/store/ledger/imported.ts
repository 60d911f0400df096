import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { HistoryAgent } from "../../contract/history.ts";
import { matchesRequest } from "../../contract/matches-request.ts";
import { EntryPricer } from "../../core/history/entry-pricer.ts";
import { chooseCopy } from "../../core/history/fold-history.ts";
import { HISTORY_UNITS } from "../../core/history/history-entry.ts";
import type { HistoryEntry, HistoryTokens } from "../../core/history/history-entry.ts";
import { addEntry, getRequest } from "../../core/history/logged-request.ts";
import type { SummedHours } from "../../core/usage/hour-sums.ts";
import { HOUR_MS } from "../../core/usage/usage-period.ts";
import { IMPORTED_LOG, readBatch } from "../history/imported-line.ts";
import { condition, joinAll } from "./ledger-table.ts";
import type { Condition, LedgerTable, Line, OpenTable, TableParts } from "./ledger-table.ts";
import { HourRows } from "./hours.ts";
import type { ImportedView, PassImported, PassedImported, SumImportedHours } from "./questions.ts";

const TOKENS = HISTORY_UNITS.map((unit) => `${unit} INTEGER NOT NULL`).join(", ");

/** A row is the representative copy of a response. Names are stored once. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS imported_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS imported (
  key TEXT PRIMARY KEY, scope TEXT NOT NULL, at INTEGER NOT NULL, agent INTEGER NOT NULL, model INTEGER NOT NULL,
  session INTEGER NOT NULL, project INTEGER NOT NULL, served INTEGER NOT NULL, sidechain INTEGER NOT NULL,
  postern INTEGER NOT NULL, ${TOKENS}, is_counted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS imported_by_scope ON imported (scope) WHERE scope <> '';
CREATE TABLE IF NOT EXISTS imported_copied (scope TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imported_damage (lines INTEGER NOT NULL)`;

const NAMES = ["agent", "model", "session", "project", "served"] as const;
const ENTRY = "SELECT * FROM imported";
const INSERT = `INSERT OR REPLACE INTO imported VALUES (${"?, ".repeat(10 + HISTORY_UNITS.length)}?)`;

/** Usage of agents' own logs. */
export const importedTable: LedgerTable = {
  name: "imported",
  folder: "history",
  fileNumber: (name) => (name === IMPORTED_LOG ? 0 : null),
  schema: SCHEMA,
  indexes: "CREATE INDEX IF NOT EXISTS imported_by_at ON imported (at, key) WHERE is_counted",
  open: (parts) => new ImportedTable(parts),
};

class ImportedTable implements OpenTable {
  readonly queries: OpenTable["queries"];
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<number, string>();
  /** Scopes of which other entries may count since the last flush. */
  readonly #changed = new Set<string>();

  constructor({ database }: TableParts) {
    this.#database = database;
    this.#find = database.prepare(`${ENTRY} WHERE key = ?`);
    this.#insert = database.prepare(INSERT);
    for (const { id, name } of database.prepare("SELECT id, name FROM imported_names").all())
      this.#noteName(Number(id), String(name));
    this.queries = {
      view: () => this.#view(),
      hours: (ask: SumImportedHours) => this.#sumHours(ask),
      pass: (ask: PassImported) => this.#pass(ask),
    };
  }

  add({ value }: Line): void {
    const batch = readBatch(value);
    if (batch === null) this.addDamaged(1);
    else for (const entry of batch.entries) this.#addEntry(entry);
  }

  addDamaged(lines: number): void {
    this.#database.prepare("INSERT INTO imported_damage VALUES (?)").run(lines);
  }

  forget(): void {
    for (const table of ["imported", "imported_copied", "imported_damage"]) this.#database.exec(`DELETE FROM ${table}`);
    this.#changed.clear();
  }

  /** Counts a message replayed by several side conversations once, and not at all if the original exists. */
  flush(): void {
    const copied = this.#database.prepare("SELECT 1 FROM imported_copied WHERE scope = ?");
    const entries = this.#database.prepare(`${ENTRY} WHERE scope = ?`);
    const count = this.#database.prepare("UPDATE imported SET is_counted = ? WHERE key = ?");
    for (const scope of this.#changed) {
      const all = entries.all(scope).map((row) => this.#read(row));
      const replays = all.filter(({ sidechain }) => sidechain);
      const isNews = replays.length < all.length || copied.get(scope) !== undefined;
      const [first, ...others] = replays;
      const one = isNews || first === undefined ? null : others.reduce(chooseCopy, first);
      for (const { key } of replays) count.run(key === one?.key ? 1 : 0, key);
    }
    this.#changed.clear();
  }

  #addEntry(entry: HistoryEntry): void {
    const row = this.#find.get(entry.key);
    const known = row === undefined ? null : this.#read(row);
    if (known !== null && known.scope !== entry.scope)
      for (const { sidechain, scope } of [known, entry])
        if (!sidechain) this.#database.prepare("INSERT OR IGNORE INTO imported_copied VALUES (?)").run(scope);
    for (const scope of [entry.scope, known?.scope ?? ""]) if (scope !== "") this.#changed.add(scope);
    const { key, scope, at, sidechain, postern, tokens, ...names } = known === null ? entry : chooseCopy(known, entry);
    const isCounted = !sidechain || scope === "";
    const flags = [sidechain ? 1 : 0, postern ? 1 : 0];
    const numbers = NAMES.map((name) => this.#getNumber(names[name]));
    this.#insert.run(key, scope, at, ...numbers, ...flags, ...tokens, isCounted ? 1 : 0);
  }

  #noteName(id: number, name: string): void {
    this.#numbers.set(name, id);
    this.#names.set(id, name);
  }

  #getNumber(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const add = this.#database.prepare("INSERT INTO imported_names (name) VALUES (?)");
    const id = Number(add.run(name).lastInsertRowid);
    this.#noteName(id, name);
    return id;
  }

  #view(): ImportedView {
    const agents = this.#database.prepare(
      `SELECT agent, count(DISTINCT session) AS sessions, count(*) AS requests, min(at) AS "from", max(at) AS "to"
      FROM imported WHERE is_counted GROUP BY agent ORDER BY min(at)`,
    );
    const found = agents.all().map(({ agent, sessions, requests, from, to }) => ({
      agent: this.#getName(agent) as HistoryAgent,
      sessions: Number(sessions),
      requests: Number(requests),
      from: Number(from),
      to: Number(to),
    }));
    const models = this.#database.prepare("SELECT DISTINCT model FROM imported").all();
    const damaged = this.#database.prepare("SELECT total(lines) AS lines FROM imported_damage").get();
    return {
      agents: found,
      models: models.map(({ model }) => this.#getName(model)),
      first: found[0]?.from ?? null,
      damaged: Number(damaged?.["lines"]),
    };
  }

  #sumHours({ from, to, by, sums, search, ids, prices }: SumImportedHours): SummedHours {
    const pricer = new EntryPricer({ price: (model) => prices[model] ?? null }, true);
    const rows = new HourRows(sums);
    const { sql, values } = isOwn(from, to);
    for (const row of this.#database.prepare(`${ENTRY} WHERE ${sql} ORDER BY at`).iterate(...values)) {
      const entry = this.#read(row);
      const request = getRequest(entry, ids);
      if (!matchesRequest(request, search)) continue;
      const { at, model, served, tokens } = entry;
      const { totals } = rows.get(Math.floor(at / HOUR_MS), request[by] ?? "", request.endpoint);
      addEntry(totals, entry, pricer.cost(model, served, at, tokens).nano);
    }
    return rows.columns;
  }

  #pass({ from, to, search, ids, after, limit }: PassImported): PassedImported {
    const { sql, values } = joinAll([
      isOwn(from, to),
      ...(after === null ? [] : [condition("(at, key) > (?, ?)", after.at, after.key)]),
    ]);
    const rows = this.#database.prepare(`${ENTRY} WHERE ${sql} ORDER BY at, key LIMIT ?`).all(...values, limit);
    const entries = rows.map((row) => this.#read(row));
    const last = entries.length < limit ? undefined : entries.at(-1);
    const matching = entries.filter((entry) => matchesRequest(getRequest(entry, ids), search));
    return { entries: matching, next: last === undefined ? null : { at: last.at, key: last.key } };
  }

  #read(row: Record<string, SQLOutputValue>): HistoryEntry {
    return {
      agent: this.#getName(row["agent"]) as HistoryAgent,
      key: String(row["key"]),
      scope: String(row["scope"]),
      at: Number(row["at"]),
      model: this.#getName(row["model"]),
      session: this.#getName(row["session"]),
      project: this.#getName(row["project"]),
      served: this.#getName(row["served"]),
      sidechain: row["sidechain"] === 1,
      postern: row["postern"] === 1,
      tokens: HISTORY_UNITS.map((unit) => Number(row[unit])) as unknown as HistoryTokens,
    };
  }

  #getName(id: SQLOutputValue | undefined): string {
    return this.#names.get(Number(id)) ?? "";
  }
}

/** Counted responses of a time that did not go through Postern. */
const isOwn = (from: number, to: number): Condition =>
  condition("is_counted AND NOT postern AND at >= ? AND at < ?", from, to);
