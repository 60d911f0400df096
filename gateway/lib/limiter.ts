/** How much runs at the same time. */
export interface Limits {
  /** Limit of one name. */
  readonly each: number;
  /** Limit of all names together; unbounded by default. */
  readonly all?: number;
}

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Runs a limited number of tasks concurrently. Tasks of one name start in order, and names alternate: a hanging one
 * only blocks its own queue.
 */
export class Limiter {
  readonly #each: number;
  readonly #all: number;
  /** Queues with work, the next one first. */
  readonly #queues = new Map<string, Queue>();
  #running = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  constructor({ each, all = Infinity }: Limits) {
    this.#each = each;
    this.#all = all;
  }

  /**
   * Starts `work` as soon as the limits allow.
   * @param first whether it precedes waiting tasks of the same name
   * @returns the result of the work; never settles for work dropped by `clear`
   */
  run<T>(name: string, work: () => Promise<T>, first = false): Promise<T> {
    let queue = this.#queues.get(name);
    if (queue === undefined) this.#queues.set(name, (queue = { running: 0, waiting: [] }));
    const { waiting } = queue;
    return new Promise((resolve) => {
      const begin = (): void => {
        const done = work();
        const end = (): void => this.#end(name);
        done.then(end, end);
        resolve(done);
      };
      if (first) waiting.unshift(begin);
      else waiting.push(begin);
      this.#next();
    });
  }

  /** Drops the work that has not started. */
  clear(): void {
    for (const [name, queue] of this.#queues) {
      queue.waiting.length = 0;
      if (queue.running === 0) this.#queues.delete(name);
    }
  }

  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  #next(): void {
    for (const [name, queue] of this.#queues) {
      if (this.#running >= this.#all) return;
      if (queue.running >= this.#each) continue;
      const begin = queue.waiting.shift();
      if (begin === undefined) continue;
      // The queue moves to the end, where this loop reaches it again.
      this.#queues.delete(name);
      this.#queues.set(name, queue);
      queue.running += 1;
      this.#running += 1;
      begin();
    }
  }

  #end(name: string): void {
    const queue = this.#queues.get(name);
    this.#running -= 1;
    if (queue !== undefined) {
      queue.running -= 1;
      if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(name);
    }
    this.#next();
    if (this.#running > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
