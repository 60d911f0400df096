import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Hold, SpendingLimit, tryHold } from "../../../../gateway/core/money/hold.ts";

/** A limit over spend that a test can see and change, as the store's running sums are. */
function account(limit: number | null, spent = 0) {
  const state = { limit, spent };
  const limited = new SpendingLimit(
    () => state.limit,
    () => state.spent,
  );
  return { state, limit: limited };
}

function pending(result: ReturnType<typeof tryHold>): Hold {
  if (result instanceof Hold) return result;
  throw new Error("expected a hold");
}

describe("a hold", () => {
  test("takes money that no one else can hold, until it is settled", () => {
    const { state, limit } = account(100);
    const hold = pending(tryHold([limit], 60));
    expect([limit.reserved, limit.remaining]).toEqual([60, 40]);
    expect(tryHold([limit], 41)).toEqual({ limit, remaining: 40 });
    hold.settle(() => (state.spent += 25));
    expect([limit.reserved, limit.remaining]).toEqual([0, 75]);
  });

  test("may take exactly what is there", () => {
    const { limit } = account(100);
    pending(tryHold([limit], 100));
    expect(limit.remaining).toBe(0);
  });

  test("of 100 at once against money for two, two are granted", () => {
    const { limit } = account(10_000_000);
    const granted = Array.from({ length: 100 }, () => tryHold([limit], 4_000_000)).filter(
      (result) => result instanceof Hold,
    );
    expect(granted).toHaveLength(2);
  });

  test("grows by what all of its limits have left, and not where none exists", () => {
    const [{ limit }, { limit: none }] = [account(200, 10), account(null, 10)];
    const hold = new Hold(40, [limit, none]);
    expect([limit.used, none.used, account(0).limit.used]).toEqual([5, 0, 100]);
    for (const expected of [0, 1, 500, 1]) hold.grow(expected);
    expect([hold.amount, limit.reserved, none.reserved, limit.used]).toEqual([190, 190, 0, 5]);
    const free = new Hold(0, [none]);
    free.grow(10);
    expect(free.amount).toBe(0);
    hold.release();
    hold.grow(10);
    expect([hold.amount, limit.reserved]).toEqual([190, 0]);
  });

  test("is booked once, however often it is ended", () => {
    const { state, limit } = account(100);
    const hold = pending(tryHold([limit], 60));
    expect(hold.settle(() => (state.spent += 30))).toBe(true);
    expect(hold.settle(() => (state.spent += 30))).toBe(false);
    expect(hold.release()).toBe(false);
    expect([state.spent, limit.reserved, hold.open]).toEqual([30, 0, false]);
  });

  test("released costs nothing and cannot be settled any more", () => {
    const { state, limit } = account(100);
    const hold = pending(tryHold([limit], 60));
    expect(hold.release()).toBe(true);
    expect(hold.settle(() => (state.spent += 60))).toBe(false);
    expect([state.spent, limit.remaining]).toEqual([0, 100]);
  });

  test("is gone before its cost is booked, so that booking sees the true remainder", () => {
    const { state, limit } = account(100);
    const hold = pending(tryHold([limit], 100));
    let seen = -1;
    hold.settle(() => {
      seen = limit.reserved;
      state.spent += 100;
    });
    expect([seen, limit.remaining]).toEqual([0, 0]);
  });
});

describe("a key without a limit", () => {
  test("always passes and holds nothing", () => {
    const { limit } = account(null, 1e15);
    pending(tryHold([limit], Number.MAX_SAFE_INTEGER));
    expect([limit.reserved, limit.remaining]).toEqual([0, Infinity]);
  });

  test("that gets a limit meanwhile gives back nothing that it did not take", () => {
    const { state, limit } = account(null);
    const hold = pending(tryHold([limit], 50));
    state.limit = 100;
    hold.release();
    expect(limit.reserved).toBe(0);
  });
});

test("a limit that was lowered below what is spent leaves nothing, not less", () => {
  const { state, limit } = account(100, 80);
  state.limit = 10;
  expect(limit.remaining).toBe(0);
  expect(tryHold([limit], 1)).toEqual({ limit, remaining: 0 });
  pending(tryHold([limit], 0));
});

describe("when the cost is a guess", () => {
  test("what remains is held, if it covers the least", () => {
    const { limit } = account(100);
    expect(pending(tryHold([limit], 500, 20)).amount).toBe(100);
    expect(limit.remaining).toBe(0);
  });

  test("less than the least is refused", () => {
    const { limit } = account(100, 81);
    expect(tryHold([limit], 500, 20)).toEqual({ limit, remaining: 19 });
  });

  test("a cost below the least needs no more than itself", () => {
    const { limit } = account(10);
    expect(pending(tryHold([limit], 5, 20)).amount).toBe(5);
  });
});

describe("a key and the app's budget together", () => {
  test("both give, or neither", () => {
    const key = account(100);
    const app = account(50);
    expect(tryHold([key.limit, app.limit], 60)).toEqual({ limit: app.limit, remaining: 50 });
    expect([key.limit.reserved, app.limit.reserved]).toEqual([0, 0]);
    const hold = pending(tryHold([key.limit, app.limit], 50));
    expect([key.limit.reserved, app.limit.reserved]).toEqual([50, 50]);
    hold.release();
    expect([key.limit.reserved, app.limit.reserved]).toEqual([0, 0]);
  });

  test("a guess takes what the poorer one has", () => {
    const key = account(100);
    const app = account(30);
    expect(pending(tryHold([key.limit, app.limit], 500, 20)).amount).toBe(30);
  });
});

type Step =
  | { readonly do: "hold"; readonly expected: number; readonly least: number }
  | { readonly do: "settle"; readonly which: number; readonly part: number }
  | { readonly do: "release"; readonly which: number };

const amount = fc.nat(1_000);
const which = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("hold" as const), expected: amount, least: amount }),
  fc.record({ do: fc.constant("settle" as const), which, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ do: fc.constant("release" as const), which }),
);

test("in any order of steps: held and spent never exceed a limit, and nothing leaks", () => {
  fc.assert(
    fc.property(fc.nat(3_000), fc.nat(3_000), fc.array(step, { maxLength: 80 }), (keyLimit, appLimit, steps) => {
      const key = account(keyLimit);
      const app = account(appLimit);
      const calls: Hold[] = [];
      let booked = 0;
      for (const next of steps) {
        if (next.do === "hold") {
          const result = tryHold([key.limit, app.limit], next.expected, next.least);
          if (result instanceof Hold) calls.push(result);
        } else {
          const call = calls[next.which % Math.max(1, calls.length)];
          if (call === undefined) continue;
          if (next.do === "release") call.release();
          if (next.do === "settle") {
            const cost = Math.floor(call.amount * next.part);
            call.settle(() => {
              booked += cost;
              key.state.spent += cost;
              app.state.spent += cost;
            });
          }
        }
        for (const { state, limit } of [key, app]) {
          expect(state.spent + limit.reserved).toBeLessThanOrEqual(state.limit ?? Infinity);
          expect(limit.reserved).toBeGreaterThanOrEqual(0);
          expect(limit.remaining).toBe((state.limit ?? Infinity) - state.spent - limit.reserved);
        }
      }
      for (const hold of calls) hold.release();
      expect([key.limit.reserved, app.limit.reserved]).toEqual([0, 0]);
      expect([key.state.spent, app.state.spent]).toEqual([booked, booked]);
    }),
    { numRuns: 300 },
  );
});

type ScopedStep =
  | { readonly do: "hold"; readonly under: number; readonly expected: number; readonly least: number }
  | { readonly do: "grow"; readonly which: number; readonly expected: number }
  | { readonly do: "settle"; readonly which: number; readonly part: number }
  | { readonly do: "release"; readonly which: number }
  | { readonly do: "lower"; readonly which: number }
  | { readonly do: "lift"; readonly which: number };

const scopedStep: fc.Arbitrary<ScopedStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("hold" as const), under: fc.nat(31), expected: amount, least: amount }),
  },
  fc.record({ do: fc.constant("grow" as const), which, expected: amount }),
  fc.record({ do: fc.constant("settle" as const), which, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ do: fc.constant("release" as const), which }),
  fc.record({ do: fc.constant("lower" as const), which }),
  fc.record({ do: fc.constant("lift" as const), which }),
);

test("of calls that fall under any of several budgets none goes over one, and each is booked once in each of its own", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3_000), { minLength: 5, maxLength: 5 }),
      fc.array(scopedStep, { maxLength: 80 }),
      (limits, steps) => {
        const accounts = limits.map((limit) => account(limit));
        const booked = limits.map(() => 0);
        /** What each had at the most. */
        const most = [...limits];
        const calls: { readonly hold: Hold; readonly under: readonly number[] }[] = [];
        for (const next of steps) {
          const call = calls[("which" in next ? next.which : 0) % Math.max(1, calls.length)];
          if (next.do === "hold") {
            const under = limits.flatMap((_limit, at) => ((next.under >> at) & 1 ? [at] : []));
            const before = accounts.map(({ limit }) => limit.reserved);
            const own = under.map((at) => (accounts[at] as (typeof accounts)[number]).limit);
            const result = tryHold(own, next.expected, next.least);
            if (result instanceof Hold) calls.push({ hold: result, under });
            // All or none.
            const more = result instanceof Hold ? result.amount : 0;
            expect(accounts.map(({ limit }, at) => limit.reserved - (before[at] ?? 0))).toEqual(
              limits.map((_limit, at) => (under.includes(at) ? more : 0)),
            );
          } else if (next.do === "lower" || next.do === "lift") {
            // An owner may take a budget below what is held: then nothing more is held until it is there again.
            const at = next.which % accounts.length;
            const limit = next.do === "lower" ? 0 : 3_000;
            (accounts[at] as (typeof accounts)[number]).state.limit = limit;
            most[at] = Math.max(most[at] ?? 0, limit);
          } else if (call === undefined) continue;
          else if (next.do === "grow") call.hold.grow(next.expected);
          else if (next.do === "release") call.hold.release();
          else {
            const cost = Math.floor(call.hold.amount * next.part);
            call.hold.settle(() => {
              for (const at of call.under) {
                booked[at] = (booked[at] ?? 0) + cost;
                (accounts[at] as (typeof accounts)[number]).state.spent += cost;
              }
            });
          }
          for (const [at, { state, limit }] of accounts.entries()) {
            expect(state.spent + limit.reserved).toBeLessThanOrEqual(most[at] ?? 0);
            expect(limit.reserved).toBeGreaterThanOrEqual(0);
            expect(limit.remaining).toBe(Math.max(0, (state.limit ?? 0) - state.spent - limit.reserved));
          }
        }
        for (const { hold } of calls) hold.release();
        expect(accounts.map(({ limit }) => limit.reserved)).toEqual(limits.map(() => 0));
        expect(accounts.map(({ state }) => state.spent)).toEqual(booked);
      },
    ),
    { numRuns: 300 },
  );
});
