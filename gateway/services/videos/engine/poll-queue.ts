import type { Clock } from "../../../lib/clock.ts";
import type { Later } from "../../../lib/later.ts";

/** Max concurrent polls per account. */
const MOST_AT_ONCE = 8;

export interface LaneDeps {
  readonly clock: Clock;
  readonly later: Later;
  /** Processes one entry, or several that can be polled together. Must not reject. */
  readonly work: (ids: readonly string[]) => Promise<void>;
  /** Returns which others can be polled in one request with this one, and the max count; null: none. */
  readonly together: (id: string) => { readonly group: string; readonly most: number } | null;
}

/**
 * Starts work at least `gap` ms apart, for a provider's rate limit and to avoid a burst after sleep. Waiting entries
 * are polled together if the provider supports it.
 */
export class PollQueue {
  readonly #deps: LaneDeps;
  readonly #gap: number;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #lastAt = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(deps: LaneDeps, gap: number) {
    this.#deps = deps;
    this.#gap = gap;
  }

  /** Adds a task; a waiting task is not added twice. */
  add(id: string): void {
    this.#waiting.add(id);
    this.#next();
  }

  /** Resolves when nothing is running that was started before. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waiting.clear();
  }

  #next(): void {
    while (this.#cancel === null && this.#running.size < MOST_AT_ONCE && this.#waiting.size > 0) {
      const now = this.#deps.clock.monotonic();
      const wait = this.#lastAt + this.#gap - now;
      if (wait > 0) {
        this.#cancel = this.#deps.later(Math.ceil(wait), () => {
          this.#cancel = null;
          this.#next();
        });
        return;
      }
      this.#lastAt = now;
      const running = this.#deps.work(this.#take()).finally(() => {
        this.#running.delete(running);
        this.#next();
      });
      this.#running.add(running);
    }
  }

  /** Takes the task that waits longest, and all tasks that can be polled with it. */
  #take(): readonly string[] {
    const { together } = this.#deps;
    const ids: string[] = [];
    let first: ReturnType<typeof together> = null;
    for (const id of this.#waiting) {
      if (ids.length === 0) first = together(id);
      else if (first === null || ids.length >= first.most) break;
      else if (together(id)?.group !== first.group) continue;
      ids.push(id);
    }
    for (const id of ids) this.#waiting.delete(id);
    return ids;
  }
}
