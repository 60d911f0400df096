import type { CredentialHealth } from "../../contract/connection.ts";

/**
 * Health of a key, or of one model at a key. Times are monotonic milliseconds of the caller.
 *
 * `cooling`: the provider responded 429; it is tried last until the time it named. `open`: it failed repeatedly; until
 * a probe is due, it is tried only if no other is left, by one call at a time. `refused`, `out_of_credit`: the provider
 * refuses this key; it is not called until a probe is due.
 */
export interface Health {
  readonly state: Exclude<CredentialHealth["state"], "locked" | "failed">;
  /** Failures in a row that point at the provider, not at the request. */
  readonly failures: number;
  readonly until: number;
  /** When this trouble began; 0 without any. */
  readonly since: number;
  /** Whether a probe is running. */
  readonly probing: boolean;
  /** Monotonic ms of a refused key's last use; 0 for others. */
  readonly requestedAt: number;
  /** The provider's or the network's message for the last failure; null since it last responded. */
  readonly reason: string | null;
  /** The last request found no server. */
  readonly unreachable: boolean;
}

export const HEALTHY: Health = {
  state: "ready",
  failures: 0,
  until: 0,
  since: 0,
  probing: false,
  requestedAt: 0,
  reason: null,
  unreachable: false,
};

const OPENS_AT_FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/**
 * Pauses in ms after which a key that is refused or out of credit is tried again: a single 401 is often a provider
 * glitch, and a topped-up account should work within seconds.
 */
const REFUSED_PAUSES_MS = [1_000, 5_000, 15_000, 60_000] as const;
/** Min milliseconds between calls by a refused key if no other candidate is left. */
const LAST_RESORT_MS = 1_000;

/** Scope of a failure: the provider key with all its models, or one model. */
export type Scope = "key" | "model";

/** Outcome of a call that affects health. */
export type CallResult =
  | { readonly kind: "answered" }
  | { readonly kind: "rate"; readonly scope: Scope; readonly retryAfterMs: number | null; readonly reason: string }
  | { readonly kind: "failed"; readonly scope: Scope; readonly reason: string; readonly unreachable?: boolean }
  | { readonly kind: "refused" | "out_of_credit"; readonly reason: string }
  /** Ended by us or by the client: says nothing about the provider. */
  | { readonly kind: "neutral" };

/**
 * May a call be made? From good to bad: `yes`; `probe`, which must be reported back; `last`, when no better one is left;
 * `open`, when none of these is left either; `no`.
 */
export type May = "yes" | "probe" | "last" | "open" | "no";

const ORDER: readonly May[] = ["yes", "probe", "last", "open", "no"];

/** The worse of two. */
export function worse(one: May, other: May): May {
  return ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;
}

export function mayCall(health: Health, now: number): May {
  const { state, until } = health;
  if (state === "ready") return "yes";
  if (state === "cooling") return now >= until ? "yes" : "last";
  if (now >= until && !health.probing) return "probe";
  if (state === "open") return "open";
  return now >= health.requestedAt + LAST_RESORT_MS ? "open" : "no";
}

/** Returns the health during a call: one call at a time probes, and a refused key is tried at most once per second. */
export function withCallUnderWay(health: Health, now: number): Health {
  const may = mayCall(health, now);
  if (may !== "probe" && may !== "open") return health;
  const isRefused = health.state === "refused" || health.state === "out_of_credit";
  if (may === "open" && !isRefused) return health;
  return { ...health, probing: health.probing || may === "probe", requestedAt: now };
}

/** The health after a call. */
export function afterCall(health: Health, result: CallResult, now: number): Health {
  switch (result.kind) {
    case "answered":
      return HEALTHY;
    case "neutral":
      return health.probing ? { ...health, probing: false } : health;
    case "rate":
      return stopAsking(health, "cooling", now, result.retryAfterMs ?? 0, result.reason);
    case "refused":
    case "out_of_credit": {
      const failures = health.state === result.kind ? health.failures + 1 : 1;
      const pause = REFUSED_PAUSES_MS[Math.min(failures, REFUSED_PAUSES_MS.length) - 1] ?? LAST_RESORT_MS;
      return { ...stopAsking(health, result.kind, now, pause, result.reason), failures, requestedAt: now };
    }
    case "failed": {
      // A key that was refused counts as still refused.
      if (health.state === "refused" || health.state === "out_of_credit") return { ...health, probing: false };
      const failures = health.failures + 1;
      const since = health.failures === 0 ? now : health.since;
      const { reason, unreachable = false } = result;
      if (failures < OPENS_AT_FAILURES) return { ...health, failures, since, probing: false, reason, unreachable };
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - OPENS_AT_FAILURES));
      return { ...HEALTHY, state: "open", failures, until: now + pause, since, reason, unreachable };
    }
  }
}

function stopAsking(before: Health, state: Health["state"], now: number, pause: number, reason: string): Health {
  const since = before.state === state ? before.since : now;
  return { ...HEALTHY, state, until: now + pause, since, reason };
}
