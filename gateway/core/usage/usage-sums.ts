import { cacheSavings } from "../../contract/cache-savings.ts";
import { hasDuration, hasFailed, wasCancelled } from "../../contract/ending.ts";
import { unitSides } from "../../contract/receipt.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { emptyTotals } from "./usage-totals.ts";
import { addNano } from "../../lib/money.ts";

/**
 * How long responses took, counted in buckets whose bounds grow by 2^(1/8): a percentile is right to within 5 %, counts
 * of any hours, days and groups can be added up, and no receipt has to be read again.
 */
export type Durations = Record<number, number>;

const PER_DOUBLING = 8;
/** Three days and more: the longest task. */
const LAST = 224;
/** How many buckets there are. */
export const DURATION_BUCKETS = LAST + 1;

/** The bucket of a duration in ms. Below one millisecond is bucket 0. */
export function durationBucket(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(LAST, Math.ceil(Math.log2(ms) * PER_DOUBLING));
}

/** What is no number (an old or foreign line of the log) is passed over. */
export function countDuration(durations: Durations, ms: number): void {
  if (!Number.isFinite(ms)) return;
  const bucket = durationBucket(ms);
  durations[bucket] = (durations[bucket] ?? 0) + 1;
}

/** The counts of many rows: those of row `i` stand from `starts[i]` up to `starts[i + 1]`. */
export interface DurationCounts {
  readonly starts: Uint32Array;
  readonly buckets: Uint8Array;
  readonly counts: Float64Array;
}

export function countsOf(rows: readonly Readonly<Durations>[]): DurationCounts {
  const starts = new Uint32Array(rows.length + 1);
  const buckets: number[] = [];
  const counts: number[] = [];
  for (const [index, row] of rows.entries()) {
    for (const name in row) {
      const bucket = Number(name);
      if (!(bucket >= 0 && bucket <= LAST && Number.isInteger(bucket))) continue;
      buckets.push(bucket);
      counts.push(row[bucket] ?? 0);
    }
    starts[index + 1] = buckets.length;
  }
  return { starts, buckets: Uint8Array.from(buckets), counts: Float64Array.from(counts) };
}

/** Adds the counts of row `index` to the buckets that stand in `sum` from `start` on. */
export function addCounts(
  sum: Float64Array,
  start: number,
  { starts, buckets, counts }: DurationCounts,
  index: number,
) {
  const end = starts[index + 1] ?? 0;
  for (let place = starts[index] ?? 0; place < end; place += 1) {
    const at = start + (buckets[place] ?? 0);
    sum[at] = (sum[at] ?? 0) + (counts[place] ?? 0);
  }
}

/**
 * The duration in ms that `share` (0 to 1) of all did not exceed: the middle of its bucket, in tenths. Null when
 * nothing was counted.
 */
export function percentile(durations: { readonly [bucket: number]: number }, share: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket <= LAST; bucket += 1) all += durations[bucket] ?? 0;
  if (all === 0) return null;
  let left = Math.ceil(all * share);
  for (let bucket = 0; bucket <= LAST; bucket += 1) {
    left -= durations[bucket] ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING) * 10) / 10;
}

/** Sums over the receipts of one key, model, client, endpoint and project. Sandbox calls are in `sandbox_…` only. */
export interface UsageSums {
  readonly key: string;
  readonly model: string;
  readonly client: string;
  /** Missing in rows that were written before it was told apart. */
  readonly endpoint?: string;
  /** Missing where the client tells none, and in rows of before it was told apart. */
  readonly project?: string | undefined;
  /** Of the hours in memory; rows of days do not tell connections apart. */
  readonly connection?: string;
  requests: number;
  errors: number;
  cancelled_requests: number;
  /** All tokens that went in, `cached_input_tokens` and cache writes among them. */
  input_tokens: number;
  cached_input_tokens: number;
  /** All tokens that came out, `reasoning_tokens` among them. */
  output_tokens: number;
  reasoning_tokens: number;
  nano: number;
  unpriced_requests: number;
  unknown_requests: number;
  estimated_requests: number;
  estimated_nano: number;
  sandbox_requests: number;
  sandbox_nano: number;
  cache_saved_nano: number;
  /** How long completed calls took, and until their first byte. Missing as `endpoint` is. */
  readonly durations?: Durations;
  readonly first_durations?: Durations;
}

/** What of a row is counted. */
type Counters = Omit<UsageSums, "key" | "model" | "client" | "endpoint" | "project" | "connection">;

/**
 * The model that a receipt is counted under. Calls that reached no provider may name any model: one row for them all, or
 * a client with a random generator fills the memory.
 */
export function countedModel({ provider, model }: Receipt): string {
  return provider === "" ? "" : model;
}

export function emptySums(receipt: Receipt) {
  return {
    key: receipt.key,
    model: countedModel(receipt),
    client: receipt.client,
    endpoint: receipt.endpoint,
    ...(receipt.project === undefined ? {} : { project: receipt.project }),
    ...emptyTotals(),
    durations: {},
    first_durations: {},
  } satisfies UsageSums;
}

/** Counts a receipt in sums, in place; its times only where the sums have room for them. */
export function addReceipt(row: Counters, receipt: Receipt): void {
  if (receipt.sandbox) {
    row.sandbox_requests += 1;
    row.sandbox_nano = addNano(row.sandbox_nano, receipt.nano ?? 0);
    return;
  }
  row.requests += 1;
  if (wasCancelled(receipt)) row.cancelled_requests += 1;
  else if (hasFailed(receipt)) row.errors += 1;
  if (receipt.nano === null) row.unpriced_requests += 1;
  else row.nano = addNano(row.nano, receipt.nano);
  if (receipt.outcome === "unknown") row.unknown_requests += 1;
  if (receipt.estimated) {
    row.estimated_requests += 1;
    row.estimated_nano = addNano(row.estimated_nano, receipt.nano ?? 0);
  }
  addTokens(row, receipt);
  row.cache_saved_nano = addNano(row.cache_saved_nano, cacheSavings(receipt) ?? 0);
  if (!hasDuration(receipt)) return;
  if (row.durations !== undefined) countDuration(row.durations, receipt.ms);
  if (row.first_durations !== undefined && receipt.first_ms !== null) {
    countDuration(row.first_durations, receipt.first_ms);
  }
}

/** Cached and reasoning tokens are parts of the sums of their sides, and counted besides. */
function addTokens(row: Counters, receipt: Receipt): void {
  for (const { unit, quantity } of receipt.terms) {
    const side = unitSides[unit];
    if (side === "input") row.input_tokens += quantity;
    if (side === "output") row.output_tokens += quantity;
    if (unit === "cached_input" || unit === "cached_audio_input") row.cached_input_tokens += quantity;
    if (unit === "reasoning") row.reasoning_tokens += quantity;
  }
}
