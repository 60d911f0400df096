import type { InFlight } from "../../core/keys/key-state.ts";
import type { Recipient } from "./client.ts";

/** Calls that go on without their clients at the same time; each may hold some pictures in memory. */
export const MAX_DETACHED_CALLS = 4;
/** Max duration, because a local server has no timeout of its own before its first byte. */
const LONGEST_MS = 30 * 60_000;

/** Calls whose clients have disconnected and whose results go to the library, with a max count. */
export interface DetachedCalls {
  readonly inFlight: InFlight;
  readonly most: () => number;
}

/** A recipient whose client may disconnect without cancelling its call; later writes are dropped. */
export class DetachableRecipient implements Recipient {
  cancelled = false;
  isDetached = false;
  readonly #inner: Recipient;
  readonly #calls: DetachedCalls;
  readonly #detached: () => void;
  #listener: (() => void) | null = null;
  #canDetach: (() => boolean) | undefined;
  #drained: (() => void) | null = null;
  readonly #releases: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  readonly open: Recipient["open"] = (headers) => this.#inner.open(headers);
  readonly write: Recipient["write"] = (bytes) => this.#inner.write(bytes);
  readonly end: Recipient["end"] = () => this.#inner.end();
  readonly destroy: Recipient["destroy"] = () => this.#inner.destroy();

  /** @param detached called when the client has disconnected and the call continues */
  constructor(inner: Recipient, calls: DetachedCalls, detached: () => void) {
    this.#inner = inner;
    this.#calls = calls;
    this.#detached = detached;
    inner.onCancelled(() => this.#disconnect());
  }

  onCancelled(listener: (() => void) | null, canDetach?: () => boolean): void {
    this.#listener = listener;
    this.#canDetach = canDetach;
    if (this.cancelled) listener?.();
  }

  keep(release: () => void): void {
    this.#inner.keep(() => (this.isDetached ? void this.#releases.push(release) : release()));
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
    this.#inner.onDrain(listener);
  }

  /** The call has ended. */
  release(): void {
    if (!this.isDetached) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#calls.inFlight.leave();
    for (const release of this.#releases) release();
  }

  #disconnect(): void {
    const { inFlight, most } = this.#calls;
    if (this.#canDetach?.() !== true || !inFlight.tryEnter(most())) return this.#cancel();
    this.isDetached = true;
    this.#timer = setTimeout(() => this.#cancel(), LONGEST_MS).unref();
    this.#detached();
    // A stream that waited for its client continues.
    this.#drained?.();
  }

  #cancel(): void {
    this.cancelled = true;
    this.#listener?.();
  }
}
