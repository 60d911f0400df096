import { cacheSavings } from "../../contract/cache-savings.ts";
import { hasDuration, hasFailed, wasCancelled } from "../../contract/ending.ts";
import { unitSides } from "../../contract/units.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { countDuration } from "./durations.ts";
import type { Durations } from "./durations.ts";
import { emptyTotals } from "./usage-totals.ts";
import { addNano } from "../../lib/money.ts";

/** Sums over the receipts of one key, model, client, endpoint and project. Sandbox calls are in `sandbox_…` only. */
export interface UsageSums {
  readonly key: string;
  readonly model: string;
  readonly client: string;
  /** Missing in rows of versions that did not store it. */
  readonly endpoint?: string;
  /** Missing if the client sends none, and in rows of versions that did not store it. */
  readonly project?: string | undefined;
  /** Connection; known for the hours in memory only, not for daily rows. */
  readonly connection?: string;
  requests: number;
  errors: number;
  cancelled_requests: number;
  /** All input tokens, including `cached_input_tokens` and cache writes. */
  input_tokens: number;
  cached_input_tokens: number;
  /** All output tokens, including `reasoning_tokens`. */
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

/** Counted fields of a row. */
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

/** Adds a receipt to sums in place; durations only if the sums include them. */
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

/** Cached and reasoning tokens are parts of the sums of their sides, and also counted separately. */
function addTokens(row: Counters, receipt: Receipt): void {
  for (const { unit, quantity } of receipt.terms) {
    const side = unitSides[unit];
    if (side === "input") row.input_tokens += quantity;
    if (side === "output") row.output_tokens += quantity;
    if (unit === "cached_input" || unit === "cached_audio_input") row.cached_input_tokens += quantity;
    if (unit === "reasoning") row.reasoning_tokens += quantity;
  }
}
