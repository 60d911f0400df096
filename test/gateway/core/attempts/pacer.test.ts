import { describe, expect, it } from "vitest";
import { Pacer } from "../../../../gateway/core/attempts/pacer.ts";

describe("requests per minute", () => {
  it("go out at once up to the limit, then as the oldest one turns a minute old", () => {
    const pacer = new Pacer({ rpm: 3, concurrency: null });
    for (const now of [0, 10_000, 20_000]) {
      expect(pacer.getDelay(now)).toBe(0);
      pacer.enter(now)();
    }
    expect(pacer.getDelay(20_000)).toBe(40_000);
    expect(pacer.getDelay(59_999)).toBe(1);
    expect(pacer.getDelay(60_000)).toBe(0);
    pacer.enter(60_000)();
    expect(pacer.getDelay(60_000)).toBe(10_000);
  });

  it("are at most the limit within any minute, whatever the times", () => {
    const pacer = new Pacer({ rpm: 5, concurrency: null });
    const sent: number[] = [];
    for (let now = 0; now < 400_000; now += 1 + ((now * 7_919) % 3_301)) {
      if (pacer.getDelay(now) > 0) continue;
      pacer.enter(now);
      sent.push(now);
    }
    for (const [index, at] of sent.entries())
      expect(sent.slice(index).filter((each) => each < at + 60_000).length).toBeLessThanOrEqual(5);
    expect(sent.length).toBeGreaterThan(25);
  });
});

describe("requests at the same time", () => {
  it("wait until one has ended, which counts once", () => {
    const pacer = new Pacer({ rpm: null, concurrency: 2 });
    const leave = pacer.enter(0);
    pacer.enter(0);
    expect(pacer.getDelay(0)).toBeGreaterThan(0);
    leave();
    leave();
    expect(pacer.getDelay(0)).toBe(0);
    pacer.enter(0);
    expect(pacer.getDelay(0)).toBeGreaterThan(0);
  });
});
