import { BoundedMap } from "../../lib/bounded-map.ts";

/** More sessions than anybody has open. */
const SESSIONS = 5_000;
const MODELS = 1_000;
/** How much one call moves what is known of a model's pace. */
const WEIGHT = 0.2;

/** What routes have seen since the start: where sessions are, and how fast models begin to respond. */
export class RouteMemory {
  readonly #stays = new BoundedMap<string, string>(SESSIONS);
  readonly #firstMs = new BoundedMap<string, number>(MODELS);

  /** The model that last responded to a session along a route; undefined where none did. */
  stayed(route: string, session: string): string | undefined {
    return this.#stays.get(keyOf(route, session));
  }

  stay(route: string, session: string, model: string): void {
    this.#stays.set(keyOf(route, session), model);
  }

  /** @param ms from the arrival of a request to the first byte of its response */
  measured(model: string, ms: number): void {
    const before = this.#firstMs.get(model);
    this.#firstMs.set(model, before === undefined ? ms : before + WEIGHT * (ms - before));
  }

  /** Milliseconds, smoothed; 0 for a model that was not asked yet, so that it is tried once. */
  firstMs(model: string): number {
    return this.#firstMs.get(model) ?? 0;
  }
}

const keyOf = (route: string, session: string): string => `${route}\n${session}`;
