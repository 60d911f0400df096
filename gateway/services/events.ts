import type { GatewayEvent } from "../contract/events.ts";

/** The gateway's typed bus: what happened, for the pages, the tray and tests. Listeners must not throw. */
export class Events {
  readonly #listeners = new Set<(event: GatewayEvent) => void>();
  readonly #ofType = new Map<GatewayEvent["type"], Set<() => void>>();

  subscribe(listener: (event: GatewayEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens to one type of event only; other events cost such a listener nothing. */
  on(type: GatewayEvent["type"], listener: () => void): () => void {
    const listeners = this.#ofType.get(type) ?? new Set();
    this.#ofType.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit(event: GatewayEvent): void {
    for (const listener of this.#listeners) listener(event);
    for (const listener of this.#ofType.get(event.type) ?? NOBODY) listener();
  }

  /** Whether such events have listeners: without any, callers may skip making one. */
  hears(type: GatewayEvent["type"]): boolean {
    return this.#listeners.size > 0 || (this.#ofType.get(type)?.size ?? 0) > 0;
  }
}

const NOBODY: ReadonlySet<() => void> = new Set();
