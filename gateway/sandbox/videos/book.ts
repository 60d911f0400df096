/** More than anyone submits while a sandbox runs; what is older is left out of lists. */
const MOST_TASKS = 10_000;

/**
 * What the sandbox remembers of its tasks, until it stops: words that no id has room for, what was taken back, and what was
 * erased. A task that is not in it, since it was submitted before a restart, is no less a task.
 */
export class TaskBook<Words> {
  readonly #words = new Map<string, Words>();
  readonly #withdrawn = new Map<string, number>();
  readonly #erased = new Map<string, true>();

  add(id: string, words: Words): void {
    this.#words.set(id, words);
    forgetOldest(this.#words);
  }

  wordsOf(id: string): Words | undefined {
    return this.#words.get(id);
  }

  withdraw(id: string, now: number): void {
    this.#withdrawn.set(id, now);
    forgetOldest(this.#withdrawn);
  }

  /** When it was taken back (Unix ms); null when it was not. */
  withdrawnAt(id: string): number | null {
    return this.#withdrawn.get(id) ?? null;
  }

  /** Takes its record away. */
  erase(id: string): void {
    this.#words.delete(id);
    this.#erased.set(id, true);
    forgetOldest(this.#erased);
  }

  isErased(id: string): boolean {
    return this.#erased.has(id);
  }

  /** Newest first. */
  ids(): readonly string[] {
    return [...this.#words.keys()].toReversed();
  }
}

function forgetOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > MOST_TASKS && oldest !== undefined) kept.delete(oldest);
}

/** One page of a list, counted from 1. */
export function pageOf<Item>(items: readonly Item[], page: number, size: number): readonly Item[] {
  return items.slice((page - 1) * size, page * size);
}

/** A positive whole number of the query, `most` at most; the standard one where there is none. */
export function countIn(query: URLSearchParams, name: string, standard: number, most: number): number {
  const value = Number(query.get(name) ?? standard);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : standard;
}

/** The query of a request. */
export function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams((url ?? "").split("?")[1] ?? "");
}
