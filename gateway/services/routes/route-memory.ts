import { BoundedMap } from "../../lib/bounded-map.ts";

/** Max tracked sessions; more than are ever active. */
const SESSIONS = 5_000;
const MODELS = 1_000;
/** Weight of one call in the smoothed pace of a model. */
const WEIGHT = 0.2;

/** Identifies a route's chain: that of a rule, by its number, or the default one. */
export interface ChainOf {
  readonly route: string;
  readonly rule: number | null;
}

/** An earlier pace counts half after two minutes, or after eight calls that went to another model. */
const HALF_LIFE_MS = 2 * 60_000;
const HALF_LIFE_CALLS = 8;
/** Calls after which the slower models of a chain are measured again, or the interval if there are few calls. */
const CALLS_BETWEEN = 20;
const MS_BETWEEN = 5 * 60_000;
const FEW_CALLS = 3;

interface Pace {
  /**
   * Smoothed milliseconds to the first byte of a stream, or per output token of a complete response; 0: not measured.
   */
  ms: number;
  /** Monotonic ms of its last use, and number of later calls to other models. */
  usedAt: number;
  passes: number;
  /** Half-lives between the last two requests. */
  age: number;
}

/**
 * State of routes since the start: models of sessions, and response times of models. TTFT and total time are never
 * compared.
 */
export class RouteMemory {
  readonly #stays = new BoundedMap<string, string>(SESSIONS);
  readonly #streams = new BoundedMap<string, Pace>(MODELS);
  readonly #wholes = new BoundedMap<string, Pace>(MODELS);

  /** The model that a session returns to along a chain; undefined for a new session. */
  findHome(chain: ChainOf, session: string): string | undefined {
    return this.#stays.get(getKey(chain, session));
  }

  stay(chain: ChainOf, session: string, model: string): void {
    this.#stays.set(getKey(chain, session), model);
  }

  /** @param now monotonic ms */
  noteUse(model: string, stream: boolean, now: number): void {
    const paces = this.#paces(stream);
    const pace = paces.get(model);
    if (pace === undefined) return paces.set(model, { ms: 0, usedAt: now, passes: 0, age: Infinity });
    pace.age = Math.max(pace.age, (now - pace.usedAt) / HALF_LIFE_MS + pace.passes / HALF_LIFE_CALLS);
    pace.usedAt = now;
    pace.passes = 0;
  }

  /** @param ms from when it was asked to the first byte of its stream, or for each output token of its whole response */
  noteLatency(model: string, stream: boolean, ms: number): void {
    const pace = this.#paces(stream).get(model);
    if (pace === undefined) return;
    pace.ms += Math.max(WEIGHT, 1 - 0.5 ** pace.age) * (ms - pace.ms);
    pace.age = 0;
  }

  /**
   * Returns how fast a model starts a stream, or sends a whole response.
   * @returns milliseconds, smoothed; 0 for a model without measurements, so that it is tried once
   */
  pace(model: string, stream: boolean): number {
    return this.#paces(stream).get(model)?.ms ?? 0;
  }

  /**
   * Returns the slower model to measure again, because it may have become faster; null: none is due.
   * @param slower the models of a chain except its fastest, for which each call is counted
   */
  findDue(slower: readonly string[], stream: boolean, now: number): string | null {
    let oldest: { readonly model: string; readonly usedAt: number } | null = null;
    for (const model of slower) {
      const pace = this.#paces(stream).get(model);
      if (pace === undefined) return null;
      pace.passes += 1;
      const isDue = pace.passes >= CALLS_BETWEEN || (pace.passes >= FEW_CALLS && now - pace.usedAt >= MS_BETWEEN);
      if (!isDue) return null;
      if (oldest === null || pace.usedAt < oldest.usedAt) oldest = { model, usedAt: pace.usedAt };
    }
    return oldest?.model ?? null;
  }

  #paces(stream: boolean): BoundedMap<string, Pace> {
    return stream ? this.#streams : this.#wholes;
  }
}

const getKey = ({ route, rule }: ChainOf, session: string): string => `${route}\n${rule ?? ""}\n${session}`;
