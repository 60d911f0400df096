/** Runs work a few at a time, in the order in which it came. */
export class Limiter {
  readonly #count: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  constructor(count: number) {
    this.#count = count;
  }

  /** @param work must not reject */
  run(work: () => Promise<void>): void {
    this.#waiting.push(work);
    this.#next();
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  #next(): void {
    while (this.#running < this.#count) {
      const work = this.#waiting.shift();
      if (work === undefined) break;
      this.#running += 1;
      void work().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
    if (this.#running > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
