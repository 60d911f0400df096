import type { Clock } from "../../../../gateway/lib/clock.ts";
import type { Later } from "../../../../gateway/lib/later.ts";

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** A clock that only moves when it is ordered to, and the timers that go by it. */
export class SimulatedTime implements Clock {
  #wall: number;
  #monotonic = 1_000;
  readonly #timers = new Set<Timer>();

  constructor(wall: number) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  readonly later: Later = (ms, work) => {
    const timer = { at: this.#monotonic + ms, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Lets time pass, timer by timer. @param settled waits for what a timer began */
  async pass(ms: number, settled: () => Promise<void>): Promise<void> {
    const end = this.#monotonic + ms;
    for (;;) {
      await settled();
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#move(Math.max(0, next.at - this.#monotonic));
      this.#timers.delete(next);
      next.work();
    }
    this.#move(end - this.#monotonic);
    await settled();
  }

  /** The process is gone, and its timers with it. */
  forget(): void {
    this.#timers.clear();
  }

  /** The machine sleeps: only the wall clock goes on. Negative: someone sets it back. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  #move(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }
}
