import { describe, expect, it } from "vitest";
import { HEALTHY, afterCall, mayCall, withCallUnderWay, worse } from "../../../../gateway/core/attempts/breaker.ts";
import type { CallResult, Health, May } from "../../../../gateway/core/attempts/breaker.ts";

const REFUSED: CallResult = { kind: "refused", reason: "401" };
const EMPTY: CallResult = { kind: "out_of_credit", reason: "402" };
const failed: CallResult = { kind: "failed", scope: "model", reason: "it broke" };
const createRateLimit = (retryAfterMs: number | null): CallResult => ({
  kind: "rate",
  scope: "key",
  retryAfterMs,
  reason: "429",
});

/** The health after these results, one millisecond apart, the first at `from`. */
function reportAll(results: readonly CallResult[], from = 1_000): Health {
  return results.reduce((health, result, index) => afterCall(health, result, from + index), HEALTHY);
}
const repeatFailure = (count: number): CallResult[] => Array.from({ length: count }, () => failed);

describe("the health after a call", () => {
  it.each<[string, CallResult[], Health["state"], number]>([
    ["4 failures", repeatFailure(4), "ready", 0],
    ["5 failures", repeatFailure(5), "open", 1_004 + 5_000],
    ["6 failures", repeatFailure(6), "open", 1_005 + 10_000],
    ["8 failures", repeatFailure(8), "open", 1_007 + 40_000],
    ["9 failures", repeatFailure(9), "open", 1_008 + 60_000],
    ["20 failures", repeatFailure(20), "open", 1_019 + 60_000],
    ["4 failures, a response and 4 more", [...repeatFailure(4), { kind: "answered" }, ...repeatFailure(4)], "ready", 0],
    ["a 429 that names a time", [createRateLimit(1_234)], "cooling", 1_000 + 1_234],
    ["a 429 that names none", [createRateLimit(null)], "cooling", 1_000],
    ["a refused key", [REFUSED], "refused", 1_000 + 1_000],
    ["a key that is refused again", [REFUSED, REFUSED], "refused", 1_001 + 5_000],
    ["a key that is refused a third time", [REFUSED, REFUSED, REFUSED], "refused", 1_002 + 15_000],
    ["a key that is refused for good", Array.from({ length: 9 }, () => REFUSED), "refused", 1_008 + 60_000],
    [
      "a refused key that worked meanwhile",
      [REFUSED, REFUSED, { kind: "answered" }, REFUSED],
      "refused",
      1_003 + 1_000,
    ],
    ["an empty account", [EMPTY], "out_of_credit", 1_000 + 1_000],
    ["an account that stays empty", [EMPTY, EMPTY, EMPTY, EMPTY], "out_of_credit", 1_003 + 60_000],
    ["an empty account whose key is then refused", [EMPTY, EMPTY, REFUSED], "refused", 1_002 + 1_000],
    ["an empty account that then fails", [EMPTY, failed], "out_of_credit", 1_000 + 1_000],
    ["a refused key that then fails", [REFUSED, failed], "refused", 1_000 + 1_000],
    ["a 429 and 4 failures", [createRateLimit(60_000), ...repeatFailure(4)], "cooling", 61_000],
  ])("after %s is asked again at the right time", (_what, results, state, until) => {
    expect(reportAll(results)).toMatchObject({ state, until });
  });

  it("counts failures since the first one, with the last reason", () => {
    const unreachable: CallResult = { kind: "failed", scope: "key", reason: "ECONNREFUSED", unreachable: true };
    const two = reportAll([failed, unreachable]);
    expect(two).toEqual({ ...HEALTHY, failures: 2, since: 1_000, reason: "ECONNREFUSED", unreachable: true });
    const five = reportAll([...repeatFailure(4), unreachable]);
    expect(five).toMatchObject({ failures: 5, since: 1_000, reason: "ECONNREFUSED", unreachable: true });
    expect(afterCall(five, failed, 2_000)).toMatchObject({ failures: 6, since: 1_000, unreachable: false });
    expect(afterCall(five, { kind: "answered" }, 2_000)).toBe(HEALTHY);
  });

  it("keeps the start of a trouble while it is the same one", () => {
    const cooling = reportAll([createRateLimit(5), createRateLimit(5)]);
    expect(cooling).toEqual({ ...HEALTHY, state: "cooling", until: 1_006, since: 1_000, reason: "429" });
    expect(afterCall(cooling, { kind: "refused", reason: "401" }, 3_000)).toMatchObject({ since: 3_000, failures: 1 });
  });

  it.each<[string, CallResult]>([
    ["neutral", { kind: "neutral" }],
    ["a failure", failed],
    ["a refusal", { kind: "refused", reason: "401" }],
  ])("ends the probe: %s", (_what, result) => {
    for (const results of [repeatFailure(5), [{ kind: "refused", reason: "x" } as const]]) {
      const probing = { ...reportAll(results), probing: true };
      expect(afterCall(probing, result, 90_000).probing).toBe(false);
    }
    expect(afterCall({ ...HEALTHY, failures: 1, probing: true }, result, 90_000).probing).toBe(false);
  });

  it("is the same object after a call that says nothing", () => {
    const health = reportAll([createRateLimit(5)]);
    expect(afterCall(health, { kind: "neutral" }, 2_000)).toBe(health);
  });
});

describe("whether a call may be made", () => {
  it.each<[Health["state"], boolean, May, May]>([
    ["ready", false, "yes", "yes"],
    ["ready", true, "yes", "yes"],
    ["cooling", false, "last", "yes"],
    ["cooling", true, "last", "yes"],
    ["open", false, "open", "probe"],
    ["open", true, "open", "open"],
    ["refused", false, "no", "probe"],
    ["refused", true, "no", "no"],
    ["out_of_credit", false, "no", "probe"],
    ["out_of_credit", true, "no", "no"],
  ])("%s, probing %s: %s before its time and %s from then on", (state, probing, before, then) => {
    const health: Health = { ...HEALTHY, state, probing, until: 500 };
    expect([mayCall(health, 499), mayCall(health, 500)]).toEqual([before, then]);
  });

  it("is, where no one else is left, one call a second to a key that was refused", () => {
    const refused = reportAll([REFUSED, REFUSED, REFUSED]);
    expect([mayCall(refused, 1_500), mayCall(refused, 2_002)]).toEqual(["no", "open"]);
    const request = withCallUnderWay(refused, 2_002);
    expect([mayCall(request, 2_003), mayCall(request, 3_001), mayCall(request, 3_002)]).toEqual(["no", "no", "open"]);
    // The probe that is due comes all the same.
    expect(mayCall(request, 16_002)).toBe("probe");
  });

  it("is the worse of two", () => {
    const order: readonly May[] = ["yes", "probe", "last", "open", "no"];
    for (const [better, one] of order.entries())
      for (const [bad, other] of order.entries()) expect(worse(one, other)).toBe(order[Math.max(better, bad)]);
  });
});
