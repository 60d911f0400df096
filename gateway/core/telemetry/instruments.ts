/**
 * The instruments for calls. Names, units and boundaries of `gen_ai.…` are those of the semantic conventions 1.41.0
 * (docs/decisions/recordings-and-telemetry.md); `postern.…` is our own. Prometheus names follow from them.
 */

/** Attributes of series; the span of a call has the same. */
export const labelNames = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  tokenType: "gen_ai.token.type",
  server: "server.address",
  port: "server.port",
  error: "error.type",
  endpoint: "postern.endpoint",
  outcome: "postern.outcome",
  key: "postern.key.name",
  client: "postern.client",
  route: "postern.route.name",
  unit: "postern.unit",
} as const;
export type Label = keyof typeof labelNames;

/** Labels with an unbounded number of values, chosen by users or clients. */
export const OPEN_LABELS: ReadonlySet<Label> = new Set(["model", "server", "key", "client", "route"]);

interface AnyInstrument {
  readonly name: string;
  /** The unit in UCUM notation. */
  readonly unit: string;
  readonly about: string;
  readonly labels: readonly Label[];
  /** Values are added up as integers of this part of the unit, so that sums stay exact. */
  readonly per: number;
}

export interface Counter extends AnyInstrument {
  readonly kind: "counter";
}

export interface Histogram extends AnyInstrument {
  readonly kind: "histogram";
  /** Upper boundaries, each within its bucket. */
  readonly bounds: readonly number[];
}

export type Instrument = Counter | Histogram;

/** Receipts have tenths of a millisecond. */
export const TICKS_PER_SECOND = 10_000;
const CALL: readonly Label[] = ["operation", "provider", "model", "server", "port"];

export const instruments = {
  duration: {
    kind: "histogram",
    name: "gen_ai.client.operation.duration",
    unit: "s",
    about: "Duration of calls, from the request's arrival at Postern to the last byte of the response.",
    labels: [...CALL, "error"],
    per: TICKS_PER_SECOND,
    bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  tokenUsage: {
    kind: "histogram",
    name: "gen_ai.client.token.usage",
    unit: "{token}",
    about: "Billed tokens of calls, input with what was cached and output with reasoning.",
    labels: [...CALL, "tokenType"],
    per: 1,
    bounds: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  },
  firstToken: {
    kind: "histogram",
    name: "gen_ai.server.time_to_first_token",
    unit: "s",
    about: "Time from the request's arrival to the first byte of completed streams.",
    labels: CALL,
    per: TICKS_PER_SECOND,
    bounds: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  requests: {
    kind: "counter",
    name: "postern.requests",
    unit: "{request}",
    about: "Receipts, by how the call ended.",
    labels: ["endpoint", "provider", "model", "key", "client", "route", "outcome", "error"],
    per: 1,
  },
  units: {
    kind: "counter",
    name: "postern.units",
    unit: "{unit}",
    about: "Billed units by their class; classes of tokens are disjoint.",
    labels: ["provider", "model", "key", "unit"],
    // Seconds have three decimals.
    per: 1_000,
  },
  cost: {
    kind: "counter",
    name: "postern.cost_usd",
    unit: "{USD}",
    about: "Cost of calls with a known price. That of the sandbox is nobody's money.",
    labels: ["provider", "model", "key", "client"],
    per: 1_000_000_000,
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentId = keyof typeof instruments;

/** A value that is read on request. */
export interface Reading {
  readonly kind: "gauge" | "counter";
  /** Null: only for Prometheus. */
  readonly name: string | null;
  /** The Prometheus name, if it does not follow from the name. */
  readonly prometheus?: string;
  readonly unit: string;
  readonly about: string;
  readonly value: number;
}
