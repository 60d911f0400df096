import type { Receipt, UnitClass } from "../contract/receipt.ts";
import { utcDay } from "../lib/clock.ts";

/** Running spend of one key, or of the whole app (`id: "*"`, sandbox left out). Made from receipts only. */
export interface SpendRow {
  readonly id: string;
  /** Number of the last receipt that is in it: replaying a receipt at or below it changes nothing. */
  n: number;
  total_nano: number;
  day: string;
  day_nano: number;
  month: string;
  month_nano: number;
  last_used_at: number;
}

/** Sums of one day × key × model × client. Made from receipts only. */
export interface DailyRow {
  /** `day|key|model|client`, the last two URI-encoded. */
  readonly id: string;
  n: number;
  readonly day: string;
  readonly key: string;
  readonly model: string;
  readonly client: string;
  requests: number;
  errors: number;
  /** All tokens that went in, `cached_input_tokens` and cache writes among them. */
  input_tokens: number;
  cached_input_tokens: number;
  /** All tokens that came out, `reasoning_tokens` among them. */
  output_tokens: number;
  reasoning_tokens: number;
  nano: number;
  unpriced_requests: number;
  sandbox_requests: number;
  sandbox_nano: number;
}

/** The rows that receipts are counted in. */
export interface Aggregates {
  readonly spend: Map<string, SpendRow>;
  readonly daily: Map<string, DailyRow>;
}

/** The spend row of the whole app. */
export const APP_SPEND = "*";

/**
 * Counts receipt number `n` in the spend rows of its key and of the app, and in its daily row. Each row takes a
 * receipt only when `n` is above the row's own, so a replay that overlaps with what a snapshot holds doubles nothing.
 * Receipts must come in the order of their numbers.
 */
export function countReceipt(rows: Aggregates, receipt: Receipt, n: number): void {
  const day = utcDay(receipt.at);
  addSpend(rows.spend, receipt.key, receipt, n, day);
  if (!receipt.sandbox) addSpend(rows.spend, APP_SPEND, receipt, n, day);
  addDaily(rows.daily, receipt, n, day);
}

/** The id of the daily row that a receipt belongs to. */
export function dailyId(day: string, key: string, model: string, client: string): string {
  return `${day}|${key}|${encodeURIComponent(model.toWellFormed())}|${encodeURIComponent(client.toWellFormed())}`;
}

function addSpend(spend: Map<string, SpendRow>, id: string, receipt: Receipt, n: number, day: string): void {
  const month = day.slice(0, 7);
  let row = spend.get(id);
  if (row === undefined) {
    row = { id, n: 0, total_nano: 0, day, day_nano: 0, month, month_nano: 0, last_used_at: 0 };
    spend.set(id, row);
  }
  if (n <= row.n) return;
  const nano = receipt.nano ?? 0;
  row.n = n;
  row.total_nano += nano;
  // Periods only move forward: when the wall clock jumps back, spend counts in the later period, so that no limit
  // starts again twice.
  if (day > row.day) {
    row.day = day;
    row.day_nano = 0;
  }
  if (month > row.month) {
    row.month = month;
    row.month_nano = 0;
  }
  row.day_nano += nano;
  row.month_nano += nano;
  if (receipt.at > row.last_used_at) row.last_used_at = receipt.at;
}

function addDaily(daily: Map<string, DailyRow>, receipt: Receipt, n: number, day: string): void {
  // Calls that reached no vendor may name any model: one row for them all, or a client with a random generator fills
  // the document.
  const model = receipt.vendor === "" ? "" : receipt.model;
  const id = dailyId(day, receipt.key, model, receipt.client);
  let row = daily.get(id);
  if (row === undefined) {
    row = emptyDaily(id, day, receipt, model);
    daily.set(id, row);
  }
  if (n <= row.n) return;
  row.n = n;
  if (receipt.sandbox) {
    row.sandbox_requests += 1;
    row.sandbox_nano += receipt.nano ?? 0;
    return;
  }
  row.requests += 1;
  if (isError(receipt)) row.errors += 1;
  if (receipt.nano === null) row.unpriced_requests += 1;
  else row.nano += receipt.nano;
  addTokens(row, receipt);
}

function emptyDaily(id: string, day: string, { key, client }: Receipt, model: string): DailyRow {
  return {
    id,
    n: 0,
    day,
    key,
    model,
    client,
    requests: 0,
    errors: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    nano: 0,
    unpriced_requests: 0,
    sandbox_requests: 0,
    sandbox_nano: 0,
  };
}

/** Where the tokens of each class belong. Cached and reasoning tokens are parts of these sums, and counted besides. */
const SIDES: Readonly<Partial<Record<UnitClass, "input_tokens" | "output_tokens">>> = {
  input: "input_tokens",
  cached_input: "input_tokens",
  cache_write: "input_tokens",
  cache_write_1h: "input_tokens",
  image_input: "input_tokens",
  output: "output_tokens",
  reasoning: "output_tokens",
  image_output: "output_tokens",
};

function addTokens(row: DailyRow, receipt: Receipt): void {
  for (const { unit, quantity } of receipt.terms) {
    const side = SIDES[unit];
    if (side !== undefined) row[side] += quantity;
    if (unit === "cached_input") row.cached_input_tokens += quantity;
    if (unit === "reasoning") row.reasoning_tokens += quantity;
  }
}

/** A request that the client left is not an error; one that we or the vendor could not serve is. */
function isError(receipt: Receipt): boolean {
  return receipt.outcome === "failed" || receipt.code !== null || receipt.status >= 400;
}
