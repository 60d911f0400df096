import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { StoredAlias, StoredBudget, StoredPrice, StoredRoute } from "../../../gateway/store/document.ts";
import { isValidRecord } from "../../../gateway/store/validate.ts";
import { open } from "./fixtures.ts";

const ALIAS: StoredAlias = { id: "team/fast", model: "openai/gpt-5:online", created_at: 5 };
const PRICE: StoredPrice = { id: "local/model", rates: { input: 1_500_000_000, output: 0 }, as_of: "2026-11-20" };
const ROUTE: StoredRoute = {
  id: "team/smart",
  models: ["claude-opus-4-5", "gpt-5.4"],
  order: "cheapest",
  sticky: true,
  rules: [
    {
      when: { kinds: ["background", "title"], hours: { from: "22:00", until: "06:00" }, budget_used_above: 80 },
      models: ["claude-haiku-4-5"],
      enabled: false,
    },
  ],
  enabled: true,
  created_at: 5,
};

const BUDGET: StoredBudget = {
  id: "daily|client|claude-*",
  scope: { kind: "client", name: "claude-*" },
  reset: "daily",
  limit_nano: 5_000_000_000,
  created_at: 5,
};

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "postern-own-models-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test("aliases, prices, routes and budgets are kept over a kill, in snapshots, and gone once removed", async () => {
  const dir = await folder();
  const { store } = await open({ dir });
  await store.commit([{ op: "put", in: "aliases", record: ALIAS }]);
  await store.commit([{ op: "put", in: "prices", record: PRICE }]);
  await store.commit([{ op: "put", in: "routes", record: ROUTE }]);
  await store.commit([{ op: "put", in: "budgets", record: BUDGET }]);
  // Not closed: as after a kill.
  const killed = (await open({ dir })).store;
  expect(killed.document.aliases.get(ALIAS.id)).toEqual(ALIAS);
  expect(killed.document.prices.get(PRICE.id)).toEqual(PRICE);
  expect(killed.document.routes.get(ROUTE.id)).toEqual(ROUTE);
  expect(killed.document.budgets.get(BUDGET.id)).toEqual(BUDGET);
  await store.snapshot();
  await store.close();
  const again = (await open({ dir })).store;
  expect([again.document.aliases.size, again.document.prices.size]).toEqual([1, 1]);
  expect(again.document.routes.get(ROUTE.id)).toEqual(ROUTE);
  expect(again.document.budgets.get(BUDGET.id)).toEqual(BUDGET);
  await again.commit([
    { op: "delete", in: "aliases", id: ALIAS.id },
    { op: "delete", in: "prices", id: PRICE.id },
    { op: "delete", in: "routes", id: ROUTE.id },
    { op: "delete", in: "budgets", id: BUDGET.id },
  ]);
  await again.close();
  const last = (await open({ dir })).store;
  const { aliases, prices, routes, budgets } = last.document;
  expect([aliases.size, prices.size, routes.size, budgets.size]).toEqual([0, 0, 0, 0]);
});

test("a folder of a version without them opens whole", async () => {
  const dir = await folder();
  const { store } = await open({ dir });
  await store.commit([{ op: "put", in: "receivers", record: { id: "https://receiver.example/hook", disabled_at: 5 } }]);
  await store.snapshot();
  await store.close();
  const again = (await open({ dir })).store;
  expect(again.openingNotices).toEqual([]);
  expect(again.document.receivers.size).toBe(1);
  const { aliases, prices, routes, budgets } = again.document;
  expect([aliases.size, prices.size, routes.size, budgets.size]).toEqual([0, 0, 0, 0]);
});

test.each<[string, "aliases" | "prices" | "routes" | "budgets", object]>([
  ["an alias without a model", "aliases", { ...ALIAS, model: "" }],
  ["an alias without a name", "aliases", { ...ALIAS, id: "" }],
  ["a route without models", "routes", { ...ROUTE, models: [] }],
  ["a route in an unknown order", "routes", { ...ROUTE, order: "dearest" }],
  ["a rule without models", "routes", { ...ROUTE, rules: [{ when: {}, models: [], enabled: true }] }],
  ["a budget without an end", "budgets", { ...BUDGET, reset: "never" }],
  ["a budget of nothing that calls have", "budgets", { ...BUDGET, scope: { kind: "key", name: "k" } }],
  ["a budget with a fraction", "budgets", { ...BUDGET, limit_nano: 0.5 }],
  ["a price of no unit", "prices", { ...PRICE, rates: {} }],
  ["a price with a fraction", "prices", { ...PRICE, rates: { input: 0.1 } }],
  ["a price below zero", "prices", { ...PRICE, rates: { input: -1 } }],
])("%s is not let into memory", (_name, collection, record) => {
  expect(isValidRecord(collection, record)).toBe(false);
});
