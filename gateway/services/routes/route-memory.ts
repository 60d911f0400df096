import { BoundedMap } from "../../lib/bounded-map.ts";

/** More sessions than anybody has open. */
const SESSIONS = 5_000;
const MODELS = 1_000;
/** How much one call moves what is known of a model's pace. */
const WEIGHT = 0.2;

/** Which chain of a route: that of a rule, by its number, or its own. */
export interface ChainOf {
  readonly route: string;
  readonly rule: number | null;
}

/**
 * What routes have seen since the start: where sessions are, and how fast models respond. The first byte of a stream comes
 * long before a response that is whole, so the two are never compared.
 */
export class RouteMemory {
  readonly #stays = new BoundedMap<string, string>(SESSIONS);
  readonly #begins = new BoundedMap<string, number>(MODELS);
  readonly #responds = new BoundedMap<string, number>(MODELS);

  /** The model that last responded to a session along a chain; undefined where none did. */
  stayed(chain: ChainOf, session: string): string | undefined {
    return this.#stays.get(keyOf(chain, session));
  }

  stay(chain: ChainOf, session: string, model: string): void {
    this.#stays.set(keyOf(chain, session), model);
  }

  /** @param ms from when it was asked to the first byte of its stream, or to its whole response */
  measured(model: string, stream: boolean, ms: number): void {
    const paces = stream ? this.#begins : this.#responds;
    const before = paces.get(model);
    paces.set(model, before === undefined ? ms : before + WEIGHT * (ms - before));
  }

  /**
   * How fast a model begins a stream, or responds as a whole.
   * @returns milliseconds, smoothed; 0 for a model that was not asked for that yet, so that it is tried once
   */
  pace(model: string, stream: boolean): number {
    return (stream ? this.#begins : this.#responds).get(model) ?? 0;
  }
}

const keyOf = ({ route, rule }: ChainOf, session: string): string => `${route}\n${rule ?? ""}\n${session}`;
