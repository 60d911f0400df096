import { getAppName } from "../../contract/apps.ts";
import type { CallFacts } from "./call-facts.ts";
import { OPEN_LABELS, TICKS_PER_SECOND, instruments } from "./instruments.ts";
import type { Instrument, InstrumentId, Label } from "./instruments.ts";
import { writePlainText } from "./otlp-values.ts";

/** Values of labels, in the order of the instrument's; an empty one is absent. */
export type LabelValues = readonly string[];

/** A series. Sums are integers of the instrument's part of its unit. */
export interface Series {
  readonly values: LabelValues;
  count: number;
  sum: number;
  min: number;
  max: number;
  /** How many values each bucket has; empty for counters. */
  readonly buckets: number[];
}

/** Max distinct values of an open label. */
export const MOST_VALUES = 100;
/** Max series of an instrument; beyond it only closed labels are kept. */
export const MOST_SERIES = 2_000;
/** Label of all values beyond the limit. */
export const OTHER = "other";
const LONGEST_VALUE = 200;

type Labels = Partial<Readonly<Record<Label, string>>>;

/**
 * In-memory sums of calls since a start time: cumulative, so that a missed message loses nothing. The number of series
 * is bounded, whatever names clients send.
 */
export class Measurements {
  /** Unix milliseconds. */
  readonly since: number;
  readonly #series = new Map<InstrumentId, Map<string, Series>>();
  readonly #known = new Map<Label, Set<string>>();

  constructor(since: number) {
    this.since = since;
  }

  get empty(): boolean {
    return this.#series.size === 0;
  }

  series(id: InstrumentId): Iterable<Series> {
    return this.#series.get(id)?.values() ?? [];
  }

  record(facts: CallFacts): void {
    const { receipt, names, operation, tokens, error } = facts;
    // A requested model that does not exist must not use up a series.
    const model = receipt.code === "model_not_found" ? OTHER : facts.model;
    const { server } = names;
    const labels: Labels = { provider: names.provider, model, key: names.key };
    const call: Labels = {
      ...labels,
      operation,
      server: server?.address ?? "",
      port: server === null ? "" : String(server.port),
    };
    const { client, outcome, endpoint } = receipt;
    this.#add("duration", ticks(receipt.ms), { ...call, error: error ?? "" });
    if (tokens.input > 0) this.#add("tokenUsage", tokens.input, { ...call, tokenType: "input" });
    if (tokens.output > 0) this.#add("tokenUsage", tokens.output, { ...call, tokenType: "output" });
    if (outcome === "completed" && receipt.stream && receipt.first_ms !== null) {
      this.#add("firstToken", ticks(receipt.first_ms), call);
    }
    const route = receipt.route?.name ?? "";
    this.#add("requests", 1, { ...labels, endpoint, client, route, outcome, error: error ?? "" });
    for (const { unit, quantity } of receipt.terms)
      this.#add("units", Math.round(quantity * 1_000), { ...labels, unit });
    if (receipt.nano !== null) this.#add("cost", receipt.nano, { ...labels, client: getAppName(client) });
  }

  #add(id: InstrumentId, value: number, labels: Labels): void {
    // A value that is not a number would make every later message unreadable.
    if (!Number.isFinite(value) || value < 0) return;
    const instrument: Instrument = instruments[id];
    const series = this.#find(id, instrument, labels);
    series.count += 1;
    series.sum += value;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    if (instrument.kind === "counter") return;
    const bucket = instrument.bounds.findIndex((bound) => value / instrument.per <= bound);
    const at = bucket === -1 ? instrument.bounds.length : bucket;
    series.buckets[at] = (series.buckets[at] ?? 0) + 1;
  }

  #find(id: InstrumentId, instrument: Instrument, labels: Labels): Series {
    const all = this.#series.get(id) ?? new Map<string, Series>();
    this.#series.set(id, all);
    let values = instrument.labels.map((label) => this.#limitValues(label, labels[label] ?? ""));
    let found = all.get(getName(values));
    if (found === undefined && all.size >= MOST_SERIES) {
      values = instrument.labels.map((label) => (OPEN_LABELS.has(label) ? OTHER : (labels[label] ?? "")));
      found = all.get(getName(values));
    }
    if (found !== undefined) return found;
    const buckets = instrument.kind === "counter" ? [] : Array.from({ length: instrument.bounds.length + 1 }, () => 0);
    const series = { values, count: 0, sum: 0, min: Infinity, max: -Infinity, buckets };
    all.set(getName(values), series);
    return series;
  }

  #limitValues(label: Label, value: string): string {
    const plain = writePlainText(value, LONGEST_VALUE);
    if (plain === "" || !OPEN_LABELS.has(label)) return plain;
    const known = this.#known.get(label) ?? new Set<string>();
    this.#known.set(label, known);
    if (known.has(plain)) return plain;
    if (known.size >= MOST_VALUES) return OTHER;
    known.add(plain);
    return plain;
  }
}

/** The separator is a line break, which no value contains because JSON escapes it. */
function getName(values: LabelValues): string {
  return JSON.stringify(values);
}

function ticks(ms: number): number {
  return Math.round((ms * TICKS_PER_SECOND) / 1_000);
}
