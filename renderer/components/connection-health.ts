import type { ConnectionView, CredentialHealth } from "../../gateway/contract/connection.ts";
import type { Tone } from "./ui/badge.tsx";

/** Health states from good to bad; the texts are in `t.connections.states`. */
export type HealthState =
  | "healthy"
  | "off"
  | "absent"
  | "unknown"
  | "degraded"
  | "locked"
  | "out_of_credit"
  | "invalid_key"
  | "down";

/** Reason as one sentence; the texts are in `t.connections.sentences`. Empty ones need none. */
export type HealthSentence =
  | "healthy"
  | "off"
  | "not_running"
  | "untested"
  | "no_list"
  | "refused"
  | "no_credit"
  | "locked"
  | "unreachable"
  | "failing"
  | "last_failed"
  | "rate_limited"
  | "some_keys"
  | "some_models";

/** The one thing to do about it: ask again, give another key, pay. */
export type HealthAction = "test" | "replace_key" | "top_up";

export interface ConnectionHealth {
  readonly state: HealthState;
  readonly tone: Tone;
  readonly sentence: HealthSentence;
  readonly action: HealthAction;
  /** Latest message of the provider or the network, verbatim; null for none. */
  readonly reason: string | null;
  /** Unix milliseconds from which it is tried again automatically; null for immediately. */
  readonly until: number | null;
}

const TONES: Readonly<Record<HealthState, Tone>> = {
  healthy: "success",
  off: "neutral",
  absent: "neutral",
  unknown: "neutral",
  degraded: "warning",
  locked: "danger",
  out_of_credit: "danger",
  invalid_key: "danger",
  down: "danger",
};

type Trouble = Pick<CredentialHealth, "reason" | "until">;
const NONE: Trouble = { reason: null, until: null };

const health = (
  state: HealthState,
  sentence: HealthSentence,
  action: HealthAction = "test",
  { reason, until }: Trouble = NONE,
): ConnectionHealth => ({ state, tone: TONES[state], sentence, action, reason, until });

/** Computes a connection's health from its tests and its traffic. */
export function getHealth(connection: ConnectionView): ConnectionHealth {
  const { enabled, present, credentials, origin } = connection;
  if (!enabled) return health("off", "off");
  if (!present) return health("absent", "not_running");
  const usable = credentials.filter(({ state }) => !["refused", "out_of_credit", "locked"].includes(state));
  // Keys of the environment and of found programs cannot be replaced here.
  const replace: HealthAction = origin === "created" ? "replace_key" : "test";
  if (usable.length === 0) return withoutKey(credentials, replace);
  if (usable.every(({ state }) => state !== "ready")) return describeTrouble(usable, connection.last_success_at);
  const bad = credentials.find(({ state }) => state !== "ready");
  if (bad !== undefined) return health("degraded", "some_keys", bad.state === "refused" ? replace : "test", bad);
  const model = credentials.flatMap(({ models }) => models)[0];
  if (model !== undefined) return health("degraded", "some_models", "test", model);
  if (connection.last_success_at !== null) return health("healthy", "healthy");
  return health("unknown", connection.models.error === null ? "untested" : "no_list");
}

/** None of its keys can be used. */
function withoutKey(credentials: readonly CredentialHealth[], replace: HealthAction): ConnectionHealth {
  const of = (expected: CredentialHealth["state"]): CredentialHealth | undefined =>
    credentials.find(({ state }) => state === expected);
  const refused = of("refused");
  if (refused !== undefined) return health("invalid_key", "refused", replace, refused);
  const unpaid = of("out_of_credit");
  if (unpaid !== undefined) return health("out_of_credit", "no_credit", "top_up", unpaid);
  return health("locked", "locked", replace, of("locked"));
}

/** Describes the health if keys could be used, but none of them is doing well. */
function describeTrouble(usable: readonly CredentialHealth[], lastSuccess: number | null): ConnectionHealth {
  const unreachable = usable.find((each) => each.unreachable);
  if (unreachable !== undefined) return health("down", "unreachable", "test", unreachable);
  const open = usable.find(({ state }) => state === "open");
  if (open !== undefined && usable.every(({ state }) => state === "open"))
    return health("down", "failing", "test", open);
  const failed = usable.find(({ state }) => state === "failed") ?? open;
  if (failed !== undefined) return health(lastSuccess === null ? "down" : "degraded", "last_failed", "test", failed);
  return health("degraded", "rate_limited", "test", usable[0]);
}

const ORDER: readonly HealthState[] = [
  "down",
  "invalid_key",
  "out_of_credit",
  "locked",
  "degraded",
  "unknown",
  "absent",
  "off",
  "healthy",
];

export interface HealthyOrNot {
  readonly connection: ConnectionView;
  readonly health: ConnectionHealth;
}

/** Sorts connections with their health, those that need attention first. */
export function byHealth(connections: readonly ConnectionView[]): readonly HealthyOrNot[] {
  return connections
    .map((connection) => ({ connection, health: getHealth(connection) }))
    .toSorted((a, b) => ORDER.indexOf(a.health.state) - ORDER.indexOf(b.health.state));
}

/** Returns the connections that need a person, the worst first. */
export const getTroubles = (connections: readonly ConnectionView[]): readonly HealthyOrNot[] =>
  byHealth(connections).filter(({ health: { tone } }) => tone === "warning" || tone === "danger");
