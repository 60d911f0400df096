import { describe, expect, it } from "vitest";
import {
  listBudgetNotices,
  getBudgets,
  createBudgetStep,
  type ReportedBudgets,
} from "../../../main/policy/budget-notices.ts";
import { english } from "../../../main/policy/words.ts";
import { sampleBudget } from "../launch/samples.ts";
import { limitedKey, stateWith } from "../fakes/rows.ts";

const USD = 1e9;
const NOW = Date.UTC(2026, 10, 22);
const at = (spentUsd: number, period = "2026-11", limitUsd = 10) => [
  { id: "app", name: null, period, spentNano: spentUsd * USD, limitNano: limitUsd * USD },
];

describe("budgetsOf", () => {
  it("takes the app's, and those of keys by their periods", () => {
    const keys = [
      limitedKey({ id: "m", spent_nano: 5 }),
      limitedKey({ id: "d", reset: "daily", limit_usd: 0.000_000_5 }),
      limitedKey({ id: "n", reset: "never" }),
      limitedKey({ id: "none", limit_usd: null }),
      limitedKey({ id: "lock", limit_usd: 0 }),
      limitedKey({ id: "off", disabled: true }),
    ];
    const budgets = getBudgets(stateWith(7, 20 * USD), keys, [], NOW);
    expect(budgets.map(({ id, period, spentNano, limitNano }) => [id, period, spentNano, limitNano])).toStrictEqual([
      ["app", "2026-11", 7, 20 * USD],
      ["m", "2026-11", 5, 10 * USD],
      ["d", "2026-11-22", 0, 500],
      ["n", "", 0, 10 * USD],
    ]);
    const scoped = getBudgets(
      stateWith(7, null),
      [],
      [
        { ...sampleBudget, spent_nano: 3 },
        { ...sampleBudget, reset: "daily" },
        { ...sampleBudget, limit_usd: 0 },
      ],
      NOW,
    );
    expect(scoped.map(({ id, name, period, limitNano }) => [id, name, period, limitNano])).toStrictEqual([
      ["monthly client claude-*", "claude-*", "2026-11", 60 * USD],
      ["daily client claude-*", "claude-*", "2026-11-22", 60 * USD],
    ]);
    expect(getBudgets(stateWith(7, null), [], [], NOW)).toStrictEqual([]);
    expect(getBudgets(stateWith(7, 0), [], [], NOW)).toStrictEqual([]);
  });
});

describe("budgetStep", () => {
  it("tells 80 and 100 % once in a period, and again in the next or with another limit", () => {
    let reported: ReportedBudgets = {};
    const step = (...given: Parameters<typeof at>): number[] => {
      const next = createBudgetStep(reported, at(...given));
      reported = next.reported;
      return next.reached.map(({ percent }) => percent);
    };
    expect(step(7.99)).toStrictEqual([]);
    expect(step(8)).toStrictEqual([80]);
    expect(step(9.99)).toStrictEqual([]);
    // A hold that was released takes it below the step: no reason to tell it again.
    expect(step(7)).toStrictEqual([]);
    expect(step(8.5)).toStrictEqual([]);
    expect(step(10)).toStrictEqual([100]);
    expect(step(12)).toStrictEqual([]);
    expect(step(1, "2026-12")).toStrictEqual([]);
    expect(step(9, "2026-12")).toStrictEqual([80]);
    expect(step(9, "2026-12", 9)).toStrictEqual([100]);
    expect(step(9, "2026-12", 100)).toStrictEqual([]);
    expect(step(80, "2026-12", 100)).toStrictEqual([80]);
    expect(step(81, "2026-12", 101)).toStrictEqual([80]);
  });

  it("tells only the higher when both were passed at once", () => {
    expect(createBudgetStep({}, at(11)).reached.map(({ percent }) => percent)).toStrictEqual([100]);
  });

  it("changes nothing in its memory when nothing happened, and forgets budgets that are gone", () => {
    const { reported } = createBudgetStep({}, at(9));
    expect(createBudgetStep(reported, at(9)).reported).toBe(reported);
    expect(createBudgetStep(reported, []).reported).toStrictEqual({});
  });
});

describe("budgetNotices", () => {
  it("says whose budget, how much of how much, and what follows", () => {
    const key = { id: "k", name: "Laptop", period: "", spentNano: 10 * USD, limitNano: 10 * USD };
    const { reached } = createBudgetStep({}, [...at(8), key]);
    expect(listBudgetNotices(reached, english)).toStrictEqual([
      { title: "80 % of a budget is spent", body: "This month's budget: $8.00 of $10.00.", opens: { page: "usage" } },
      {
        title: "A budget is spent",
        body: "The budget of the key Laptop: $10.00 of $10.00. Further paid calls are refused.",
        opens: { page: "keys" },
      },
    ]);
  });

  it("leads to where budgets of clients and projects are set", () => {
    const project = { id: "p", name: "site", scope: "project", period: "", spentNano: 8, limitNano: 10 } as const;
    const { reached } = createBudgetStep({}, [project, { ...project, id: "c", name: "claude-*", scope: "client" }]);
    const opens = { page: "settings", params: { section: "budget" } };
    expect(listBudgetNotices(reached, english).map(({ body, opens: to }) => [body.split(":")[0], to])).toStrictEqual([
      ["The budget of the project site", opens],
      ["The budget of the app claude-*", opens],
    ]);
  });

  it("names at most three of many, the spent ones first", () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      id: `k${index}`,
      name: `Key ${index}`,
      period: "",
      spentNano: index === 8 ? 10 : 8,
      limitNano: 10,
    }));
    const notices = listBudgetNotices(createBudgetStep({}, many).reached, english);
    expect(notices.map(({ title }) => title)).toStrictEqual([
      "A budget is spent",
      "80 % of a budget is spent",
      "80 % of a budget is spent",
    ]);
  });
});
