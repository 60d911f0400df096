import { afterAll, beforeAll, expect, it } from "vitest";
import type { BudgetView } from "../../../../gateway/contract/budgets.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import { completion } from "../../../support/acts.ts";
import { CHAT, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useProvider } from "../../../support/use-gateway.ts";

/** When limits end at this pace, as pages and commands learn it: over days, hours and a restart. */

const clock = new TestClock();
const provider = useProvider();
let postern: TestGateway;
beforeAll(async () => {
  provider.usual = completion("Paid", { prompt_tokens: 10, completion_tokens: 1_000 });
  clock.jumpTo(Date.UTC(2031, 4, 30, 12));
  postern = await startGateway({ provider, clock });
});
afterAll(() => postern.close());

/** Of one call: 10 tokens in at $2 and 1,000 out at $8 a million. */
const COST_USD = 0.008_02;
const HEADERS = { "user-agent": "editor/1.0", "x-postern-project": "site" };

/** The days, or the times of a day, on which limits end. */
async function ends() {
  const iso = (at: number | null | undefined) => (at == null ? null : new Date(at).toISOString().slice(0, 16));
  const [state, keys, budgets] = await Promise.all([
    postern.ask<State>("GET", "/state"),
    postern.ask<{ data: KeyView[] }>("GET", "/keys"),
    postern.ask<{ data: BudgetView[] }>("GET", "/budgets"),
  ]);
  return {
    month: iso(state.monthly_budget_ends_at),
    keys: Object.fromEntries(keys.data.map(({ name, ends_at }) => [name, iso(ends_at)])),
    budgets: budgets.data.map(({ ends_at }) => iso(ends_at)),
  };
}

it("limits of a month end on a day, by all days since the first that cost something", async () => {
  const key = { limit_usd: 20 * COST_USD, reset: "monthly" };
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { ...key, name: "monthly" });
  await postern.ask("POST", "/keys", { ...key, name: "never", reset: "never" });
  await postern.ask("POST", "/keys", { ...key, name: "idle" });
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: 40 * COST_USD });
  for (const scope of [
    { kind: "client", name: "ed*" },
    { kind: "project", name: "site" },
    { kind: "client", name: "nobody" },
  ])
    await postern.ask("POST", "/budgets", { scope, reset: "monthly", limit_usd: 10 * COST_USD });
  const pay = async (): Promise<void> => {
    const response = await postern.chat({ ...CHAT, max_tokens: 1_000 }, secret, { headers: HEADERS });
    expect(response.status).toBe(200);
    await response.text();
  };
  const nothing = { month: null, keys: { unlimited: null, monthly: null, never: null, idle: null } };
  // The last days of a month say nothing about the next.
  await pay();
  clock.jumpTo(Date.UTC(2031, 5, 3, 12));
  await pay();
  expect(await ends()).toMatchObject({ ...nothing, budgets: [null, null, null] });
  clock.jumpTo(Date.UTC(2031, 5, 4, 12));
  await pay();
  clock.jumpTo(Date.UTC(2031, 5, 5, 0));
  // A call a day since the third.
  const asExpected = {
    month: null,
    keys: { unlimited: null, monthly: "2031-06-23T00:00", never: null, idle: null },
    budgets: ["2031-06-13T00:00", "2031-06-13T00:00", null],
  };
  expect(await ends()).toMatchObject(asExpected);
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: 21 * COST_USD });
  expect((await ends()).month).toBe("2031-06-24T00:00");
  // The same of days that lie on the disk since.
  await postern.stop();
  postern = await startGateway({ provider, clock, dataDir: postern.dataDir });
  expect(await ends()).toMatchObject({ ...asExpected, month: "2031-06-24T00:00" });
  // No one spends any more.
  clock.jumpTo(Date.UTC(2031, 5, 8, 0, 1));
  expect(await ends()).toMatchObject({ ...nothing, budgets: [null, null, null] });
});

it("limits of a day end at a time, by all hours since the first that cost something", async () => {
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", {
    name: "daily",
    limit_usd: 8 * COST_USD,
    reset: "daily",
  });
  const scope = { kind: "project", name: "app" };
  await postern.ask("POST", "/budgets", { scope, reset: "daily", limit_usd: 4 * COST_USD });
  const pay = async (): Promise<void> => {
    const headers = { ...HEADERS, "x-postern-project": "app" };
    const response = await postern.chat({ ...CHAT, max_tokens: 1_000 }, secret, { headers });
    expect(response.status).toBe(200);
    await response.text();
  };
  const found = async () => {
    const { keys, budgets } = await ends();
    return [keys["daily"], budgets.at(-1)];
  };
  clock.jumpTo(Date.UTC(2031, 5, 20, 9, 10));
  await pay();
  expect(await found()).toEqual([null, null]);
  clock.jumpTo(Date.UTC(2031, 5, 20, 10, 50));
  await pay();
  clock.jumpTo(Date.UTC(2031, 5, 20, 11));
  // Two calls in two hours.
  expect(await found()).toEqual(["2031-06-20T17:00", "2031-06-20T13:00"]);
  await postern.stop();
  postern = await startGateway({ provider, clock, dataDir: postern.dataDir });
  expect(await found()).toEqual(["2031-06-20T17:00", "2031-06-20T13:00"]);
  clock.jumpTo(Date.UTC(2031, 5, 20, 14, 1));
  expect(await found()).toEqual([null, null]);
});
