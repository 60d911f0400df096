import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { BY_CATALOG, PriceListBench, litellm, modelsDev, usd } from "../../support/price-lists.ts";
import { errorOf } from "../../support/running-gateway.ts";

const MTOK = 1_000_000_000;

const bench = new PriceListBench();
beforeEach(() => bench.start());
afterEach(() => bench.close());

it("is off unless a URL is set, and nothing is fetched then", async () => {
  expect(await bench.postern.ask("GET", "/settings")).toMatchObject({ price_list_url: null, price_list_daily: false });
  expect(await bench.view()).toEqual({ accepted: null, offered: null, problem: null });
  const refused = await bench.postern.control("POST", "/price-list/refresh");
  expect([refused.status, (await errorOf(refused)).code]).toEqual([409, "conflict"]);
  expect(bench.wire.seen).toEqual([]);
});

describe.each([
  ["litellm", litellm(3e-6), usd(0.003 + 0.0012), 2],
  ["models.dev", modelsDev, usd(0.004 + 0.0016), 1],
] as const)("a list of the shape of %s", (shape, list, nano, models) => {
  it("changes nothing before it is accepted, then what its hosts sell, then nothing when it is dropped", async () => {
    const id = await bench.offer(list);
    expect((await bench.view()).offered).toMatchObject({ id, shape, models, changes: { changed: 1, unusual: 0 } });
    expect((await bench.cost()).nano).toBe(BY_CATALOG);
    expect((await bench.accept(id)).accepted).toMatchObject({ id, shape, models });
    expect(await bench.cost()).toEqual({ nano, source: `${new URL(bench.wire.origin).host}/prices.json` });
    expect((await bench.view()).offered).toBeNull();
    await bench.postern.ask("POST", "/price-list/drop", { list: "accepted" });
    expect((await bench.cost()).nano).toBe(BY_CATALOG);
  });
});

it("is fetched without a key", async () => {
  await bench.offer(litellm(3e-6));
  const [seen] = bench.wire.seen;
  expect(seen?.headers.authorization).toBeUndefined();
  expect(JSON.stringify(seen?.headers)).not.toContain("sk-");
});

it("shows what would change, old and new, class by class", async () => {
  await bench.offer(litellm(3e-6));
  expect((await bench.changes()).data).toEqual([
    {
      host: "api.openai.com",
      model: "gpt-4.1",
      kind: "changed",
      connected: true,
      unusual: false,
      rates: [
        { unit: "input", above: 0, old: 2 * MTOK, new: 3 * MTOK },
        { unit: "output", above: 0, old: 8 * MTOK, new: 12 * MTOK },
      ],
    },
  ]);
  expect((await bench.changes("?all=true")).data.at(-1)).toMatchObject({
    host: "api.groq.com",
    model: "kimi-k2",
    kind: "added",
    connected: false,
  });
  expect(await bench.changes("?all=true&limit=1")).toMatchObject({ data: [{ model: "gpt-4.1" }], total: 2 });
});

it("shows what a newer list changes in the accepted one, and what it lacks", async () => {
  await bench.accept(await bench.offer(litellm(3e-6)));
  await bench.offer(litellm(2.5e-6, { "groq/kimi-k2": undefined }));
  const { data } = await bench.changes("?all=true");
  expect(data.map(({ model, kind }) => [model, kind])).toEqual([
    ["gpt-4.1", "changed"],
    ["kimi-k2", "removed"],
  ]);
  expect(data[0]?.rates).toEqual([{ unit: "input", above: 0, old: 3 * MTOK, new: 2.5 * MTOK }]);
});

it("goes after the owner's own prices", async () => {
  await bench.postern.ask("POST", "/models/price", { model: "gpt-4.1", rates: { input: MTOK, output: MTOK } });
  await bench.accept(await bench.offer(litellm(3e-6)));
  expect((await bench.cost()).nano).toBe(usd(0.001 + 0.0001));
  await bench.postern.ask("POST", "/models/price/remove", { model: "gpt-4.1" });
  expect((await bench.cost()).nano).toBe(usd(0.003 + 0.0012));
});

it("is on the models' pages with its source and its day", async () => {
  await bench.accept(await bench.offer(litellm(3e-6)));
  const { data } = await bench.postern.ask<{ data: ModelView[] }>("GET", "/models");
  expect(data.find(({ id }) => id === "gpt-4.1")?.price).toMatchObject({
    source: `${new URL(bench.wire.origin).host}/prices.json`,
    as_of: new Date(bench.clock.now()).toISOString().slice(0, 10),
    tiers: [{ above: 0, rates: { input: 3 * MTOK } }],
  });
});

describe("unusual changes", () => {
  it("are flagged, come first, and are accepted only by name", async () => {
    const id = await bench.offer(litellm(3e-4));
    expect((await bench.view()).offered?.changes).toMatchObject({ changed: 1, unusual: 1 });
    expect((await bench.changes()).data[0]).toMatchObject({ model: "gpt-4.1", unusual: true });
    const refused = await bench.postern.control("POST", "/price-list/accept", { id });
    expect([refused.status, (await errorOf(refused)).code]).toEqual([409, "conflict"]);
    expect((await bench.cost()).nano).toBe(BY_CATALOG);
    await bench.accept(id, true);
    expect((await bench.cost()).nano).toBe(usd(0.3 + 0.0012));
  });
});

it("is accepted only as it was looked at", async () => {
  const looked = await bench.offer(litellm(3e-6));
  await bench.offer(litellm(9e-6));
  const refused = await bench.postern.control("POST", "/price-list/accept", { id: looked });
  expect([refused.status, (await errorOf(refused)).code]).toEqual([409, "conflict"]);
  expect((await bench.cost()).nano).toBe(BY_CATALOG);
});
