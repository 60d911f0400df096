import type { Recipient } from "./client.ts";

/**
 * An internal caller. It takes a call's result as an object, so bytes written to a connection are dropped; it counts as
 * disconnected when its request is cancelled.
 */
export class LocalRecipient implements Recipient {
  readonly #signal: AbortSignal;
  #stopListening: (() => void) | null = null;
  readonly #releases: (() => void)[] = [];
  #released = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get cancelled(): boolean {
    return this.#signal.aborted;
  }

  onCancelled(listener: (() => void) | null): void {
    this.#stopListening?.();
    this.#stopListening = null;
    if (listener === null) return;
    if (this.cancelled) return listener();
    this.#signal.addEventListener("abort", listener, { once: true });
    this.#stopListening = () => this.#signal.removeEventListener("abort", listener);
  }

  keep(release: () => void): void {
    if (this.#released) release();
    else this.#releases.push(release);
  }

  /** Ends the caller's interest: it has its result, or no longer wants it. */
  release(): void {
    this.#released = true;
    for (const release of this.#releases.splice(0)) release();
  }

  open(): void {}

  write(): boolean {
    return true;
  }

  onDrain(): void {}

  end(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): void {}
}
