const LANES = 64;
const LANES_PER_RECEIVER = 2;

interface Receiver {
  running: number;
  readonly waiting: (() => Promise<void>)[];
}

/**
 * Runs attempts: at most two at a receiver and 64 in all, receivers in turn. One that hangs keeps two lanes and its
 * own queue, and nobody else's.
 */
export class ReceiverQueues {
  /** Those with something to do, the one whose turn is next first. */
  readonly #receivers = new Map<string, Receiver>();
  readonly #idle = new Set<() => void>();
  #running = 0;

  /**
   * @param work must not reject
   * @param first goes before what waits for the same receiver
   */
  run(name: string, work: () => Promise<void>, first = false): void {
    let receiver = this.#receivers.get(name);
    if (receiver === undefined) this.#receivers.set(name, (receiver = { running: 0, waiting: [] }));
    if (first) receiver.waiting.unshift(work);
    else receiver.waiting.push(work);
    this.#next();
  }

  /** Forgets what has not begun. */
  clear(): void {
    for (const receiver of this.#receivers.values()) receiver.waiting.length = 0;
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.add(resolve));
  }

  #next(): void {
    for (const [name, receiver] of this.#receivers) {
      if (this.#running >= LANES) return;
      if (receiver.running >= LANES_PER_RECEIVER) continue;
      const work = receiver.waiting.shift();
      if (work === undefined) continue;
      // To the end of the row, where this walk meets it again.
      this.#receivers.delete(name);
      this.#receivers.set(name, receiver);
      receiver.running += 1;
      this.#running += 1;
      void work().finally(() => this.#done(name, receiver));
    }
  }

  #done(name: string, receiver: Receiver): void {
    receiver.running -= 1;
    this.#running -= 1;
    if (receiver.running === 0 && receiver.waiting.length === 0) this.#receivers.delete(name);
    this.#next();
    if (this.#running > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}
