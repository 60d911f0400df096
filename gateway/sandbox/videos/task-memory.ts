/** Max tasks, more than are submitted while a sandbox runs; lists leave out older ones. */
const MOST_TASKS = 10_000;

/** Tasks of a provider's sandbox, until it stops. A task that is not in it is still valid. */
export class TaskMemory {
  readonly #ids: string[] = [];
  readonly #withdrawn = new Map<string, number>();

  add(id: string): void {
    if (this.#ids.push(id) > MOST_TASKS) this.#withdrawn.delete(this.#ids.shift() ?? "");
  }

  /** Takes one back that waits. */
  withdraw(id: string, now: number): void {
    this.#withdrawn.set(id, now);
  }

  getWithdrawal(id: string): number | undefined {
    return this.#withdrawn.get(id);
  }

  /** Newest first. */
  get ids(): readonly string[] {
    return this.#ids.toReversed();
  }
}
