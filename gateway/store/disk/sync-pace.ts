/** Milliseconds until a sync that no caller waits for. */
const SYNC_AFTER_MS = 25;

/** Decides when the next sync starts: later if no caller waits, so that more lines share it. */
export class SyncPace {
  readonly #restMs: number;
  readonly #begin: () => void;
  #awaited = false;
  #hurried = false;
  #lastStartedAt = -Infinity;
  #timer: { readonly timeout: NodeJS.Timeout; readonly at: number } | null = null;

  /** @param restMs between the beginnings of two syncs that are waited for */
  constructor(restMs: number, begin: () => void) {
    this.#restMs = restMs;
    this.#begin = begin;
  }

  /** Notes that a caller waits for the next sync. */
  await(): void {
    this.#awaited = true;
  }

  /** Notes that a caller waits who does not wait for others to share it. */
  hurry(): void {
    this.#hurried = true;
  }

  /** There is something to sync: now, or at its time. */
  plan(): void {
    const lazy = !this.#awaited && !this.#hurried;
    if (lazy && this.#timer !== null) return;
    const now = performance.now();
    const rested = this.#hurried ? now : this.#lastStartedAt + this.#restMs;
    const at = lazy ? now + SYNC_AFTER_MS : Math.max(now, rested);
    if (at <= now) return this.#begin();
    if (this.#timer !== null && this.#timer.at <= at) return;
    this.stop();
    this.#timer = { timeout: setTimeout(() => this.#begin(), at - now).unref(), at };
  }

  /** Notes the start of a sync. Later callers wait for the next one. */
  noteStart(): void {
    this.stop();
    this.#awaited = false;
    this.#hurried = false;
    this.#lastStartedAt = performance.now();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer.timeout);
    this.#timer = null;
  }
}
