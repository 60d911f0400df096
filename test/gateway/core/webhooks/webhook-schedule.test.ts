import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_ATTEMPTS, findNextAttempt, readRetryAfter } from "../../../../gateway/core/webhooks/webhook-schedule.ts";

const HOUR = 3_600_000;
/** docs/webhooks.md, in milliseconds. */
const PAUSES = [0, 5_000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** No jitter. */
const MIDDLE = 0.5;

describe("the schedule of webhooks", () => {
  it("is that of Standard Webhooks, 75:35:05 in all, and then over", () => {
    expect(PAUSES.map((_, made) => findNextAttempt(made, MIDDLE, null))).toEqual(PAUSES);
    expect(PAUSES.reduce((sum, pause) => sum + pause, 0)).toBe(((75 * 60 + 35) * 60 + 5) * 1_000);
    expect(MOST_ATTEMPTS).toBe(10);
    expect(findNextAttempt(10, MIDDLE, null)).toBeNull();
    expect(findNextAttempt(10, MIDDLE, 60_000)).toBeNull();
    expect(findNextAttempt(11, MIDDLE, null)).toBeNull();
  });

  it("varies by 20 % and no more, and uses all of it", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (made, random) => {
        const pause = findNextAttempt(made, random, null) ?? Number.NaN;
        const step = PAUSES[made] ?? Number.NaN;
        expect(pause).toBeGreaterThanOrEqual(step * 0.8);
        expect(pause).toBeLessThanOrEqual(step * 1.2);
      }),
    );
    expect(findNextAttempt(1, 0, null)).toBe(4_000);
    expect(findNextAttempt(1, 0.999_999, null)).toBe(6_000);
  });

  it.each([
    ["a longer wish wins", 1, 60_000, 60_000],
    ["a shorter one does not", 2, 60_000, 300_000],
    ["before the first too", 0, 1_000, 1_000],
    ["never beyond a day", 1, 1e9 * 1_000, 24 * HOUR],
    ["none is none", 1, null, 5_000],
  ])("honours what the receiver asks for: %s", (_what, made, request, pause) =>
    expect(findNextAttempt(made, MIDDLE, request)).toBe(pause),
  );
});

describe("Retry-After", () => {
  const now = Date.parse("Fri, 20 Nov 2026 12:00:00 GMT");
  it.each([
    ["0", 0],
    [" 120 ", 120_000],
    ["1000000000", 1e12],
    ["Fri, 20 Nov 2026 12:01:30 GMT", 90_000],
    ["Friday, 20-Nov-26 12:01:30 GMT", 90_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ])("of %j is read", (value, ms) => expect(readRetryAfter(value, now)).toBe(ms));

  it.each([null, "", "soon", "-5", "1.5", "1e3", "0x10", "2026-11-20", "Mon", "120, 240", "9".repeat(400)])(
    "of %j is refused",
    (value) => expect(readRetryAfter(value, now)).toBeNull(),
  );

  it("never throws and never asks for less than nothing", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = readRetryAfter(value, now);
        expect(ms === null || ms >= 0).toBe(true);
      }),
    );
  });
});
