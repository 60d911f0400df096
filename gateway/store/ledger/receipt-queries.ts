import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Sort } from "../../contract/list.ts";
import type { Search } from "../../contract/matches-request.ts";
import { DURATION_BUCKETS } from "../../core/usage/durations.ts";
import type { ActivityCount } from "../../core/usage/activity-buckets.ts";
import { Hours } from "./hours.ts";
import { joinAll, condition } from "./ledger-table.ts";
import type { Condition, OpenTable, TableParts } from "./ledger-table.ts";
import { receiptFilter, withoutWords } from "./receipt-filter.ts";
import type { ReceiptFilter } from "./receipt-filter.ts";
import type {
  CountActivity,
  ListPlace,
  ListReceipts,
  ListSessionRows,
  ListedReceipts,
  PassReceipts,
  PassedColumn,
  PassedReceipts,
  SumHours,
} from "./questions.ts";
import { readReceipts } from "./receipt-reader.ts";
import type { Sessions } from "./sessions.ts";

const FIGURES = { cost: "nano", ms: "ms", first_ms: "first_ms", tokens: "nullif(tokens, 0)", rate: "rate" } as const;

/** The columns that a pass may ask for. */
const PASSED: Readonly<Record<PassedColumn, string>> = {
  id: "receipts.id",
  at: "at",
  endpoint: "traits.endpoint",
  model: "traits.model",
  sandbox: "receipts.sandbox",
  nano: "nano",
  tokens: "tokens",
  output_tokens: "output_tokens",
  input: "input",
  cached_input: "cached_input",
  cache_write: "cache_write",
  cache_write_1h: "cache_write_1h",
  output: "output",
  reasoning: "reasoning",
  fees: "fees",
};

/** @param forget removes damaged receipts; false if the index is read-only */
export function findQueries(parts: TableParts, sessions: Sessions, forget: Forget): OpenTable["queries"] {
  const queries = new ReceiptQueries(parts, forget);
  const hours = new Hours(parts.database);
  return {
    list: (ask: ListReceipts) => queries.list(ask),
    activity: (ask: CountActivity) => queries.activity(ask),
    pass: (ask: PassReceipts) => queries.pass(ask),
    find: (ask: { readonly id: string }) => queries.find(ask.id),
    oldest: () => queries.oldest(),
    hours: (ask: SumHours) => hours.sum(ask, parts.isIndexed()),
    sessions: (ask: ListSessionRows) => sessions.list(ask),
    session: (ask: { readonly id: string }) => sessions.find(ask.id),
  };
}

/** Duration bucket of a request whose duration is meaningless, equal to the number of regular buckets. */
const NO_TIME = DURATION_BUCKETS;
const TIMES = DURATION_BUCKETS + 1;

type Forget = (places: readonly number[]) => boolean;
type Rows = readonly Record<string, SQLOutputValue>[];

class ReceiptQueries {
  readonly #parts: TableParts;
  readonly #database: DatabaseSync;
  readonly #forget: Forget;
  #tally: (slot: number, nano: number) => void = () => undefined;

  constructor(parts: TableParts, forget: Forget) {
    this.#parts = parts;
    this.#database = parts.database;
    this.#forget = forget;
    this.#database.function("tally", (slot, nano) => {
      this.#tally(Number(slot), Number(nano));
      return 0;
    });
  }

  list(ask: ListReceipts): ListedReceipts {
    for (;;) {
      const { rows, next } = this.#page(ask);
      const receipts = this.#read(rows);
      // Damaged receipts were removed meanwhile, so the query is repeated.
      if (receipts !== null) return { json: `[${receipts.join(",")}]`, next };
    }
  }

  #read(rows: Rows): string[] | null {
    const { receipts, damaged } = readReceipts(this.#parts.folder, rows);
    return damaged.length > 0 && this.#forget(damaged) ? null : receipts;
  }

  #page({ search, sort, limit, before, settledAfter, recordedFrom }: ListReceipts): {
    readonly rows: Rows;
    readonly next: ListPlace | null;
  } {
    const figure = sort === null ? "NULL" : FIGURES[sort.by];
    const filter = this.#filter(search, settledAfter);
    const unsearched = sort === null ? this.#findUnsearched(search, settledAfter, recordedFrom, before) : null;
    const { sql, values } = joinAll([
      filter.where,
      ...(before === null ? [] : [isAfter(before, figure, sort)]),
      ...(unsearched === null ? [] : [condition("place > ?", unsearched)]),
    ]);
    const order = sort === null ? "" : `figure ${sort.order === "asc" ? "ASC" : "DESC"} NULLS LAST, `;
    const found = `SELECT place, length, ${figure} AS figure FROM ${filter.from} WHERE ${sql}`;
    const rows = this.#database.prepare(`${found} ORDER BY ${order}place DESC LIMIT ?`).all(...values, limit);
    const last = rows.length < limit ? undefined : rows.at(-1);
    if (last === undefined) return { rows, next: unsearched === null ? null : { place: unsearched + 1, figure: null } };
    return { rows, next: { place: Number(last["place"]), figure: asNumber(last["figure"]) } };
  }

  /** Finds the newest receipt that only its unsearched recording may match; null if no receipt does. */
  #findUnsearched(search: Search, settledAfter: number, from: number, before: ListPlace | null): number | null {
    const { q, named = [], recorded = new Set<string>() } = search;
    if (q === undefined || from === -Infinity) return null;
    const others = this.#filter(withoutWords(search), settledAfter);
    const words = this.#filter({ q, named, recorded }, 0).where;
    const { sql, values } = joinAll([
      others.where,
      condition(`NOT coalesce(${words.sql}, FALSE)`, ...words.values),
      ...(from === Infinity ? [] : [condition("at - ms < ?", from)]),
      ...(before === null ? [] : [condition("place < ?", before.place)]),
    ]);
    const newest = `SELECT max(place) AS place FROM ${others.from} WHERE ${sql}`;
    return asNumber(this.#database.prepare(newest).get(...values)?.["place"]);
  }

  activity({ search, from, length, buckets }: CountActivity): ActivityCount[] {
    const { from: table, where } = this.#filter(search, 0);
    const [counts, nanos] = [new Float64Array(2 * TIMES * buckets), new Float64Array(2 * TIMES * buckets)];
    // Half the time of `GROUP BY`, which sorts all rows.
    this.#tally = (slot, nano) => {
      counts[slot] = (counts[slot] ?? 0) + 1;
      nanos[slot] = (nanos[slot] ?? 0) + nano;
    };
    const slot = `(CAST((at - ?) / ? AS INTEGER) * ${TIMES} + iif(measured, duration, ${NO_TIME})) * 2 + failed`;
    const counted = `SELECT sum(tally(${slot}, iif(sandbox OR nano IS NULL, 0, nano))) FROM ${table} WHERE ${where.sql}`;
    this.#database.prepare(counted).get(from, length, ...where.values);
    const found: ActivityCount[] = [];
    for (const [place, count] of counts.entries()) {
      if (count === 0) continue;
      const [bucket, time] = [Math.floor(place / 2 / TIMES), Math.floor(place / 2) % TIMES];
      found.push([bucket, time === NO_TIME ? null : time, count, (place % 2) * count, nanos[place] ?? 0]);
    }
    return found;
  }

  pass({ search, columns, limit, before }: PassReceipts): PassedReceipts {
    const { from, where } = this.#filter(search, 0);
    const { sql, values } = before === null ? where : joinAll([where, condition("place < ?", before)]);
    const some = `SELECT * FROM ${from} WHERE ${sql} ORDER BY place DESC LIMIT ?`;
    const names = columns.map((name) => PASSED[name]).join(", ");
    const passed = this.#database.prepare(
      `SELECT ${names}, place FROM (${some}) AS receipts JOIN traits ON traits.id = trait ORDER BY place DESC`,
    );
    passed.setReturnArrays(true);
    const rows = passed.all(...values, limit) as unknown as (string | number | null)[][];
    const places = rows.map((row) => Number(row.pop()));
    return { rows, next: rows.length < limit ? null : (places.at(-1) ?? null) };
  }

  find(id: string): string | null {
    const index = this.#parts.isIndexed() ? "INDEXED BY receipts_by_id" : "";
    const newest = `SELECT place, length FROM receipts ${index} WHERE id_sum = ? AND id = ? ORDER BY place DESC LIMIT 1`;
    for (;;) {
      const rows = this.#database.prepare(newest).all(crc32(id), id);
      const receipts = this.#read(rows);
      if (receipts !== null) return receipts[0] ?? null;
    }
  }

  oldest(): number | null {
    return asNumber(this.#database.prepare("SELECT at FROM receipts ORDER BY place LIMIT 1").get()?.["at"]);
  }

  #filter(search: Search, settledAfter: number): ReceiptFilter {
    const { from, where } = receiptFilter(this.#database, search, this.#parts.isIndexed());
    return settledAfter === 0 ? { from, where } : { from, where: joinAll([where, condition("n > ?", settledAfter)]) };
  }
}

const asNumber = (value: SQLOutputValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** Returns the condition for receipts after a cursor. */
function isAfter({ place, figure }: ListPlace, column: string, sort: Sort | null): Condition {
  if (sort === null) return condition("place < ?", place);
  if (figure === null) return condition(`${column} IS NULL AND place < ?`, place);
  const sign = sort.order === "asc" ? ">" : "<";
  const values = [figure, figure, place];
  return condition(`${column} ${sign} ? OR ${column} IS NULL OR (${column} = ? AND place < ?)`, ...values);
}
