import type { Receipt } from "../../contract/receipt.ts";
import { utcDay } from "../../lib/clock.ts";
import { addReceipt, countedModel, emptySums } from "./usage-sums.ts";
import type { UsageSums } from "./usage-sums.ts";

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

/** Sums of one day × key × model × client × endpoint. Made from receipts only. */
export interface DailyRow extends UsageSums {
  /** `day|key|model|client|endpoint`, model and client URI-encoded; rows of earlier versions lack the last. */
  readonly id: string;
  n: number;
  readonly day: string;
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
 * @returns its daily row
 */
export function countReceipt(rows: Aggregates, receipt: Receipt, n: number): DailyRow {
  const day = utcDay(receipt.at);
  addSpend(rows.spend, receipt.key, receipt, n, day);
  if (!receipt.sandbox) addSpend(rows.spend, APP_SPEND, receipt, n, day);
  return addDaily(rows.daily, receipt, n, day);
}

/** The id of the daily row that a receipt belongs to. Without an endpoint: as earlier versions wrote it. */
export function dailyId(day: string, key: string, model: string, client: string, endpoint?: string): string {
  const id = `${day}|${key}|${encodeURIComponent(model.toWellFormed())}|${encodeURIComponent(client.toWellFormed())}`;
  return endpoint === undefined ? id : `${id}|${endpoint}`;
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

function addDaily(daily: Map<string, DailyRow>, receipt: Receipt, n: number, day: string): DailyRow {
  const model = countedModel(receipt);
  const { key, client, endpoint } = receipt;
  const id = dailyId(day, key, model, client, endpoint);
  let row = daily.get(id);
  if (row === undefined) {
    // What an earlier version has counted in its row of that day is not counted again in this one.
    const earlier = daily.get(dailyId(day, key, model, client));
    row = { id, n: earlier?.n ?? 0, day, ...emptySums(receipt) };
    daily.set(id, row);
  }
  if (n <= row.n) return row;
  row.n = n;
  addReceipt(row, receipt);
  return row;
}
