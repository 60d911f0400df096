import { getAppName } from "../../contract/apps.ts";
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { SessionView } from "../../contract/sessions.ts";
import { MAX_NANO } from "../../lib/money.ts";
import { joinAll, joinAny, condition, isAmong } from "./ledger-table.ts";
import type { Condition } from "./ledger-table.ts";
import type { ListSessionRows, ListedSessions, SessionPlace } from "./questions.ts";

/** Sums of each session, counted as receipts are added, and the traits of its receipts. */
export const SESSIONS = `
CREATE TABLE IF NOT EXISTS sessions (
  session INTEGER PRIMARY KEY, started_at REAL NOT NULL, ended_at INTEGER NOT NULL,
  requests INTEGER NOT NULL, failed INTEGER NOT NULL, cost_nano INTEGER NOT NULL, unpriced INTEGER NOT NULL,
  sandbox INTEGER NOT NULL, input_tokens REAL NOT NULL, cached_input_tokens REAL NOT NULL, output_tokens REAL NOT NULL,
  slowest_ms REAL
);
CREATE INDEX IF NOT EXISTS sessions_by_end ON sessions (ended_at);
CREATE TABLE IF NOT EXISTS session_traits (
  session INTEGER NOT NULL, trait INTEGER NOT NULL, newest INTEGER NOT NULL, PRIMARY KEY (session, trait)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_traits_by_trait ON session_traits (trait)`;

/** Values that one receipt adds to its session, or several at once. */
const FIGURES = `session, at - ms, at, 1, failed, CASE WHEN sandbox THEN 0 ELSE coalesce(nano, 0) END,
  sandbox = 0 AND nano IS NULL, sandbox, tokens - output_tokens, cached_tokens, output_tokens,
  CASE WHEN measured THEN ms END`;
const SUMMED = `session, min(at - ms), max(at), count(*), sum(failed),
  CAST(min(total(CASE WHEN sandbox THEN 0 ELSE nano END), ${MAX_NANO}) AS INTEGER),
  sum(sandbox = 0 AND nano IS NULL), sum(sandbox), total(tokens - output_tokens), total(cached_tokens),
  total(output_tokens), max(CASE WHEN measured THEN ms END)`;
const TOGETHER = `ON CONFLICT (session) DO UPDATE SET
  started_at = min(started_at, excluded.started_at), ended_at = max(ended_at, excluded.ended_at),
  requests = requests + excluded.requests, failed = failed + excluded.failed,
  cost_nano = min(cost_nano + excluded.cost_nano, ${MAX_NANO}), unpriced = unpriced + excluded.unpriced,
  sandbox = sandbox + excluded.sandbox, input_tokens = input_tokens + excluded.input_tokens,
  cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
  output_tokens = output_tokens + excluded.output_tokens,
  slowest_ms = max(coalesce(slowest_ms, excluded.slowest_ms), coalesce(excluded.slowest_ms, slowest_ms))`;

const MOST_NAMES = 8;
const MOST_AGENTS = 100;

export class Sessions {
  readonly #database: DatabaseSync;
  readonly #count: StatementSync;
  readonly #name: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#count = database.prepare(`INSERT INTO sessions SELECT ${FIGURES} FROM receipts WHERE place = ? ${TOGETHER}`);
    this.#name = database.prepare(
      `INSERT INTO session_traits VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET newest = max(newest, excluded.newest)`,
    );
  }

  /** Counts a receipt that was just taken in. */
  count(place: number, session: number, trait: number, at: number): void {
    this.#count.run(place);
    this.#name.run(session, trait, at);
  }

  /** Recounts sessions after some of their receipts were removed. */
  recount(sessions: readonly number[]): void {
    const { sql, values } = isAmong("session", sessions);
    for (const table of ["sessions", "session_traits"])
      this.#database.prepare(`DELETE FROM ${table} WHERE ${sql}`).run(...values);
    this.#database
      .prepare(`INSERT INTO sessions SELECT ${SUMMED} FROM receipts WHERE ${sql} GROUP BY session`)
      .run(...values);
    this.#database
      .prepare(
        `INSERT INTO session_traits SELECT session, trait, max(at) FROM receipts WHERE ${sql} GROUP BY session, trait`,
      )
      .run(...values);
  }

  list({ limit, before, ...filter }: ListSessionRows): ListedSessions {
    const filtered = matchSessions(filter);
    const from = "sessions JOIN names ON names.id = session";
    const total = this.#database.prepare(`SELECT count(*) AS count FROM ${from} WHERE ${filtered.sql}`);
    const { sql, values } = before === null ? filtered : joinAll([filtered, isAfterPlace(before)]);
    const rows = this.#database
      .prepare(`SELECT * FROM ${from} WHERE ${sql} ORDER BY ended_at DESC, name DESC LIMIT ?`)
      .all(...values, limit + 1);
    const data = rows.slice(0, limit).map((row) => this.#view(row));
    const last = rows.length > limit ? data.at(-1) : undefined;
    return {
      data,
      total: Number(total.get(...filtered.values)?.["count"]),
      next: last === undefined ? null : { ended_at: last.ended_at, id: last.id },
    };
  }

  find(id: string): SessionView | null {
    const row = this.#database
      .prepare("SELECT * FROM sessions JOIN names ON names.id = session WHERE name = ?")
      .get(id);
    return row === undefined ? null : this.#view(row);
  }

  #view(row: Record<string, SQLOutputValue>): SessionView {
    const session = Number(row["session"]);
    const [project = null] = this.#names("project", session, 1);
    const agents = this.#database.prepare(
      `SELECT count(DISTINCT agent) AS count FROM receipts
      WHERE session = ? AND agent NOT IN (SELECT id FROM names WHERE name = '')`,
    );
    return {
      id: String(row["name"]),
      project,
      clients: this.#names("client", session),
      models: this.#names("CASE WHEN provider <> '' THEN model ELSE '' END", session),
      agents: Math.min(MOST_AGENTS, Number(agents.get(session)?.["count"])),
      started_at: Math.floor(Number(row["started_at"])),
      ended_at: Number(row["ended_at"]),
      requests: Number(row["requests"]),
      failed: Number(row["failed"]),
      cost_nano: Number(row["cost_nano"]),
      unpriced: Number(row["unpriced"]),
      sandbox: Number(row["sandbox"]),
      input_tokens: Number(row["input_tokens"]),
      cached_input_tokens: Number(row["cached_input_tokens"]),
      output_tokens: Number(row["output_tokens"]),
      slowest_ms: row["slowest_ms"] as number | null,
    };
  }

  /** Returns the names of a session, the last used first. */
  #names(column: string, session: SQLInputValue, most = MOST_NAMES): string[] {
    const names = this.#database.prepare(
      `SELECT ${column} AS name FROM session_traits JOIN traits ON traits.id = trait WHERE session = ? AND name <> ''
      GROUP BY name ORDER BY max(newest) DESC, name LIMIT ?`,
    );
    return names.all(session, most).map(({ name }) => String(name));
  }
}

function matchSessions({ project, client, q }: Omit<ListSessionRows, "limit" | "before">): Condition {
  const low = q?.toLowerCase() ?? "";
  return joinAll([
    ...(project === undefined ? [] : [hasTrait(condition("project = ?", project))]),
    ...(client === undefined ? [] : [hasTrait(condition("client = ?", getAppName(client)))]),
    ...(low === ""
      ? []
      : [
          joinAny([
            condition("instr(names.folded, ?) > 0", low),
            hasTrait(condition("instr(session_words, ?) > 0", low)),
          ]),
        ]),
  ]);
}

const hasTrait = ({ sql, values }: Condition): Condition =>
  condition(
    `session IN (SELECT session FROM session_traits WHERE trait IN (SELECT id FROM traits WHERE ${sql}))`,
    ...values,
  );

const isAfterPlace = ({ ended_at: endedAt, id }: SessionPlace): Condition =>
  condition("ended_at < ? OR (ended_at = ? AND name < ?)", endedAt, endedAt, id);
