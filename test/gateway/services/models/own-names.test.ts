import Anthropic from "@anthropic-ai/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { modelList } from "../../../support/mock-provider.ts";
import { CHAT, errorOf } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

/** Names of the owner's own for models, on a running gateway, as clients see them. */
const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(async () => {
  provider.reset();
  for (const { aliases } of await models())
    for (const name of aliases) await postern.ask("POST", "/models/alias/remove", { name });
});

const models = async (): Promise<ModelView[]> => (await postern.ask<{ data: ModelView[] }>("GET", "/models")).data;
const view = async (id: string): Promise<ModelView | undefined> => (await models()).find((model) => model.id === id);
/** The first body that the provider got. */
const requestOf = (): unknown => JSON.parse(provider.chats[0]?.body.toString() ?? "");
const setAlias = (name: string, model: string): Promise<Response> =>
  postern.control("POST", "/models/alias", { name, model });
/** The provider lists one more, and is asked. */
async function relist(more: string): Promise<void> {
  provider.list = modelList(["gpt-4.1", "provider-model", more]);
  const [connection] = (await postern.ask<{ data: { id: string }[] }>("GET", "/connections")).data;
  await postern.ask("POST", `/connections/${connection?.id ?? ""}/test`, {});
}
const newKey = async (allowed: readonly string[]): Promise<string> =>
  (await postern.ask<{ secret: string }>("POST", "/keys", { name: "limited", models: allowed })).secret;

it("answers calls by the name, asks the provider by its id, and books the real one", async () => {
  expect((await setAlias("team/fast", "gpt-4.1")).status).toBe(200);
  const response = await postern.sdk().chat.completions.create({
    model: "team/fast",
    messages: [{ role: "user", content: "Say hello." }],
  });
  // What the provider says of itself is left as it is.
  expect(response.model).toBe("mock-2026");
  expect(requestOf()).toMatchObject({ model: "gpt-4.1" });
  expect(await postern.receipt()).toMatchObject({ model: "gpt-4.1", outcome: "completed" });
});

it("is a model of its own in both lists, with the facts of the other, and findable", async () => {
  await setAlias("team/fast", "gpt-4.1");
  const sdk = postern.sdk();
  const { data } = await sdk.models.list();
  const [first] = data;
  const real = data.find(({ id }) => id === "gpt-4.1");
  expect(first).toEqual({ ...real, id: "team/fast" });
  expect(await sdk.models.retrieve("team/fast")).toEqual(first);
  const anthropic = new Anthropic({ apiKey: "x", authToken: null, baseURL: postern.url, maxRetries: 0 });
  const list = await anthropic.models.list(
    {},
    { headers: { authorization: `Bearer ${sdk.apiKey}`, "x-api-key": null } },
  );
  expect(list.data[0]).toMatchObject({ id: "team/fast", display_name: "team/fast" });
  expect((await view("gpt-4.1"))?.aliases).toEqual(["team/fast"]);
});

it.each([
  ["the name", ["team/*"], 200, 200],
  ["the id", ["gpt-4.1"], 200, 200],
  ["neither", ["gpt-4o*"], 403, 403],
])("lets a key that is allowed %s use both, or neither", async (_name, allowed, byName, byId) => {
  await setAlias("team/fast", "gpt-4.1");
  const key = await newKey(allowed);
  expect((await postern.chat({ ...CHAT, model: "team/fast" }, key)).status).toBe(byName);
  expect((await postern.chat(CHAT, key)).status).toBe(byId);
  const seen = (await postern.sdk(key).models.list()).data.map(({ id }) => id);
  expect(seen.includes("team/fast")).toBe(byName === 200);
});

describe("what a name may be", () => {
  beforeEach(() => setAlias("taken", "gpt-4.1"));
  it.each<[string, string, string, RegExp]>([
    ["the id of a model", "gpt-4o", "gpt-4.1", /"gpt-4o" is the id of a model already/],
    ["another name that a model has by itself", "gpt-5.6-sol", "gpt-4o", /means the model "gpt-5.6" already/],
    ["an id that a provider lists", "provider-model", "gpt-4.1", /is the id of a model already/],
    ["behind a connection's name", "openai/anything", "gpt-4.1", /already/],
    ["for another name of one's own", "other", "taken", /Let the new name stand for that model itself/],
    ["for itself", "nowhere", "nowhere", /Choose another name/],
  ])("not %s", async (_name, name, model, message) => {
    const refused = await setAlias(name, model);
    expect(refused.status).toBe(400);
    expect((await errorOf(refused)).message).toMatch(message);
  });

  it.each([
    ["empty", ""],
    ["too long", "a".repeat(101)],
    ["with a blank", "my model"],
    ["in other letters", "schnell-é"],
    ["with markup", "<b>"],
  ])("not %s", async (_name, name) => {
    expect((await setAlias(name, "gpt-4.1")).status).toBe(400);
  });

  it("not what another name stands for, so that no name leads over another one", async () => {
    await setAlias("later", "not-served-yet");
    const refused = await setAlias("not-served-yet", "gpt-4.1");
    expect((await errorOf(refused)).message).toContain("is what another name of your own stands for");
  });

  it("a name that moves to another model, and the name of a model that no provider serves", async () => {
    expect((await setAlias("taken", "gpt-4o")).status).toBe(200);
    expect((await view("gpt-4.1"))?.aliases).toEqual([]);
    expect((await view("gpt-4o"))?.aliases).toEqual(["taken"]);
    expect((await setAlias("claude-sonnet-4-5", "gpt-4o")).status).toBe(200);
  });
});

it("keeps a name for a model that is not served, says so, and works once it is", async () => {
  await setAlias("later", "model-of-tomorrow");
  expect(await view("model-of-tomorrow")).toMatchObject({ served: false, aliases: ["later"], connections: [] });
  const refused = await postern.chat({ ...CHAT, model: "later" });
  expect(refused.status).toBe(404);
  expect((await errorOf(refused)).message).toContain('"later" stands for the model "model-of-tomorrow"');
  expect((await postern.sdk().models.list()).data.some(({ id }) => id === "later")).toBe(false);
  await relist("model-of-tomorrow");
  expect((await postern.chat({ ...CHAT, model: "later" })).status).toBe(200);
  expect(requestOf()).toMatchObject({ model: "model-of-tomorrow" });
});

it("does not let a provider take a name over by what it lists", async () => {
  await setAlias("house-model", "gpt-4.1");
  await relist("house-model");
  await postern.chat({ ...CHAT, model: "house-model" });
  expect(requestOf()).toMatchObject({ model: "gpt-4.1" });
  expect(await view("house-model")).toMatchObject({ hidden_by: "gpt-4.1" });
  const ids = (await postern.sdk().models.list()).data.map(({ id }) => id);
  expect(ids.filter((id) => id === "house-model")).toHaveLength(1);
  await postern.ask("POST", "/models/alias/remove", { name: "house-model" });
  provider.reset();
  await postern.chat({ ...CHAT, model: "house-model" });
  expect(requestOf()).toMatchObject({ model: "house-model" });
});

it("says that a name is not there before it removes one", async () => {
  const refused = await postern.control("POST", "/models/alias/remove", { name: "never" });
  expect(refused.status).toBe(404);
});

it("goes by the model's own rules, not by what the name sounds like", async () => {
  await setAlias("gpt-9-mini", "provider-model");
  await postern.chat({ ...CHAT, model: "gpt-9-mini", temperature: 0.3, top_p: 0.5 });
  expect(requestOf()).toMatchObject({ temperature: 0.3, top_p: 0.5 });
});
