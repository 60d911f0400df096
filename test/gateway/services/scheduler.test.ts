import { describe, expect, it } from "vitest";
import type { Clock } from "../../../gateway/lib/clock.ts";
import { Scheduler } from "../../../gateway/services/scheduler.ts";

/** Both clocks and the timers in the test's hands. */
class Time implements Clock {
  wall = 1_800_000_000_000;
  mono = 1_000;
  #timers = new Map<number, { at: number; work: () => void }>();
  #next = 0;

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.mono;
  }

  readonly later = (ms: number, work: () => void): (() => void) => {
    const id = this.#next++;
    this.#timers.set(id, { at: this.mono + ms, work });
    return () => this.#timers.delete(id);
  };

  get timers(): number {
    return this.#timers.size;
  }

  /** Time passes, timer by timer. */
  pass(ms: number): void {
    const end = this.mono + ms;
    for (;;) {
      const [due] = [...this.#timers].filter(([, { at }]) => at <= end).toSorted(([, a], [, b]) => a.at - b.at);
      if (due === undefined) break;
      this.wall += due[1].at - this.mono;
      this.mono = due[1].at;
      this.#timers.delete(due[0]);
      due[1].work();
    }
    this.wall += end - this.mono;
    this.mono = end;
  }
}

function started(): { time: Time; done: string[]; scheduler: Scheduler<string> } {
  const time = new Time();
  const done: string[] = [];
  return { time, done, scheduler: new Scheduler({ clock: time, later: time.later, onDue: (key) => done.push(key) }) };
}

describe("an scheduler", () => {
  it("calls each entry once, in order, when it is due", () => {
    const { time, done, scheduler } = started();
    scheduler.set("late", time.wall + 60_000);
    scheduler.set("soon", time.wall + 1_000);
    scheduler.set("past", time.wall - 5_000);
    time.pass(0);
    expect(done).toEqual(["past"]);
    time.pass(999);
    expect(done).toEqual(["past"]);
    time.pass(1);
    expect(done).toEqual(["past", "soon"]);
    time.pass(100_000);
    expect(done).toEqual(["past", "soon", "late"]);
    expect(time.timers).toBe(0);
  });

  it("moves an entry that is set again, and forgets one that is deleted", () => {
    const { time, done, scheduler } = started();
    scheduler.set("a", time.wall + 1_000);
    scheduler.set("a", time.wall + 30_000);
    scheduler.set("b", time.wall + 1_000);
    scheduler.delete("b");
    time.pass(29_999);
    expect(done).toEqual([]);
    time.pass(1);
    expect(done).toEqual(["a"]);
  });

  it("wakes after sleep, when only the wall clock went on, without being reported", () => {
    const { time, done, scheduler } = started();
    scheduler.set("hourly", time.wall + 3_600_000);
    time.wall += 8 * 3_600_000;
    time.pass(10_000);
    expect(done).toEqual(["hourly"]);
  });

  it("does not wait for a day that the wall clock was set back by", () => {
    const { time, done, scheduler } = started();
    scheduler.set("soon", time.wall + 5_000);
    time.wall -= 86_400_000;
    time.pass(5_000);
    expect(done).toEqual(["soon"]);
  });

  it("calls nothing after it was stopped", () => {
    const { time, done, scheduler } = started();
    scheduler.set("a", time.wall + 1_000);
    scheduler.stop();
    scheduler.set("b", time.wall);
    time.pass(60_000);
    expect(done).toEqual([]);
    expect(time.timers).toBe(0);
  });

  it("may be changed by what is done", () => {
    const time = new Time();
    const done: string[] = [];
    const scheduler: Scheduler<string> = new Scheduler({
      clock: time,
      later: time.later,
      onDue: (key) => {
        done.push(key);
        scheduler.delete("b");
        if (done.length < 3) scheduler.set("a", time.wall + 1_000);
      },
    });
    scheduler.set("a", time.wall);
    scheduler.set("b", time.wall);
    time.pass(10_000);
    expect(done).toEqual(["a", "a", "a"]);
  });
});
