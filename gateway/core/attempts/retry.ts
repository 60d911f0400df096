import type { GatewayError } from "../errors.ts";
import type { ProviderError } from "./provider-error.ts";

/** Tries after the first that failures of the provider may cost (docs/specification.md#keys-bodies-timeouts). */
const MAX_RETRIES = 2;
/** A provider's Retry-After is waited for up to this long; a longer one is passed on to the client at once. */
const LONGEST_WAIT_MS = 60_000;
const BASE_WAIT_MS = 250;

/**
 * Statuses that may be retried if nothing of a response has reached the client
 * (docs/specification.md#keys-bodies-timeouts).
 */
const REPEATABLE = new Set([429, 500, 502, 503, 504, 529]);

/** The step after a failed attempt. `elsewhere` is free: it does not count as a retry. */
export type NextStep =
  | { readonly do: "give_up" }
  /** The key was refused before anything was executed: ask the next one. */
  | { readonly do: "elsewhere" }
  /** Try again: at another key or connection immediately, at the same one after `waitMs`. */
  | { readonly do: "again"; readonly waitMs: number };

/**
 * Tells whether a request may be resent after a failure, to the same or another model.
 * @param isUnsafe whether it executes or stores something, so that it is resent only if the failure proves that it was
 * not executed
 */
export function isRepeatable({ details }: GatewayError, isUnsafe: boolean): boolean {
  return !(isUnsafe && details.uncertain === true);
}

/**
 * After an error answer of the provider.
 * @param retries how many tries after the first were made already.
 * @param random a number in [0, 1), for jitter.
 */
export function afterProviderError(error: ProviderError, retries: number, random: number): NextStep {
  if (error.kind === "auth" || error.kind === "no_money") return { do: "elsewhere" };
  if (!REPEATABLE.has(error.status) || retries >= MAX_RETRIES) return { do: "give_up" };
  const retryAfterMs = error.retryAfter === null ? 0 : error.retryAfter * 1_000;
  if (retryAfterMs > LONGEST_WAIT_MS) return { do: "give_up" };
  return { do: "again", waitMs: retryAfterMs + computeBackoff(retries, random) };
}

/**
 * Decides after a transfer without a response. Only a request that certainly never reached the provider is retried,
 * because one that may have been executed would be paid twice.
 */
export function afterFailure(sent: boolean, retries: number, random: number): NextStep {
  if (sent || retries >= MAX_RETRIES) return { do: "give_up" };
  return { do: "again", waitMs: computeBackoff(retries, random) };
}

/** Exponential with full jitter: 0–250 ms, 0–500 ms. */
function computeBackoff(retries: number, random: number): number {
  return Math.floor(BASE_WAIT_MS * 2 ** retries * random);
}
