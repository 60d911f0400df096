import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { Resent } from "../../../../gateway/contract/requests.ts";
import { KEY, startGateway, until, type TestGateway, providersAt } from "../../../support/running-gateway.ts";
import { WireProvider, reply, type WireAct } from "../../../support/wire-provider.ts";
import { completionBody } from "../../../support/acts.ts";

/** What happens around a call while it is between two models of its chain, and what becomes of it later. */
const anthropic = new WireProvider();
const house = new WireProvider();
let postern: TestGateway;

const HOUSE = ["house-1", "house-2"];
const modelOf = ({ json }: { readonly json: unknown }): string => (json as { model: string }).model;
const requests = (): readonly string[] => house.seen.map(modelOf);
const says: WireAct = (seen, outgoing) => reply(200, completionBody(`I am ${modelOf(seen)}`))(seen, outgoing);
const fails: WireAct = reply(503, { error: { message: "down", type: "server_error", code: null } });
const houseDoes = (...acts: readonly WireAct[]): unknown => house.on("POST /v1/chat/completions", ...acts);
const setRoute = (models: readonly string[], name = "work"): Promise<unknown> =>
  postern.ask("POST", "/routes", { name, models });
const messages = [{ role: "user", content: "Say who you are." }];
const ask = (key = KEY, init: RequestInit = {}): Promise<Response> =>
  postern.chat({ model: "work", messages }, key, init);
const passed = ({ route }: Receipt): readonly string[] =>
  route?.passed.map(({ model, reason }) => `${model} ${reason}`) ?? [];

beforeEach(async () => {
  await Promise.all([anthropic, house].map((provider) => provider.listen()));
  for (const provider of [anthropic, house]) provider.reset();
  house.on("GET /v1/models", reply(200, { object: "list", data: HOUSE.map((id) => ({ id, object: "model" })) }));
  houseDoes(says);
  postern = await startGateway({
    env: {
      ...providersAt({ ANTHROPIC: anthropic.origin }),
      POSTERN_COMPATIBLE_BASE_URL: `${house.origin}/v1`,
      POSTERN_SANDBOX: "on",
    },
  });
  await setRoute(HOUSE);
});
afterEach(async () => {
  await postern.close();
  await Promise.all([anthropic, house].map((provider) => provider.close()));
});

it("sends no other request once Postern stops", async () => {
  const gate = Promise.withResolvers<undefined>();
  houseDoes(async (seen, outgoing) => {
    await gate.promise;
    return fails(seen, outgoing);
  }, says);
  const response = ask();
  await until(() => house.seen.length === 1);
  const stopped = postern.stop();
  gate.resolve(undefined);
  expect((await response).status).toBe(503);
  await (await response).text();
  await stopped;
  expect(requests()).toEqual(["house-1"]);
  // Its receipt is there after the next start.
  postern = await startGateway({ dataDir: postern.dataDir });
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 503, route: { name: "work" } });
});

it.each<[string, () => Promise<unknown>]>([
  ["changed", () => setRoute(["house-2", "claude-sonnet-5-5"])],
  ["removed", () => postern.ask("POST", "/routes/remove", { name: "work" })],
  ["switched off with all others", () => postern.ask("PATCH", "/settings", { routes: false })],
])("goes on along the chain that it began with, though the route is %s meanwhile", async (_how, change) => {
  houseDoes(async (seen, outgoing) => {
    await change();
    return fails(seen, outgoing);
  }, says);
  expect(await (await ask()).text()).toContain("house-2");
  expect(requests()).toEqual(HOUSE);
  expect(passed(await postern.receipt())).toEqual(["house-1 failed"]);
});

it("asks a model that no provider serves any more as it was found, and passes it over in the next call", async () => {
  const data = [{ id: "house-2", object: "model" }];
  houseDoes(async (seen, outgoing) => {
    house.on("GET /v1/models", reply(200, { object: "list", data }));
    await postern.ask("POST", "/connections/env_openai-compatible/test");
    return fails(seen, outgoing);
  }, says);
  expect(await (await ask()).text()).toContain("house-2");
  expect(await (await ask()).text()).toContain("house-2");
  expect(passed(await postern.receipt())).toEqual(["house-1 not_served"]);
});

it("is sent again along its route, as that is now", async () => {
  await postern.ask("PATCH", "/settings", { record_bodies: true });
  expect(await (await ask()).text()).toContain("house-1");
  const { id } = await postern.receipt();
  await setRoute(HOUSE.toReversed());
  const again = await postern.ask<Resent>("POST", `/requests/${id}/resend`, {});
  expect(again.response).toContain("house-2");
  expect(await postern.receipt()).toMatchObject({
    id: again.id,
    model: "house-2",
    route: { name: "work", passed: [] },
  });
  const other = await postern.ask<Resent>("POST", `/requests/${id}/resend`, { model: "house-1" });
  expect(other.response).toContain("house-1");
  expect(await postern.receipt()).not.toHaveProperty("route");
});

describe("of a real model and the sandbox's", () => {
  const month = (): number => postern.gateway.state().month.nano;
  beforeEach(async () => {
    // The sandbox starts with the first call to it.
    await (await postern.chat({ model: "gpt-4.1-nano", messages })).text();
    await setRoute(["claude-sonnet-5-5", "gpt-4.1"]);
    anthropic.on("POST /v1/messages", reply(529, { type: "error", error: { type: "overloaded_error", message: "x" } }));
  });

  it("takes what the sandbox costs of the key alone", async () => {
    const { secret, view } = await postern.limitedKey(1);
    expect((await ask(secret)).status).toBe(200);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ model: "gpt-4.1", provider: "sandbox", sandbox: true });
    expect(await view()).toMatchObject({ held_nano: 0, spent_nano: receipt.nano });
    expect(month()).toBe(0);
  });

  it("goes to the sandbox where the month is used up, which counts nothing of it", async () => {
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: 0 });
    expect((await ask()).status).toBe(200);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ model: "gpt-4.1", provider: "sandbox" });
    expect(passed(receipt)).toEqual(["claude-sonnet-5-5 price"]);
    expect(anthropic.seen).toHaveLength(0);
  });
});
