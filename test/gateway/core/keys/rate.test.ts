import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InFlight, RequestWindow } from "../../../../gateway/core/keys/key-state.ts";

/** Counts a request where it is let in. */
function tryEnter(window: RequestWindow, at: number): number {
  const wait = window.wait(at);
  if (wait === 0) window.enter(at);
  return wait;
}

describe("requests per minute", () => {
  test("lets in as many as allowed, and says when the next one fits", () => {
    const window = new RequestWindow(2);
    expect([tryEnter(window, 0), tryEnter(window, 10_000)]).toEqual([0, 0]);
    expect(tryEnter(window, 20_000)).toBe(40);
    expect(tryEnter(window, 59_999)).toBe(0.001);
    expect(tryEnter(window, 60_000)).toBe(0);
    expect(tryEnter(window, 60_001)).toBeCloseTo(9.999);
  });

  test("refused requests do not count", () => {
    const window = new RequestWindow(1);
    tryEnter(window, 0);
    for (let at = 1; at < 60_000; at += 500) expect(tryEnter(window, at)).toBeGreaterThan(0);
    expect(tryEnter(window, 60_000)).toBe(0);
  });

  test("a raised limit applies at once, a lowered one counts what was let in before", () => {
    const window = new RequestWindow(2);
    tryEnter(window, 0);
    tryEnter(window, 1_000);
    window.setLimit(3);
    expect([tryEnter(window, 2_000), tryEnter(window, 2_001)]).toEqual([0, 57.999]);
    window.setLimit(1);
    expect(tryEnter(window, 60_000)).toBe(2);
    expect(tryEnter(window, 62_000)).toBe(0);
  });

  test("a change of the limit keeps the order of a window that has gone round", () => {
    const window = new RequestWindow(2);
    for (const at of [0, 1_000, 60_000]) expect(tryEnter(window, at)).toBe(0);
    window.setLimit(3);
    expect(tryEnter(window, 60_500)).toBe(0);
    expect(tryEnter(window, 60_600)).toBeCloseTo(0.4);
  });

  test("in no 60 seconds more than the limit, and never refused when there is room", () => {
    const gaps = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), gaps, (limit, between) => {
        const window = new RequestWindow(limit);
        const entered: number[] = [];
        let at = 0;
        for (const gap of between) {
          at += gap;
          const recent = entered.filter((moment) => moment > at - 60_000).length;
          const wait = tryEnter(window, at);
          expect(wait === 0).toBe(recent < limit);
          if (wait === 0) entered.push(at);
          expect(wait).toBeLessThanOrEqual(60);
        }
      }),
    );
  });
});

describe("requests in flight", () => {
  test("no more than the limit at once", () => {
    const flights = new InFlight();
    expect([flights.tryEnter(2), flights.tryEnter(2), flights.tryEnter(2)]).toEqual([true, true, false]);
    expect(flights.count).toBe(2);
    flights.leave();
    expect(flights.tryEnter(2)).toBe(true);
  });

  test("without a limit everybody is counted and no one refused", () => {
    const flights = new InFlight();
    for (let request = 0; request < 1_000; request += 1) expect(flights.tryEnter(null)).toBe(true);
    expect(flights.count).toBe(1_000);
  });
});
