import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Price } from "../../../../gateway/core/models/model.ts";
import type { HistoryPrices } from "../../../../gateway/services/history/history-prices.ts";
import { WhatIf } from "../../../../gateway/services/history/what-if.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { FixedClock, NOON, open, receipt, seededRandom } from "../../store/fixtures.ts";

/** Who asks the same again has only what came since looked at, and is told what a look at everything says. */
const clock = new FixedClock();
const random = seededRandom(5);
const pick = (count: number): number => Math.floor(random() * count);
let dir: string;
let store: OpenedStore;
let settled = 0;
let dollars = 3;
let context: number | null = null;

beforeEach(async () => {
  dir = await temporaryFolder();
  ({ store } = await open({ dir }));
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function settle(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    settled += 1;
    const quantity = pick(300_000);
    const terms = (["input", "cached_input", "output", "web_search", "second"] as const)
      .filter(() => random() < 0.4)
      .map((unit) => ({ unit, quantity, nano_per_million: 1, nano: pick(1_000) }));
    const written = store.usage.settle(
      receipt(`req_${settled}`, {
        // The clock is set back again and again, but for less than a day.
        at: NOON + settled * 20_000 + (pick(20) - 30) * 3_600_000,
        endpoint: ["chat", "messages", "images"][pick(3)] ?? "",
        model: `m${pick(4)}`,
        nano: random() < 0.2 ? null : pick(10_000),
        sandbox: random() < 0.1,
        terms,
      }),
    );
    if (left === 1) await written;
  }
}

function priceOf(id: string): Price | null {
  if (id === "m3") return null;
  const rates = { input: dollars * 1_000_000_000, output: 5_000_000_000 };
  const long = { above: 200_000, rates: { ...rates, input: 9_000_000_000 } };
  return { tiers: [{ rates }, long], source: "test", as_of: "2026-11-01" } as unknown as Price;
}

const prices = {
  knows: () => true,
  identity: () => null,
  contextLength: () => context,
  price: priceOf,
} as unknown as HistoryPrices;

async function made(): Promise<WhatIf> {
  const view = { agents: [], models: [], first: null, damaged: 0 };
  async function* pass(): AsyncGenerator<never> {
    // Nothing was imported.
  }
  return new WhatIf({ store, imported: { view: () => Promise.resolve(view), pass }, prices, clock });
}

const QUESTIONS = [
  { to: "m1", since: "2026-11-19" },
  { to: "m1", since: "2026-11-20" },
  { to: "m3", since: "2026-11-19" },
  { models: { m0: "m2" }, since: "2026-11-19" },
  { to: "m1", since: "2026-11-19", until: "2026-11-19" },
];

async function holds(kept: WhatIf): Promise<void> {
  for (const question of QUESTIONS) {
    const anew = await (await made()).ask(question);
    // Two at once are not counted twice.
    const [one, other] = await Promise.all([kept.ask(question), kept.ask(question)]);
    expect(one).toEqual(anew);
    expect(other).toEqual(anew);
    expect(await kept.ask(question)).toEqual(anew);
  }
}

test("with what is settled in between, and after prices have changed", async () => {
  await settle(400);
  let kept = await made();
  await holds(kept);
  for (const count of [1, 100, 1_200, 30]) {
    await settle(count);
    await holds(kept);
  }
  dollars = 4;
  await holds(kept);
  context = 100_000;
  await holds(kept);
  await store.close();
  ({ store } = await open({ dir }));
  kept = await made();
  await holds(kept);
  const rows = (await kept.ask({ to: "m1", since: "2026-11-19" })).rows;
  expect(rows.map(({ too_long }) => too_long > 0)).toContain(true);
  expect(rows.map(({ unpriced_requests }) => unpriced_requests > 0)).toContain(true);
});

test("what could not be read is read when it is asked again", async () => {
  await settle(300);
  const kept = await made();
  await kept.ask({ to: "m1", since: "2026-11-19" });
  await settle(50);
  const { pass } = store.usage;
  store.usage.pass = () => {
    throw new Error("EIO");
  };
  await expect(kept.ask({ to: "m1", since: "2026-11-19" })).rejects.toThrow("EIO");
  store.usage.pass = pass;
  await holds(kept);
});
