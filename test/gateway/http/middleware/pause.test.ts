import { afterEach, beforeEach, expect, it } from "vitest";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import { when, completion } from "../../../support/acts.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, KEY, errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

let provider: MockProvider;
let postern: TestGateway;
beforeEach(async () => {
  provider = await startProvider();
  postern = await startGateway({ provider });
});
afterEach(async () => {
  await postern.close();
  await provider.close();
});

const get = (path: string): Promise<Response> =>
  fetch(`${postern.url}${path}`, { headers: { authorization: `Bearer ${KEY}` } });

it("sends every call of a client away with a sentence, without asking a provider, until it is resumed", async () => {
  expect(await postern.ask("POST", "/pause")).toMatchObject({ status: "paused" });
  const refused = await postern.chat();
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("x-should-retry")]).toStrictEqual([
    503,
    "30",
    "false",
  ]);
  expect(await errorOf(refused)).toMatchObject({
    code: "paused",
    message: "Postern is paused. Resume it from the tray or the Settings page.",
  });
  expect((await get("/v1/models")).status).toBe(503);
  const messages = await postern.post("/messages", { model: CHAT.model, max_tokens: 5, messages: CHAT.messages });
  expect(await messages.json()).toMatchObject({ type: "error", error: { type: "api_error" } });
  expect(provider.chats).toHaveLength(0);

  expect(await postern.ask("POST", "/resume")).toMatchObject({ status: "running" });
  expect((await postern.chat()).status).toBe(200);
});

it("refuses tool calls of clients and of the pages in words of their own", async () => {
  postern.gateway.pause();
  const initialize = { jsonrpc: "2.0", id: 7, method: "ping" };
  const refused = await fetch(`${postern.url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(initialize),
  });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "paused", status: 503 } } });
  const [key] = (await postern.ask<{ data: { id: string }[] }>("GET", "/keys")).data;
  const tried = await postern.control("POST", "/mcp/call", { key: key?.id, tool: "list_models", arguments: {} });
  expect((await errorOf(tried)).code).toBe("paused");
});

it("lets what runs end in peace, and keeps pages, health and results", async () => {
  const gate = Promise.withResolvers<void>();
  provider.usual = when(gate.promise, completion("still here"));
  const running = postern.chat();
  await provider.arrived(1);
  postern.gateway.pause();
  expect((await fetch(`${postern.url}/health`)).status).toBe(200);
  expect((await fetch(`${postern.url}/media/none?expires=1&signature=x`)).status).toBe(403);
  gate.resolve();
  expect(await (await running).text()).toContain("still here");
});

it("tells listeners once for each change, and is not remembered over a start", async () => {
  const events: GatewayEvent["type"][] = [];
  postern.gateway.events.subscribe(({ type }) => events.push(type));
  postern.gateway.pause();
  postern.gateway.pause();
  postern.gateway.resume();
  expect(events).toStrictEqual(["settings.changed", "settings.changed"]);
  postern.gateway.pause();
  const { dataDir } = postern;
  await postern.stop();
  postern = await startGateway({ provider, dataDir });
  expect(postern.gateway.state().status).toBe("running");
});
