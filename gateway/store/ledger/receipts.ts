import { crc32 } from "node:zlib";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { getAppName } from "../../contract/apps.ts";
import { cacheSavings } from "../../contract/cache-savings.ts";
import { hasDuration, hasFailed } from "../../contract/ending.ts";
import type { Ending } from "../../contract/ending.ts";
import { pickFigure, getFigures } from "../../contract/request-figures.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { receiptTokens } from "../../core/history/receipt-tokens.ts";
import { durationBucket } from "../../core/usage/durations.ts";
import { asUsageLine } from "../disk/segments.ts";
import { condition, isAmong, placesFrom } from "./ledger-table.ts";
import type { Condition, LedgerTable, Line, OpenTable, TableParts } from "./ledger-table.ts";
import { findQueries } from "./receipt-queries.ts";
import { monthNumber } from "./receipt-filter.ts";
import { SESSIONS, Sessions } from "./sessions.ts";

/**
 * Receipts as numbers. Shared values (model, client, outcome) are rows of `traits`: a filter reads a few hundred traits
 * instead of a million receipts. The receipt itself is read from the log, where its checksum is verified.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS traits (
  id INTEGER PRIMARY KEY, said TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL,
  key TEXT, model TEXT, provider TEXT, connection TEXT, client TEXT, endpoint TEXT, project TEXT, route TEXT,
  outcome TEXT, code TEXT, status REAL, sandbox INTEGER NOT NULL, failed INTEGER NOT NULL,
  folded TEXT NOT NULL, session_words TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS receipts (
  place INTEGER PRIMARY KEY, length INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, odd_id TEXT, id_sum INTEGER NOT NULL,
  at INTEGER NOT NULL, trait INTEGER NOT NULL, session INTEGER, agent INTEGER,
  failed INTEGER NOT NULL, measured INTEGER NOT NULL, sandbox INTEGER NOT NULL, estimated INTEGER NOT NULL,
  ms REAL NOT NULL, duration INTEGER NOT NULL, first_ms REAL, first_duration INTEGER, nano INTEGER, rate REAL,
  tokens REAL NOT NULL, output_tokens REAL NOT NULL, cached_tokens REAL NOT NULL,
  input REAL NOT NULL, cached_input REAL NOT NULL, cache_write REAL NOT NULL, cache_write_1h REAL NOT NULL,
  output REAL NOT NULL, reasoning REAL NOT NULL, fees INTEGER, saved INTEGER NOT NULL
);
${SESSIONS}`;

const INDEXES = `
CREATE INDEX IF NOT EXISTS receipts_by_at ON receipts (at);
CREATE INDEX IF NOT EXISTS receipts_by_trait ON receipts (trait);
CREATE INDEX IF NOT EXISTS receipts_by_session ON receipts (session) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS receipts_by_id ON receipts (id_sum)`;

/** Format of the gateway's ids; other ids are stored in an additional column for lookup. */
const OUR_ID = /^req_[0-9a-f-]{36}$/;

/** Stands in no name, so that what is found is in one name and not across two. */
const BETWEEN_NAMES = "\uFFFF";
/** Traits and names whose ids are in memory. */
const MOST_KNOWN = 8_192;

export const receiptsTable: LedgerTable = {
  name: "receipts",
  folder: "usage",
  fileNumber: monthNumber,
  schema: SCHEMA,
  indexes: INDEXES,
  open: (parts) => new Receipts(parts),
};

class Receipts implements OpenTable {
  readonly queries: OpenTable["queries"];
  readonly #database: DatabaseSync;
  readonly #traits = new Ids();
  readonly #names = new Ids();
  /** Number of receipts added or removed since the last flush, by trait. */
  readonly #uses = new Map<number, number>();
  readonly #sessions: Sessions;
  readonly #insert: StatementSync;
  readonly #findTrait: StatementSync;
  readonly #addTrait: StatementSync;
  readonly #findName: StatementSync;
  readonly #addName: StatementSync;

  constructor(parts: TableParts) {
    const { database } = parts;
    this.#database = database;
    const columns = Object.keys(makeRow(NO_RECEIPT, NO_LINE));
    this.#insert = database.prepare(`INSERT INTO receipts (${columns.join(", ")}) VALUES (${makeMarks(columns)})`);
    this.#findTrait = database.prepare("SELECT id FROM traits WHERE said = ?");
    const traits = Object.keys(makeTrait(NO_RECEIPT));
    this.#addTrait = database.prepare(
      `INSERT INTO traits (said, uses, ${traits.join(", ")}) VALUES (?, 0, ${makeMarks(traits)})`,
    );
    this.#findName = database.prepare("SELECT id FROM names WHERE name = ?");
    this.#addName = database.prepare("INSERT INTO names (name, folded) VALUES (?, ?)");
    this.#sessions = new Sessions(database);
    this.queries = findQueries(parts, this.#sessions, (places) => this.#forgetDamaged(places));
  }

  add(line: Line): void {
    const usageLine = asUsageLine(line.value);
    if (usageLine === undefined || !("receipt" in usageLine)) return;
    const { receipt } = usageLine;
    const trait = this.#getTrait(receipt);
    this.#use(trait, 1);
    const session = this.#getName(receipt.session);
    const { place, length } = line;
    const row = makeRow(receipt, {
      place,
      length,
      n: usageLine.n,
      trait,
      session,
      agent: this.#getName(receipt.agent),
    });
    this.#insert.run(...Object.values(row));
    if (session !== null) this.#sessions.count(place, session, trait, receipt.at);
  }

  forget(file: number): void {
    this.#remove(condition("place >= ? AND place < ?", placesFrom(file), placesFrom(file + 1)));
  }

  #remove({ sql, values }: Condition): void {
    const uses = this.#database.prepare(`SELECT trait, count(*) AS uses FROM receipts WHERE ${sql} GROUP BY trait`);
    for (const { trait, uses: gone } of uses.all(...values)) this.#use(Number(trait), -Number(gone));
    const named = `SELECT DISTINCT session FROM receipts WHERE (${sql}) AND session IS NOT NULL`;
    const sessions = this.#database.prepare(named).all(...values);
    this.#database.prepare(`DELETE FROM receipts WHERE ${sql}`).run(...values);
    this.#sessions.recount(sessions.map(({ session }) => Number(session)));
    this.flush();
  }

  /** @returns false if the index cannot be changed */
  #forgetDamaged(places: readonly number[]): boolean {
    try {
      this.#remove(isAmong("place", places));
      return true;
    } catch {
      return false;
    }
  }

  #use(trait: number, times: number): void {
    this.#uses.set(trait, (this.#uses.get(trait) ?? 0) + times);
  }

  flush(): void {
    const add = this.#database.prepare("UPDATE traits SET uses = uses + ? WHERE id = ?");
    for (const [trait, uses] of this.#uses) add.run(uses, trait);
    this.#uses.clear();
  }

  #getTrait(receipt: Receipt): number {
    const { key, model, provider, connection, client, endpoint, project, route, outcome, code, status, sandbox } =
      receipt;
    const by = [
      key,
      model,
      provider,
      connection,
      client,
      endpoint,
      project,
      route?.name,
      outcome,
      code,
      status,
      sandbox,
    ];
    const traits = JSON.stringify(by);
    return this.#traits.of(traits, this.#findTrait, () =>
      this.#addTrait.run(traits, ...Object.values(makeTrait(receipt))),
    );
  }

  #getName(name: string | undefined): number | null {
    if (typeof name !== "string") return null;
    return this.#names.of(name, this.#findName, () => this.#addName.run(name, name.toLowerCase()));
  }
}

/** The ids of texts: those of the last ones in memory. */
class Ids {
  readonly #known = new Map<string, number>();

  of(text: string, find: StatementSync, add: () => { readonly lastInsertRowid: number | bigint }): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const id = Number(find.get(text)?.["id"] ?? add().lastInsertRowid);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(text, id);
    return id;
  }
}

type Row = Record<string, SQLInputValue>;

const NO_RECEIPT: Receipt = {
  id: "",
  at: 0,
  key: "",
  endpoint: "",
  model: "",
  provider: "",
  connection: "",
  client: "",
  status: 0,
  code: null,
  outcome: "failed",
  stream: false,
  ms: 0,
  first_ms: null,
  sandbox: false,
  estimated: false,
  terms: [],
  nano: null,
  price: null,
};
const NO_LINE: Found = { place: 0, length: 0, n: 0, trait: 0, session: null, agent: null };

const makeMarks = (columns: readonly string[]): string => columns.map(() => "?").join(", ");

/** Place of a receipt in the log, and the rows it refers to. */
interface Found extends Pick<Line, "place" | "length"> {
  readonly n: number;
  readonly trait: number;
  readonly session: number | null;
  readonly agent: number | null;
}

/** Receipts of other versions and programs may hold any value. */
const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const finite = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const flag = (value: boolean): number => (value ? 1 : 0);

/** Builds SQL columns for case-insensitive search. */
const foldNames = (...names: readonly unknown[]): string =>
  names.map((name) => (text(name) ?? "").toLowerCase()).join(BETWEEN_NAMES);

/** The columns of `traits`: a text by which receipts are filtered has its own. */
function makeTrait(receipt: Receipt) {
  const { key, model, provider, connection, client, endpoint, project, route, outcome, code, status } = receipt;
  const routeName = text(route?.name);
  const app = getAppName(client);
  return {
    key,
    model,
    provider: text(provider),
    connection: text(connection),
    client: app,
    endpoint: text(endpoint),
    project: text(project),
    route: routeName,
    outcome: text(outcome),
    code: text(code),
    status: finite(status),
    sandbox: flag(receipt.sandbox),
    failed: flag(hasFailed(getEnding(receipt))),
    folded: foldNames(model, client, app, code, provider, routeName, project),
    session_words: foldNames(provider === "" ? "" : model, client, app, project),
  } satisfies Row;
}

const getEnding = ({ outcome, code, status }: Receipt): Ending => ({ outcome, code: code ?? null, status });

function makeRow(receipt: Receipt, { place, length, n, trait, session, agent }: Found): Row {
  const { id, at } = receipt;
  const times = { ms: finite(receipt.ms) ?? 0, first_ms: finite(receipt.first_ms) };
  const ending = getEnding(receipt);
  const figures = { ...getFigures(receipt), ...times };
  const { tokens, fees } = receiptTokens(receipt.terms);
  const [input, cached_input, cache_write, cache_write_1h, output, reasoning] = tokens;
  let cached_tokens = 0;
  for (const { unit, quantity } of receipt.terms)
    if (unit === "cached_input" || unit === "cached_audio_input") cached_tokens += quantity;
  return {
    place,
    length,
    n,
    id,
    odd_id: OUR_ID.test(id) ? null : id.toLowerCase(),
    id_sum: crc32(id),
    at,
    trait,
    session,
    agent,
    failed: flag(hasFailed(ending)),
    measured: flag(hasDuration(ending)),
    sandbox: flag(receipt.sandbox),
    estimated: flag(receipt.estimated),
    ...times,
    duration: durationBucket(times.ms),
    first_duration: times.first_ms === null ? null : durationBucket(times.first_ms),
    nano: receipt.nano,
    rate: finite(pickFigure(figures, "rate")),
    tokens: figures.tokens,
    output_tokens: figures.output_tokens,
    cached_tokens,
    input,
    cached_input,
    cache_write,
    cache_write_1h,
    output,
    reasoning,
    fees,
    saved: cacheSavings(receipt) ?? 0,
  };
}
