import { Slots } from "./slots.ts";

/**
 * Periodically checked items with one shared timer, which only runs while there are any. Time is counted in rounds, not
 * by clocks: sleep or a busy process uses up no item's time.
 */
export class Rounds<T> implements Iterable<T> {
  readonly #slots = new Slots<T>();
  readonly #everyMs: number;
  readonly #look: (one: T) => void;
  #timer: NodeJS.Timeout | null = null;

  /** @param look at one of them, in each round; it may add and remove some. Must not throw. */
  constructor(everyMs: number, look: (one: T) => void) {
    this.#everyMs = everyMs;
    this.#look = look;
  }

  /** @returns its place, for `remove` */
  add(one: T): number {
    this.#timer ??= setInterval(() => this.run(), this.#everyMs).unref();
    return this.#slots.add(one);
  }

  /** Idempotent. */
  remove(place: number, one: T): void {
    this.#slots.remove(place, one);
  }

  /** Runs a round. Public so that tests need not wait. */
  run(): void {
    for (const one of this.#slots) this.#look(one);
    if (this.#slots.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#slots[Symbol.iterator]();
  }
}
