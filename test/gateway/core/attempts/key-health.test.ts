import { describe, expect, it } from "vitest";
import { KeyHealth } from "../../../../gateway/core/attempts/key-health.ts";

const failed = { kind: "failed", scope: "model", reason: "it broke" } as const;
const unreachable = { kind: "failed", scope: "key", reason: "ECONNREFUSED" } as const;
const answered = { kind: "answered" } as const;

function after(...events: readonly (readonly [model: string, result: Parameters<KeyHealth["report"]>[1]])[]) {
  const health = new KeyHealth();
  for (const [index, [model, result]] of events.entries()) {
    health.begin(model, index);
    health.report(model, result, index);
  }
  return health;
}
const times = <T>(count: number, event: T): T[] => Array.from({ length: count }, () => event);
const at = 100;

it("one model's failures leave the other models as they were", () => {
  const health = after(...times(5, ["a", failed] as const));
  expect([health.mayCall("a", at), health.mayCall("b", at)]).toEqual(["open", "yes"]);
});

it("a connection that cannot be reached is open for every model", () => {
  const health = after(...times(5, ["a", unreachable] as const));
  expect([health.mayCall("a", at), health.mayCall("b", at)]).toEqual(["open", "open"]);
});

it("a response with an error status ends that it could not be reached", () => {
  const health = after(...times(5, ["a", unreachable] as const), ["b", failed]);
  expect(health.mayCall("a", at)).toBe("yes");
});

it.each([
  [{ kind: "refused", reason: "wrong key" } as const, "no"],
  [{ kind: "out_of_credit", reason: "empty" } as const, "no"],
  [{ kind: "rate", scope: "key", retryAfterMs: 60_000, reason: "slow down" } as const, "last"],
])("%o holds for every model", (result, may) => {
  const health = after(["a", result]);
  expect([health.mayCall("a", at), health.mayCall("b", at)]).toEqual([may, may]);
});

it("a model's own rate limit holds for it alone", () => {
  const health = after(["a", { kind: "rate", scope: "model", retryAfterMs: 60_000, reason: "slow down" }]);
  expect([health.mayCall("a", at), health.mayCall("b", at)]).toEqual(["last", "yes"]);
});

it("a response of a model forgets its failures and no other model's", () => {
  const health = after(...times(5, ["a", failed] as const), ...times(5, ["b", failed] as const), ["a", answered]);
  expect([health.mayCall("a", at), health.mayCall("b", at)]).toEqual(["yes", "open"]);
});

it("is shown as failing as a whole only while nothing else has answered since", () => {
  const health = after(...times(5, ["a", failed] as const));
  expect(health.whole).toMatchObject({ state: "open", since: 0 });
  health.report("b", answered, at);
  expect(health.whole.state).toBe("ready");
  expect(health.listTroubled().map(([model]) => model)).toEqual(["a"]);
});

it.each([failed, unreachable])("lets one call at a time probe, until that probe was given up: %o", (result) => {
  const health = after(...times(5, ["a", result] as const));
  const later = 60_000;
  // A call before the time is not one.
  health.begin("a", at);
  expect(health.mayCall("a", later)).toBe("probe");
  health.begin("a", later);
  expect(health.mayCall("a", later)).toBe("open");
  health.report("a", { kind: "neutral" }, later);
  expect(health.mayCall("a", later)).toBe("probe");
});

it("remembers the 50 latest models", () => {
  const health = new KeyHealth();
  for (let index = 0; index < 1_000; index++)
    for (const result of times(5, failed)) health.report(`model-${index}`, result, index);
  expect(health.listTroubled()).toHaveLength(50);
  expect(health.listTroubled()[0]?.[0]).toBe("model-950");
});

it("tells that a failure is to be shown, and once that it is over", () => {
  const health = new KeyHealth();
  const reports = [unreachable, unreachable, answered, answered].map((result) => health.report("a", result, at));
  expect(reports).toEqual([true, false, true, false]);
  expect(health.whole.reason).toBeNull();
  // The state of the key, and that of a model.
  expect(health.report("a", { kind: "rate", scope: "key", retryAfterMs: 5, reason: "slow down" }, at)).toBe(true);
  expect(health.report("a", { kind: "rate", scope: "model", retryAfterMs: 5, reason: "slow down" }, at)).toBe(true);
});

it("a refused key stays refused while its provider cannot be reached", () => {
  const health = after(["a", { kind: "refused", reason: "wrong key" }], ["a", unreachable]);
  expect(health.whole).toMatchObject({ state: "refused", reason: "wrong key" });
});

it("a list that fails on its own counts until a call is answered, and again once one fails", () => {
  const health = new KeyHealth();
  health.reportList(unreachable, 1, false);
  expect(health.whole.reason).toBe("ECONNREFUSED");
  health.report("a", answered, 2);
  health.reportList({ kind: "refused", reason: "may not list" }, 3, false);
  expect(health.whole).toMatchObject({ state: "ready", reason: null });
  health.report("a", failed, 4);
  health.reportList({ kind: "refused", reason: "wrong key" }, 5, false);
  expect(health.whole.state).toBe("refused");
});

it("a failing list of a key whose calls work counts for its owner, and from then on for everybody", () => {
  const health = new KeyHealth();
  const refused = { kind: "refused", reason: "may not list" } as const;
  health.report("a", answered, 1);
  health.report("a", { kind: "neutral" }, 2);
  health.reportList(answered, 3, false);
  health.reportList(refused, 4, false);
  expect(health.whole.state).toBe("ready");
  health.reportList(refused, 5, true);
  expect(health.whole.state).toBe("refused");
  health.forget(null);
  health.reportList(refused, 6, false);
  expect(health.whole.state).toBe("refused");
});

it("a list that is answered proves nothing of calls", () => {
  const health = new KeyHealth();
  health.reportList(answered, 1, false);
  health.reportList(unreachable, 2, false);
  expect(health.whole.reason).toBe("ECONNREFUSED");
});

it("remembers when it last answered, whatever was asked", () => {
  const health = new KeyHealth();
  expect(health.lastAnswerAt).toBeNull();
  health.reportList(answered, 1, false);
  health.report("a", failed, 2);
  expect(health.lastAnswerAt).toBe(1);
  health.report("a", answered, 3);
  expect(health.lastAnswerAt).toBe(3);
  health.forget(4);
  expect(health.lastAnswerAt).toBe(4);
  health.forget(null);
  expect(health.lastAnswerAt).toBe(4);
});

it("forgets what was wrong with the key and with its models", () => {
  const health = after(...times(5, ["a", failed] as const), ["b", { kind: "refused", reason: "wrong key" }]);
  expect(health.mayCall("a", at)).toBe("no");
  health.forget(at);
  expect([health.mayCall("a", at), health.listTroubled()]).toEqual(["yes", []]);
});

it("a model that fails was reached, which ends failures to reach its provider and nothing else of its key", () => {
  expect(after(...times(4, ["a", unreachable] as const), ["a", failed], ["a", unreachable]).mayCall("b", at)).toBe(
    "yes",
  );
  const slow = { kind: "rate", scope: "key", retryAfterMs: 60_000, reason: "slow down" } as const;
  expect(after(["a", slow], ["a", failed]).mayCall("b", at)).toBe("last");
});

it("is as bad as the worse of a key and a model", () => {
  const slow = { kind: "rate", scope: "model", retryAfterMs: 60_000, reason: "slow down" } as const;
  const refused = { kind: "refused", reason: "wrong key" } as const;
  const open = times(5, ["a", failed] as const);
  expect(after(["a", slow], ...open.map(() => ["b", failed] as const)).whole.state).toBe("open");
  expect(after(...open, ["b", refused]).whole.state).toBe("refused");
  expect(after(...open, ["b", refused]).for("a", at).state).toBe("refused");
  expect(after(...open, ["b", { ...slow, scope: "key" }]).for("a", at).state).toBe("open");
  expect(after(...open).for("b", at).state).toBe("ready");
});

it("is shown as failing until another model answers, at the same moment or before", () => {
  const health = after(...times(5, ["a", failed] as const));
  health.report("b", { kind: "neutral" }, at);
  expect(health.whole.state).toBe("open");
  health.report("b", answered, at);
  expect(health.whole.state).toBe("ready");
  health.report("c", { kind: "rate", scope: "model", retryAfterMs: 5, reason: "slow down" }, at);
  expect(health.whole.state).toBe("cooling");
});

describe("a reading without credit", () => {
  it("has the key called last, until it no longer counts", () => {
    const health = new KeyHealth();
    health.noteCredit(true, at + 10);
    expect([health.mayCall("a", at), health.isOutOfCredit(at)]).toEqual(["open", true]);
    expect([health.mayCall("a", at + 10), health.isOutOfCredit(at + 10)]).toEqual(["yes", false]);
  });

  it("ends with a call that works, and with a reading of credit; a model list says nothing of it", () => {
    const health = new KeyHealth();
    health.noteCredit(true, at + 10);
    health.reportList(answered, at, true);
    expect(health.mayCall("a", at)).toBe("open");
    health.report("a", answered, at);
    expect(health.mayCall("a", at)).toBe("yes");
    health.noteCredit(true, at + 10);
    health.noteCredit(false, at + 10);
    expect(health.mayCall("a", at)).toBe("yes");
  });

  it("makes nothing of a refused key", () => {
    const health = after(["a", { kind: "refused", reason: "wrong key" }]);
    health.noteCredit(true, at + 10);
    expect(health.mayCall("a", at)).toBe("no");
  });
});
