import { Slots } from "../lib/slots.ts";

const TICK_MS = 250;

/** A request on its way to a provider. */
export interface Listener {
  /** So many more milliseconds have passed. */
  tick(ms: number): void;
}

/**
 * Tells requests how time passes, so that they end themselves where a provider says nothing for too long. One timer for
 * all: undici's own make two objects for each request that stay for a second. It counts rounds, not clocks: a laptop that
 * slept in between, or a busy process, does not take a provider's silence for longer than it was.
 */
export class SilenceWatch {
  readonly #listening = new Slots<Listener>();
  #timer: NodeJS.Timeout | null = null;

  /** @returns its place, for `remove` */
  add(listener: Listener): number {
    this.#timer ??= setInterval(() => this.#round(), TICK_MS).unref();
    return this.#listening.add(listener);
  }

  /** Removing it again does nothing. */
  remove(place: number, listener: Listener): void {
    this.#listening.remove(place, listener);
  }

  #round(): void {
    for (const listener of this.#listening) listener.tick(TICK_MS);
    if (this.#listening.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
