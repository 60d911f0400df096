import { beforeEach, describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { ask, BLIND, dataUrl, describes, image, says, SIGHTED, told, useBlindWorld } from "./blind-world.ts";

/** Pictures in requests that go along a route whose models do not all see. */

const SINGLE = "sk-test-single-key-0001";
const world = useBlindWorld([{ key: SINGLE, name: "single", concurrency: 1 }]);
const { blind, sighted, set, heard } = world;
const route = (models: readonly string[]): Promise<unknown> =>
  world.postern.ask("POST", "/routes", { name: "work", models });
const onRoute = (...content: object[]): object => ({ ...ask(...content), model: "work" });

beforeEach(() => route([BLIND]));

it("are described where none of its models sees", async () => {
  const url = dataUrl(1);
  expect((await world.postern.chat(onRoute(image(url)))).status).toBe(200);
  expect(heard()).toEqual([told(url)]);
  const [main, describing] = await world.postern.receipts(2);
  expect(main).toMatchObject({ model: BLIND, route: { name: "work", passed: [] } });
  expect(describing).toMatchObject({ model: SIGHTED, client: "postern-pictures" });
  expect(describing).not.toHaveProperty("route");
});

it("go to a model of it that sees, and are not described", async () => {
  await route([BLIND, SIGHTED]);
  sighted.on("POST /v1/chat/completions", says("a cat"));
  expect((await world.postern.chat(onRoute(image(dataUrl(2))))).status).toBe(200);
  expect(sighted.seen).toHaveLength(1);
  expect(blind.seen).toHaveLength(0);
  const [main] = await world.postern.receipts(1);
  expect(main).toMatchObject({ model: SIGHTED, route: { passed: [{ model: BLIND, reason: "pictures" }] } });
});

describe("where the model that sees fails", () => {
  const fails = reply(503, { error: { message: "down", type: "server_error" } });
  beforeEach(() => route([BLIND, SIGHTED]));

  it("are described to one that does not, by the model that describes them", async () => {
    const url = dataUrl(6);
    sighted.on("POST /v1/chat/completions", fails, describes);
    expect((await world.postern.chat(onRoute(image(url)))).status).toBe(200);
    expect(heard()).toEqual([told(url)]);
    const [main, describing] = await world.postern.receipts(2);
    const passed = [{ model: SIGHTED, reason: "failed", provider: "openai" }];
    expect(main).toMatchObject({ model: BLIND, outcome: "completed", route: { passed } });
    expect(describing).toMatchObject({ model: SIGHTED, client: "postern-pictures" });
  });

  it("are words that say so, where no one describes them", async () => {
    await set({ picture_model: null, pictures_as_words: true });
    sighted.on("POST /v1/chat/completions", fails);
    expect((await world.postern.chat(onRoute(image(dataUrl(7))))).status).toBe(200);
    expect(heard()[0]).toContain("A picture was here");
    expect(sighted.seen).toHaveLength(1);
  });

  it("stay what they are where the owner wants no words for them", async () => {
    await set({ picture_model: null });
    sighted.on("POST /v1/chat/completions", fails);
    expect((await world.postern.chat(onRoute(image(dataUrl(8))))).status).toBe(503);
    expect(blind.seen).toHaveLength(0);
  });

  it.each([0.05, 0.000_01])("are paid for by a key that has %f USD, or it is refused", async (limit_usd) => {
    type Made = { readonly secret: string; readonly key: KeyView };
    const { secret, key } = await world.postern.ask<Made>("POST", "/keys", { name: "limited", limit_usd });
    sighted.on("POST /v1/chat/completions", fails, describes);
    const { status } = await world.postern.chat(onRoute(image(dataUrl(9))), secret);
    expect(status).toBe(limit_usd > 0.01 ? 200 : 402);
    const { held_nano, spent_nano } = await world.postern.keyView(key.id);
    const receipts = (await world.postern.receipts(2)).filter((receipt) => receipt.key === key.id);
    expect(held_nano).toBe(0);
    expect(spent_nano).toBe(receipts.reduce((sum, { nano }) => sum + (nano ?? 0), 0));
    expect(spent_nano).toBeLessThanOrEqual(limit_usd * 1e9);
  });
});

it("are described to a model that costs little, for a key that has not the money for one that sees", async () => {
  await set({ picture_model: null, pictures_as_words: true });
  // What the dear one costs at the least.
  await route(["gpt-5-pro", BLIND]);
  const { secret } = await world.postern.ask<{ secret: string }>("POST", "/keys", { name: "some", limit_usd: 0.005 });
  const response = await world.postern.chat({ ...onRoute(image(dataUrl(10))), max_tokens: 500 }, secret);
  expect(response.status).toBe(200);
  expect(heard()[0]).toContain("A picture was here");
  const [main] = await world.postern.receipts(1);
  expect(main).toMatchObject({ model: BLIND, route: { passed: [{ model: "gpt-5-pro", reason: "price" }] } });
});

it("are described before the call is let in, of which the key may make one at a time", async () => {
  const url = dataUrl(5);
  expect((await world.postern.chat(onRoute(image(url)), SINGLE)).status).toBe(200);
  expect(heard()).toEqual([told(url)]);
});

it("are refused where nothing is to be done about them", async () => {
  await set({ picture_model: null });
  const response = await world.postern.chat(onRoute(image(dataUrl(3))));
  expect(response.status).toBe(400);
  expect((await errorOf(response)).message).toContain(BLIND);
  expect(blind.seen).toHaveLength(0);
});

it("are described by the model of that name, not along the route of it", async () => {
  await world.postern.ask("POST", "/routes", { name: SIGHTED, models: [BLIND] });
  const url = dataUrl(4);
  try {
    expect((await world.postern.chat(ask(image(url)))).status).toBe(200);
    expect(heard()).toEqual([told(url)]);
  } finally {
    await world.postern.ask("POST", "/routes/remove", { name: SIGHTED });
  }
});
