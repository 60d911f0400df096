import type { DatabaseSync } from "node:sqlite";
import { getAppName } from "../../contract/apps.ts";
import { FILTER_FIELDS } from "../../contract/filter-fields.ts";
import type { FilterField } from "../../contract/filter-fields.ts";
import type { Search } from "../../contract/matches-request.ts";
import { utcMonth } from "../../lib/clock.ts";
import { segmentMonths, segmentName } from "../disk/segments.ts";
import { joinAll, joinAny, condition, isAmong, placesFrom } from "./ledger-table.ts";
import type { Condition } from "./ledger-table.ts";

/** Columns of receipts; the other fields are columns of their traits. */
const OWN_FIELDS = ["session", "agent"] as const satisfies readonly FilterField[];
const TRAIT_FIELDS = (Object.keys(FILTER_FIELDS) as FilterField[]).filter(
  (name) => !OWN_FIELDS.some((own) => own === name),
);
/** Max receipts of traits that are read by the trait index. */
const FEW = 20_000;

/** Max receipts of a range that is filtered by range first, whatever else is in its months. */
const NARROW = 20_000;
/** Characters of the ids that the gateway makes. */
const IN_OUR_IDS = /^[req_0-9a-f-]*$/;

/** The receipts that a search matches. */
export interface ReceiptFilter {
  /** The table after `FROM`, with the index to search by. */
  readonly from: string;
  readonly where: Condition;
}

/** @param isIndexed whether the indexes are made */
export function receiptFilter(database: DatabaseSync, search: Search, isIndexed: boolean): ReceiptFilter {
  const all: Condition[] = [...limitTimes(database, search, isIndexed)];
  let from = "receipts NOT INDEXED";
  const traits = traitConditions(search);
  if (traits.length > 0) {
    const { ids, uses } = findTraits(database, joinAll(traits));
    all.push(isAmong("trait", ids));
    if (isIndexed && uses <= FEW) from = "receipts INDEXED BY receipts_by_trait";
  }
  for (const name of OWN_FIELDS) {
    const value = search[name];
    if (value === undefined) continue;
    all.push(condition(`${name} = (SELECT id FROM names WHERE name = ?)`, value));
    if (isIndexed && name === "session") from = "receipts INDEXED BY receipts_by_session";
  }
  const words = matchWords(database, search);
  if (words !== null) all.push(words);
  return { from, where: joinAll(all) };
}

/** Returns the search without its text. */
export const withoutWords = ({ q: _q, recorded: _recorded, named: _named, ...search }: Search): Search => search;

/** Receipts lie in the file of their month, and in it nearly in the order of their moments. */
function limitTimes(database: DatabaseSync, { since, until }: Search, isIndexed: boolean): Condition[] {
  const times = [
    ...(since === undefined ? [] : [condition("at >= ?", since)]),
    ...(until === undefined ? [] : [condition("at < ?", until)]),
  ];
  if (times.length === 0) return times;
  const [first, last] = [getMonth(since), getMonth(until)];
  const months = [
    ...(first === null ? [] : [condition("place >= ?", placesFrom(first))]),
    ...(last === null ? [] : [condition("place < ?", placesFrom(last + 1))]),
  ];
  return [...times, ...months, ...(isIndexed ? narrowTimes(database, joinAll(times)) : [])];
}

const getMonth = (moment: number | undefined): number | null =>
  moment === undefined ? null : monthNumber(segmentName(utcMonth(moment)));

function narrowTimes(database: DatabaseSync, { sql, values }: Condition): Condition[] {
  const places = `SELECT place FROM receipts INDEXED BY receipts_by_at WHERE ${sql} LIMIT ${NARROW + 1}`;
  const bounds = `SELECT count(*) AS count, min(place) AS first, max(place) AS last FROM (${places})`;
  const { count, first, last } = database.prepare(bounds).get(...values) ?? {};
  if (count === 0) return [condition("FALSE")];
  return Number(count) > NARROW ? [] : [condition("place BETWEEN ? AND ?", Number(first), Number(last))];
}

function traitConditions({ asked, outcome, status, ...search }: Search): Condition[] {
  const conditions = TRAIT_FIELDS.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [condition(`${name} = ?`, name === "client" ? getAppName(value) : value)];
  });
  if (outcome !== undefined) conditions.push(condition("outcome = ?", outcome));
  if (status === "failed") conditions.push(condition("failed = 1"));
  else if (status !== undefined) {
    const hundreds = Number(status.slice(0, 1)) * 100;
    conditions.push(condition("status >= ? AND status < ?", hundreds, hundreds + 100));
  }
  if (asked !== undefined) conditions.push(isAmong("CASE WHEN route <> '' THEN route ELSE model END", asked));
  return conditions;
}

function findTraits(database: DatabaseSync, { sql, values }: Condition): { ids: number[]; uses: number } {
  const rows = database.prepare(`SELECT id, uses FROM traits WHERE ${sql}`).all(...values);
  return { ids: rows.map(({ id }) => Number(id)), uses: rows.reduce((sum, { uses }) => sum + Number(uses), 0) };
}

/** Null if there is no text, or every receipt matches. */
function matchWords(database: DatabaseSync, { q, named = [], recorded }: Search): Condition | null {
  if (q === undefined || q === "") return null;
  const low = q.toLowerCase();
  const word = joinAny([condition("instr(folded, ?) > 0", low), isAmong("connection", named)]);
  const traits = findTraits(database, word);
  return joinAny([
    isAmong("trait", traits.ids),
    condition("session IN (SELECT id FROM names WHERE instr(folded, ?) > 0)", low),
    condition(`instr(${IN_OUR_IDS.test(low) ? "coalesce(odd_id, id)" : "odd_id"}, ?) > 0`, low),
    ...(recorded === undefined ? [] : [isAmong("id", [...recorded])]),
  ]);
}

/** Returns the number of a segment, in months from the year 0. Null for other files, and for years without four digits. */
export function monthNumber(name: string): number | null {
  const [month] = segmentMonths([name]);
  const [, year, ofYear] = /^(\d{4})-(\d\d)$/.exec(month ?? "") ?? [];
  return year === undefined || ofYear === undefined ? null : Number(year) * 12 + Number(ofYear) - 1;
}
