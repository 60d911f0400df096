import type { Recipient } from "./client.ts";

/**
 * A caller inside Postern. It takes what a call came to as an object, so what is written for a connection goes nowhere;
 * it is gone when its request was cancelled.
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

  /** The caller has what it wanted, or does not want it any more. */
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
