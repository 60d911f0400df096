import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Rounds } from "../../../gateway/lib/rounds.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("time that passes", () => {
  it("is reported to all that wait, with one timer, and to none that is gone", () => {
    const watch = new Rounds<{ tick: (ms: number) => void }>(250, (one) => one.tick(250));
    const reported = { a: 0, b: 0 };
    const a = { tick: (ms: number) => void (reported.a += ms) };
    const b = { tick: (ms: number) => void (reported.b += ms) };
    const place = watch.add(a);
    vi.advanceTimersByTime(500);
    watch.add(b);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(500);
    watch.remove(place, a);
    vi.advanceTimersByTime(500);
    expect(reported).toEqual({ a: 1_000, b: 1_000 });
  });

  it("is not counted where no one waits, and is again when someone does", () => {
    const watch = new Rounds<{ tick: (ms: number) => void }>(250, (one) => one.tick(250));
    let reportCount = 0;
    const one = { tick: (ms: number) => void (reportCount += ms) };
    watch.remove(watch.add(one), one);
    vi.advanceTimersByTime(250);
    expect([reportCount, vi.getTimerCount()]).toEqual([0, 0]);
    watch.add(one);
    vi.advanceTimersByTime(250);
    expect(reportCount).toBe(250);
  });
});
