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

/** What routes have seen since the start: where sessions are, and how fast models begin to respond. */
export class RouteMemory {
  readonly #stays = new BoundedMap<string, string>(SESSIONS);
  readonly #firstMs = new BoundedMap<string, number>(MODELS);

  /** The model that last responded to a session along a chain; undefined where none did. */
  stayed(chain: ChainOf, session: string): string | undefined {
    return this.#stays.get(keyOf(chain, session));
  }

  stay(chain: ChainOf, session: string, model: string): void {
    this.#stays.set(keyOf(chain, session), model);
  }

  /** @param ms from when it was asked to the first byte of its response */
  measured(model: string, ms: number): void {
    const before = this.#firstMs.get(model);
    this.#firstMs.set(model, before === undefined ? ms : before + WEIGHT * (ms - before));
  }

  /** Milliseconds, smoothed; 0 for a model that was not asked yet, so that it is tried once. */
  firstMs(model: string): number {
    return this.#firstMs.get(model) ?? 0;
  }
}

const keyOf = ({ route, rule }: ChainOf, session: string): string => `${route}\n${rule ?? ""}\n${session}`;
