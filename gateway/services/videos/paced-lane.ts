import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";

/** Questions to one account that are under way at the same time. */
const MOST_AT_ONCE = 8;

/** Lets work begin one after another, at least `gap` ms apart: a vendor's rate limit, and no storm after sleep. */
export class PacedLane {
  readonly #deps: { readonly clock: Clock; readonly later: Later };
  readonly #gap: number;
  readonly #waiting = new Map<string, () => Promise<void>>();
  #running = 0;
  #lastAt = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(deps: { readonly clock: Clock; readonly later: Later }, gap: number) {
    this.#deps = deps;
    this.#gap = gap;
  }

  /** @param id the same work waits once. @param work must not reject. */
  run(id: string, work: () => Promise<void>): void {
    this.#waiting.set(id, work);
    this.#next();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waiting.clear();
  }

  #next(): void {
    while (this.#cancel === null && this.#running < MOST_AT_ONCE) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const now = this.#deps.clock.monotonic();
      const wait = this.#lastAt + this.#gap - now;
      if (wait > 0) {
        this.#cancel = this.#deps.later(Math.ceil(wait), () => {
          this.#cancel = null;
          this.#next();
        });
        return;
      }
      const [id, work] = first;
      this.#waiting.delete(id);
      this.#lastAt = now;
      this.#running += 1;
      void work().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}
