import type { GatewayEvent } from "../contract/events.ts";

/** The gateway's typed bus: what happened, for the pages, the tray and tests. Listeners must not throw. */
export class Events {
  readonly #listeners = new Set<(event: GatewayEvent) => void>();

  subscribe(listener: (event: GatewayEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: GatewayEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Nobody listens: callers may skip the work of making an event. */
  get idle(): boolean {
    return this.#listeners.size === 0;
  }
}
