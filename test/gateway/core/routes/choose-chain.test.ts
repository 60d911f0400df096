import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import type { RouteConditions, RouteRule } from "../../../../gateway/contract/routes.ts";
import { chooseChain, minuteOfDay, type RequestOrigin } from "../../../../gateway/core/routes/choose-chain.ts";
import type { RequestFacts } from "../../../../gateway/core/routes/request-facts.ts";

type Facts = Pick<RequestFacts, "kinds" | "inputTokens">;

const rule = (when: RouteConditions, model: string, enabled = true): RouteRule => ({ when, models: [model], enabled });
const plain: Facts = { kinds: [], inputTokens: () => 100 };
const noon: RequestOrigin = { client: "claude-cli", key: "key_1", minuteOfDay: 12 * 60, budgetUsed: () => 50 };

function ruled(
  rules: readonly RouteRule[],
  facts: Partial<Facts> = {},
  at: Partial<RequestOrigin> = {},
): number | null {
  return chooseChain({ models: ["own"], rules: [...rules] }, { ...plain, ...facts }, { ...noon, ...at }).rule;
}

describe("the first rule that holds", () => {
  test("decides, by its number", () => {
    const rules = [
      rule({ kinds: ["title"] }, "a"),
      rule({ kinds: ["background"] }, "b"),
      rule({ keys: ["key_1"] }, "c"),
    ];
    const route = { models: ["own", "other"], rules };
    const chosen = (kinds: Facts["kinds"], key = "key_1") => chooseChain(route, { ...plain, kinds }, { ...noon, key });
    expect(chosen(["background", "title"])).toEqual({ models: ["a"], rule: 1 });
    expect(chosen(["background"])).toEqual({ models: ["b"], rule: 2 });
    expect(chosen([])).toEqual({ models: ["c"], rule: 3 });
    expect(chosen([], "key_2")).toEqual({ models: ["own", "other"], rule: null });
  });

  test("is never one that is switched off", () => {
    expect(ruled([rule({ keys: ["key_1"] }, "a", false), rule({ keys: ["key_1"] }, "b")])).toBe(2);
  });

  test("holds where all of its conditions do", () => {
    const when: RouteConditions = { kinds: ["tools"], clients: ["claude*"], hours: { from: "11:00", until: "13:00" } };
    expect(ruled([rule(when, "a")], { kinds: ["tools"] })).toBe(1);
    expect(ruled([rule(when, "a")], { kinds: [] })).toBeNull();
    expect(ruled([rule(when, "a")], { kinds: ["tools"] }, { client: "Codex" })).toBeNull();
    expect(ruled([rule(when, "a")], { kinds: ["tools"] }, { minuteOfDay: 13 * 60 })).toBeNull();
  });
});

test.each<[string, RouteConditions, Partial<Facts>, Partial<RequestOrigin>, boolean]>([
  ["any of the kinds", { kinds: ["title", "tools"] }, { kinds: ["tools"] }, {}, true],
  ["as many tokens are not more", { input_tokens_above: 100 }, {}, {}, false],
  ["more tokens", { input_tokens_above: 99 }, {}, {}, true],
  ["any tokens", { input_tokens_above: 0 }, {}, {}, true],
  ["a client in another case", { clients: ["openai/*"] }, {}, { client: "OpenAI/JS" }, true],
  ["a pattern in another case", { clients: ["*JS"] }, {}, { client: "openai/js" }, true],
  ["another client", { clients: ["codex*", "qwen*"] }, {}, {}, false],
  ["the name of its app", { clients: ["claude code"] }, {}, { client: "claude-cli" }, true],
  ["another key", { keys: ["key_2"] }, {}, {}, false],
  ["as much of the budget is not more", { budget_used_above: 50 }, {}, {}, false],
  ["more of the budget", { budget_used_above: 49.9 }, {}, {}, true],
  ["at the first minute", { hours: { from: "12:00", until: "13:00" } }, {}, {}, true],
  ["at the last minute", { hours: { from: "11:00", until: "12:00" } }, {}, {}, false],
  ["before midnight", { hours: { from: "22:00", until: "06:30" } }, {}, { minuteOfDay: 23 * 60 + 59 }, true],
  ["behind midnight", { hours: { from: "22:00", until: "06:30" } }, {}, { minuteOfDay: 0 }, true],
  ["in the morning", { hours: { from: "22:00", until: "06:30" } }, {}, { minuteOfDay: 6 * 60 + 30 }, false],
  ["at noon", { hours: { from: "22:00", until: "06:30" } }, {}, {}, false],
  ["all day", { hours: { from: "08:00", until: "08:00" } }, {}, {}, true],
])("%s", (_, when, facts, at, holds) => {
  expect(ruled([rule(when, "a")], facts, at)).toBe(holds ? 1 : null);
});

test("what takes time is asked only where everything else holds", () => {
  let requestCount = 0;
  const count = (): number => (requestCount += 1);
  const when: RouteConditions = { input_tokens_above: 0, budget_used_above: 0, keys: ["key_2"] };
  expect(ruled([rule(when, "a")], { inputTokens: count }, { budgetUsed: count })).toBeNull();
  expect(requestCount).toBe(0);
  expect(ruled([rule(when, "a")], { inputTokens: count }, { budgetUsed: count, key: "key_2" })).toBe(1);
  expect(requestCount).toBe(2);
});

const minute = fc.integer({ min: 0, max: 1_439 });
const time = (at: number): string =>
  `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;

test("at every minute either the hours hold or those that are left of the day", () => {
  fc.assert(
    fc.property(minute, minute, minute, (from, until, minuteOfDay) => {
      fc.pre(from !== until);
      const hours = { from: time(from), until: time(until) };
      const rest = { from: time(until), until: time(from) };
      const first = ruled([rule({ hours }, "a")], {}, { minuteOfDay: minuteOfDay });
      const second = ruled([rule({ hours: rest }, "a")], {}, { minuteOfDay: minuteOfDay });
      expect([first, second].filter((pending) => pending === 1)).toHaveLength(1);
      // Minute by minute from the first on, it is reached before the end.
      const steps = (minuteOfDay - from + 1_440) % 1_440;
      expect(first === 1).toBe(steps < (until - from + 1_440) % 1_440);
    }),
  );
});

test("a condition more never makes a rule hold, and rules after the one that holds change nothing", () => {
  const conditions = fc.record(
    {
      kinds: fc.uniqueArray(fc.constantFrom(...requestKinds), { minLength: 1 }),
      input_tokens_above: fc.nat(200),
      clients: fc.array(fc.constantFrom("*", "claude*", "Codex", "CLAUDE-CLI"), { minLength: 1 }),
      keys: fc.array(fc.constantFrom("key_1", "key_2"), { minLength: 1 }),
      hours: fc.record({ from: minute.map(time), until: minute.map(time) }),
      budget_used_above: fc.nat(100),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(conditions, conditions, fc.subarray([...requestKinds]), minute, (when, more, kinds, minuteOfDay) => {
      const pending = (conditions: RouteConditions) =>
        ruled([rule(conditions, "a")], { kinds }, { minuteOfDay: minuteOfDay }) === 1;
      // Of the conditions that both have, those of the first count.
      if (pending({ ...more, ...when })) expect(pending(when)).toBe(true);
      const both = ruled([rule(when, "a"), rule(more, "b")], { kinds }, { minuteOfDay: minuteOfDay });
      expect(both).toBe(pending(when) ? 1 : pending(more) ? 2 : null);
    }),
  );
});

test("a minute of the day is that of the machine's clock", () => {
  expect([minuteOfDay(new Date(2026, 0, 1, 13, 5, 59)), minuteOfDay(new Date(2026, 0, 1))]).toEqual([785, 0]);
});
