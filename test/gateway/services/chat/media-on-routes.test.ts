import { beforeEach, expect, it } from "vitest";
import { errorOf } from "../../../support/running-gateway.ts";
import { ask, BLIND, dataUrl, image, says, SIGHTED, told, useBlindWorld } from "./blind-world.ts";

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
