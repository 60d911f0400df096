import { afterEach, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Totals } from "../../../../gateway/contract/totals.ts";
import { until } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { seededRandom } from "../../store/fixtures.ts";

/** Tasks of several keys end in every way, while limits are lowered, keys revoked, and Postern is restarted. */
let stage: VideoStage;
afterEach(() => stage.close());

const KEYS = ["one", "two", "gone", "lowered"].map((name) => ({
  key: `sk-test-money-storm-${name}-0001`,
  name,
  limit_usd: 1_000,
}));
const GROK = { model: "grok-imagine-video", duration: 6, resolution: "480p", input: { prompt: "A kite" } } as const;
const ENDS = ["succeeded", "succeeded", "succeeded", "failed", "cancelled"] as const;
const TASKS = 60;

interface Usage {
  readonly total: Totals;
  readonly data: readonly { readonly group: string; readonly totals: Totals }[];
}

it("is the same sum by every way to count, each task once, and nothing is held when all are over", async () => {
  stage = await VideoStage.open({ keys: KEYS });
  const { provider } = stage;
  provider.plan = ["running"];
  const random = seededRandom(4);
  const below = (count: number): number => Math.floor(random() * count);
  for (let at = 0; at < TASKS; at += 1)
    await stage.submit(at % 2 === 0 ? T2V : GROK, { key: KEYS[at % KEYS.length]?.key ?? "" });
  const views = async (): Promise<readonly KeyView[]> =>
    (await stage.gateway.ask<{ data: KeyView[] }>("GET", "/keys")).data;
  const reserved = (await views()).reduce((sum, { held_nano }) => sum + held_nano, 0);
  expect(reserved).toBe((TASKS / 2) * (500_000_000 + 300_000_000));

  let expected = 0;
  const order = provider.tasks.map((_task, at) => at).toSorted(() => random() - 0.5);
  for (const [turn, at] of order.entries()) {
    const task = provider.tasks[at];
    if (task === undefined) throw new Error("the provider has fewer tasks than were ordered");
    const end = task.protocol === "xai" && below(2) === 0 ? "failed" : (ENDS[below(ENDS.length)] ?? "failed");
    // Some take longer than was held for them, some tell fractions.
    task.seconds = [task.seconds, 60, 0.25, 12.345][below(4)] ?? 5;
    const reported = task.protocol === "xai" && end === "cancelled" ? "failed" : end;
    provider.advance(task.id, reported);
    const perSecond = task.protocol === "xai" ? 50_000_000 : 100_000_000;
    if (reported === "succeeded") expected += Math.round(task.seconds * 1_000) * (perSecond / 1_000);
    const id = (name: string): string => keys.find((key) => key.name === name)?.id ?? "";
    const keys = await views();
    if (turn === 10) await stage.gateway.ask("PATCH", `/keys/${id("lowered")}`, { limit_usd: 0.01 });
    if (turn === 20) await stage.gateway.ask("DELETE", `/keys/${id("gone")}`);
    if (turn === 30) await stage.gateway.ask("PATCH", "/settings", { monthly_budget_usd: 0.01 });
    if (turn === 25 || turn === 45) await stage.restart();
    if (turn % 7 === 0) void stage.gateway.control("POST", `/tasks/${task.id}/cancel`).catch(() => undefined);
  }
  await until(async () => (await stage.gateway.receipts()).length >= TASKS, 20_000);
  await until(async () => (await views()).every(({ held_nano }) => held_nano === 0));
  await stage.restart();
  const receipts = await stage.gateway.receipts();
  expect(new Set(receipts.map(({ id }) => id)).size).toBe(TASKS);
  expect(receipts).toHaveLength(TASKS);
  expect(receipts.reduce((sum, { nano }) => sum + (nano ?? Number.NaN), 0)).toBe(expected);
  for (const by of ["model", "key", "client", "day"]) {
    const { total, data } = await stage.gateway.ask<Usage>("GET", `/usage?by=${by}`);
    expect({ by, nano: total.nano, requests: total.requests }).toEqual({ by, nano: expected, requests: TASKS });
    expect(data.reduce((sum, { totals }) => sum + totals.nano, 0)).toBe(expected);
  }
  // What is left of a limit, and of a budget, is never less than nothing; and the next order is refused.
  for (const { key } of KEYS) expect((await stage.gateway.post("/videos/generations", T2V, key)).status).toBe(402);
  expect((await views()).every(({ held_nano }) => held_nano === 0)).toBe(true);
}, 60_000);

it("counts what tasks hold against a monthly budget, over a restart, and gives it back", async () => {
  stage = await VideoStage.open();
  const { provider } = stage;
  provider.plan = ["running"];
  await stage.gateway.ask("PATCH", "/settings", { monthly_budget_usd: 1.2 });
  const [first, second] = [await stage.submit(), await stage.submit()];
  const refused = async (): Promise<number> => (await stage.gateway.post("/videos/generations", T2V)).status;
  expect(await refused()).toBe(402);
  await stage.restart();
  expect(await refused()).toBe(402);
  provider.advance(provider.tasks[0]?.id ?? "", "failed");
  await stage.over(first.id);
  await until(async () =>
    (await stage.gateway.receipts()).some(({ outcome, status }) => outcome === "failed" && status === 202),
  );
  await stage.submit();
  expect(await refused()).toBe(402);
  provider.advance(provider.tasks[1]?.id ?? "", "succeeded");
  await stage.over(second.id);
  // The budget is $1.20: 50 cents are spent, 50 are held.
  expect(await refused()).toBe(402);
});

it("books a model without a price as such: no money, one request, nothing held", async () => {
  stage = await VideoStage.open({ keys: KEYS });
  const order = { model: "some-video-model", duration: 5, resolution: "720p", input: { prompt: "A fox" } };
  const task = await stage.submit(order, { key: KEYS[0]?.key ?? "" });
  const done = await stage.over(task.id, KEYS[0]?.key);
  expect(done.usage).toMatchObject({ duration_seconds: 5, cost_usd: null });
  await until(async () => (await stage.gateway.receipts()).length === 1);
  expect(await stage.gateway.receipt()).toMatchObject({ nano: null, terms: [{ unit: "second", quantity: 5 }] });
  const { total } = await stage.gateway.ask<Usage>("GET", "/usage?by=model");
  expect(total).toMatchObject({ nano: 0, unpriced_requests: 1 });
});
