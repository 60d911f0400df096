import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ModelView, OwnRates } from "../../../../gateway/contract/model-view.ts";
import { completion, when } from "../../../support/acts.ts";
import { CHAT, errorOf, KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { toolStage } from "../../../support/tool-harness.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useProvider } from "../../../support/use-gateway.ts";

/** Prices of the owner's own, on a running gateway: what is held, billed and quoted. */
const clock = new TestClock();
const provider = useProvider();
let postern: TestGateway;
beforeAll(async () => {
  postern = await startGateway({ provider, clock });
});
afterAll(() => postern.close());

const today = (): string => new Date(clock.now()).toISOString().slice(0, 10);
const setPrice = (model: string, rates: OwnRates): Promise<ModelView> =>
  postern.ask("POST", "/models/price", { model, rates });
const view = async (id: string): Promise<ModelView | undefined> =>
  (await postern.ask<{ data: ModelView[] }>("GET", "/models")).data.find((model) => model.id === id);
const USAGE = { prompt_tokens: 1_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 400 } };

/** The nano USD of one call with `USAGE`, and its price's source. */
async function billed(model: string): Promise<{ nano: number | null; source: string | undefined }> {
  provider.next(completion("Hello.", USAGE));
  expect((await postern.chat({ ...CHAT, model })).status).toBe(200);
  const { nano, price } = await postern.receipt();
  return { nano, source: price?.source };
}

it("bills calls by every name of the model from then on, and gives the catalog's price back when it is removed", async () => {
  const before = await billed("gpt-4.1");
  expect(before.source).not.toBe("owner");
  await postern.ask("POST", "/models/alias", { name: "mine", model: "gpt-4.1" });
  const set = await setPrice("mine", { input: 7_000_000_001, output: 0, cached_input: 500_000_000 });
  expect(set).toMatchObject({ id: "gpt-4.1", own_price: true, price: { source: "owner", as_of: today() } });
  expect(set.list_price?.source).not.toBe("owner");
  // 600 at 7_000_000_001 and 400 at 500_000_000 nano USD per million, each rounded to a whole nano.
  expect(await billed("gpt-4.1")).toEqual({ nano: 4_200_000 + 1 + 200_000 - 1, source: "owner" });
  expect(await billed("mine")).toEqual(await billed("gpt-4.1"));
  await postern.ask("POST", "/models/price/remove", { model: "gpt-4.1" });
  expect(await billed("gpt-4.1")).toEqual(before);
  expect(await view("gpt-4.1")).toMatchObject({ own_price: false });
});

it("prices a model that no one had a price for, also what is not named in the price", async () => {
  expect((await billed("provider-model")).nano).toBeNull();
  expect(await view("provider-model")).toMatchObject({ price: null, input_nano_per_million: null });
  await setPrice("provider-model", { input: 1_000_000_000, output: 2_000_000_000 });
  // Cached tokens have no rate of their own: they cost what the others do.
  expect((await billed("provider-model")).nano).toBe(1_000_000 + 20_000);
  const { data } = await postern.sdk().models.list();
  expect(data.find(({ id }) => id === "provider-model")).toMatchObject({
    pricing: { input: 0.000_001, output: 0.000_002, source: "owner", as_of: today() },
  });
});

it("is what limits hold and refuse by", async () => {
  await setPrice("provider-model", { input: 9_000_000_000_000, output: 9_000_000_000_000 });
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "poor", limit_usd: 0.01 });
  const refused = await postern.chat({ ...CHAT, model: "provider-model", max_tokens: 10 }, secret);
  expect(refused.status).toBe(402);
  expect((await errorOf(refused)).code).toBe("insufficient_quota");
  await setPrice("provider-model", { input: 0, output: 0 });
  expect((await postern.chat({ ...CHAT, model: "provider-model", max_tokens: 10 }, secret)).status).toBe(200);
  expect((await postern.receipt()).nano).toBe(0);
});

it("is at most what every call can be counted with", async () => {
  const most = { input: 9_000_000_000_000, output: 9_000_000_000_000 };
  await setPrice("provider-model", most);
  // The most tokens that a provider is believed.
  provider.next(completion("Hello.", { prompt_tokens: 1_000_000_000, completion_tokens: 1_000_000_000 }));
  expect((await postern.chat({ ...CHAT, model: "provider-model" })).status).toBe(200);
  // Twice 9 million USD is more than can be counted.
  expect((await postern.receipt()).nano).toBe(Number.MAX_SAFE_INTEGER);
  provider.next(completion("Hello.", { prompt_tokens: 2_000_000, completion_tokens: 1 }));
  expect((await postern.chat({ ...CHAT, model: "provider-model" })).status).toBe(200);
  expect((await postern.receipt()).nano).toBe(18_000_009_000_000);
  const month = await postern.ask<{ total: { nano: number } }>("GET", "/usage?by=day");
  expect(month.total.nano).toBe(Number.MAX_SAFE_INTEGER);

  const over = { input: 9_000_000_000_001, output: 0 };
  const refused = await postern.control("POST", "/models/price", { model: "provider-model", rates: over });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { param: "rates.input", message: expect.stringContaining("at most 9000 USD for a million") as unknown },
  });
  await setPrice("provider-model", { input: 0, output: 0 });
});

it("leaves a rate of before that bound as it is where another one is changed", async () => {
  const stage = await toolStage({ provider });
  const over = { input: 9_000_000_000_001, output: 0 };
  const set = (rates: OwnRates): Promise<string> => stage.services.manageModels.setPrice("gpt-4.1", rates);
  await expect(set(over)).rejects.toThrow("at most 9000 USD");
  const record = { id: "gpt-4.1", rates: over, as_of: "2026-11-01" };
  await stage.store.change("prices", "gpt-4.1", () => record);
  await expect(set({ ...over, output: 5 })).resolves.toBe("gpt-4.1");
  await expect(set({ ...over, input: over.input + 1 })).rejects.toThrow("at most 9000 USD");
  await stage.close();
});

it("leaves a call that runs the price that it began with", async () => {
  await setPrice("provider-model", { input: 1_000_000_000, output: 0 });
  provider.reset();
  let response: () => void = () => {};
  provider.next(when(new Promise<void>((resolve) => (response = resolve)), completion("Hello.", USAGE)));
  const running = postern.chat({ ...CHAT, model: "provider-model" });
  await provider.arrived(1);
  await setPrice("provider-model", { input: 9_000_000_000, output: 0 });
  response();
  expect((await running).status).toBe(200);
  expect((await postern.receipt()).nano).toBe(1_000_000);
});

it.each<[string, string, OwnRates, RegExp]>([
  ["a chat model by the image", "gpt-4.1", { image: 1 }, /converses/],
  ["half of a conversation", "gpt-4.1", { output: 1 }, /input tokens and output tokens/],
  ["a video by tokens", "sora-2", { input: 1, output: 1 }, /seconds/],
])("refuses %s", async (_name, model, rates, message) => {
  const refused = await postern.control("POST", "/models/price", { model, rates });
  expect(refused.status).toBe(400);
  expect((await errorOf(refused)).message).toMatch(message);
});

it("has nothing to remove where nothing was set", async () => {
  expect((await postern.control("POST", "/models/price/remove", { model: "gpt-4o" })).status).toBe(404);
});

it("is kept for a model that is not served, and listed as that", async () => {
  await setPrice("model-of-tomorrow", { input: 1, output: 1 });
  expect(await view("model-of-tomorrow")).toMatchObject({ served: false, own_price: true, list_price: null });
});

it("is reported to tools, with the names: schemas, list and quote", async () => {
  await postern.ask("POST", "/models/alias", { name: "house-model", model: "provider-model" });
  await setPrice("provider-model", { input: 0, output: 1_000_000_000_000 });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${postern.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${KEY}` } },
    }),
  );
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools.find(({ name }) => name === "chat")?.inputSchema)).toContain("Now: mine, house-model, ");
  const listed = await client.callTool({ name: "list_models", arguments: { search: "house-model" } });
  expect(JSON.stringify(listed.structuredContent)).toContain("house-model");
  const quote = await client.callTool({
    name: "quote",
    arguments: { tool: "chat", arguments: { model: "house-model", prompt: "Hello.", max_tokens: 3 } },
  });
  expect(quote.structuredContent).toMatchObject({ model: "provider-model", max_cost_usd: 0.003 });
  const before = provider.chats.length;
  const message = await client.callTool({ name: "chat", arguments: { model: "house-model", prompt: "Hello." } });
  expect(message.isError).not.toBe(true);
  expect(provider.chats.length).toBe(before + 1);
  expect(await postern.receipt()).toMatchObject({ model: "provider-model", price: { source: "owner" } });
  await client.close();
});

it("is there after a start again", async () => {
  await postern.stop();
  postern = await startGateway({ provider, clock, dataDir: postern.dataDir });
  expect((await billed("house-model")).source).toBe("owner");
});
