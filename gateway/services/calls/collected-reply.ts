import type { Client, StreamWriter } from "./client.ts";

/**
 * A caller inside Postern in the place where services expect a connection: what they write is kept here. The caller is
 * gone when its request was cancelled.
 */
export class CollectedReply implements Client, StreamWriter {
  readonly #signal: AbortSignal;
  readonly #chunks: Buffer[] = [];
  #headers: Readonly<Record<string, string>> = {};
  #broken = false;
  #onWrite: ((bytes: Buffer) => void) | null = null;
  #stopListening: (() => void) | null = null;
  readonly #kept: (() => void)[] = [];
  #released = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get gone(): boolean {
    return this.#signal.aborted;
  }

  /** Everything that was written so far. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Those that the stream was opened with; none before. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** The service broke the answer off: what was written is not whole. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Calls `listener` with each piece as it is written. At most one listener. */
  onWrite(listener: (bytes: Buffer) => void): void {
    this.#onWrite = listener;
  }

  onGone(listener: (() => void) | null): void {
    this.#stopListening?.();
    this.#stopListening = null;
    if (listener === null) return;
    if (this.gone) return listener();
    this.#signal.addEventListener("abort", listener, { once: true });
    this.#stopListening = () => this.#signal.removeEventListener("abort", listener);
  }

  keep(release: () => void): void {
    if (this.#released) release();
    else this.#kept.push(release);
  }

  /** The caller has what it wanted, or does not want it any more. */
  release(): void {
    this.#released = true;
    for (const release of this.#kept.splice(0)) release();
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.#headers = headers;
  }

  write(bytes: Buffer | string): boolean {
    const piece = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    this.#chunks.push(piece);
    this.#onWrite?.(piece);
    return true;
  }

  onDrain(): void {
    // Memory is never full in the sense of a socket: services bound what they write.
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): void {
    this.#broken = true;
  }
}
