import type { CredentialHealth } from "../../contract/connection.ts";

/**
 * The health of one vendor key of one connection. Times are monotonic milliseconds, given by the caller.
 *
 * `cooling`: the vendor said 429; it is asked last until the time it named. `open`: it failed again and again; it is not
 * asked until a probe is due, then by one call at a time. `refused`, `out_of_credit`: the vendor refuses this key; as
 * `open`, but it costs nobody else's key anything.
 */
export interface Health {
  readonly state: Exclude<CredentialHealth["state"], "locked">;
  /** Failures in a row that point at the vendor, not at the request. */
  readonly failures: number;
  readonly until: number;
  /** A probe of an open breaker is under way. */
  readonly probing: boolean;
  readonly reason: string | null;
}

export const HEALTHY: Health = { state: "ready", failures: 0, until: 0, probing: false, reason: null };

const OPENS_AT_FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const REFUSED_PAUSE_MS = 60_000;
const NO_CREDIT_PAUSE_MS = 5 * 60_000;

/** How a call with a credential ended, as far as the credential's health goes. */
export type CallResult =
  | { readonly kind: "answered" }
  | { readonly kind: "rate"; readonly retryAfterMs: number | null; readonly reason: string }
  | { readonly kind: "failed" | "refused" | "out_of_credit"; readonly reason: string }
  /** Ended by us or by the caller: says nothing about the vendor. */
  | { readonly kind: "neutral" };

/** May a call be made? `probe` when it is the one that tries an open breaker: it must be reported back. */
export function mayCall(health: Health, now: number): "yes" | "last" | "probe" | "no" {
  if (health.state === "ready") return "yes";
  if (health.state === "cooling") return now >= health.until ? "yes" : "last";
  return now >= health.until && !health.probing ? "probe" : "no";
}

/** The health while its probe is under way. */
export function probing(health: Health): Health {
  return { ...health, probing: true };
}

/** The health after a call. */
export function afterCall(health: Health, result: CallResult, now: number): Health {
  switch (result.kind) {
    case "answered":
      return HEALTHY;
    case "neutral":
      return health.probing ? { ...health, probing: false } : health;
    case "rate":
      return { ...HEALTHY, state: "cooling", until: now + (result.retryAfterMs ?? 0), reason: result.reason };
    case "refused":
      return { ...HEALTHY, state: "refused", until: now + REFUSED_PAUSE_MS, reason: result.reason };
    case "out_of_credit":
      return { ...HEALTHY, state: "out_of_credit", until: now + NO_CREDIT_PAUSE_MS, reason: result.reason };
    case "failed": {
      const failures = health.failures + 1;
      if (failures < OPENS_AT_FAILURES) return { ...health, failures, probing: false, reason: result.reason };
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - OPENS_AT_FAILURES));
      return { state: "open", failures, until: now + pause, probing: false, reason: result.reason };
    }
  }
}
