import { beforeAll, beforeEach, expect, it } from "vitest";
import { respond, completionText } from "../../../support/acts.ts";
import { modelList } from "../../../support/mock-provider.ts";
import { CHAT, errorOf } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const NARROW = "sk-test-narrow-key-000000001";
const PAID = "sk-test-paid-key-00000000001";
const TRUSTED = "sk-test-trusted-key-00000001";
const RESPONSE = {
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "gpt-4.1",
  output: [],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
};

const provider = useProvider();
let requestCount = 0;
/** Of the next response. */
let output: readonly object[] = [];
const SEARCHED = [{ type: "web_search_call", id: "ws_1", status: "completed" }];
beforeAll(async () => {
  provider.list = modelList(["gpt-4.1", "provider-model", "text-embedding-3-small"]);
  provider.also.set("/v1/responses", (exchange) => {
    requestCount += 1;
    const { stream } = JSON.parse(exchange.seen.body.toString("utf8")) as { readonly stream?: boolean };
    const events = [
      ...output.map((item) => ({ type: "response.output_item.done", output_index: 0, item })),
      { type: "response.completed", response: { ...RESPONSE, output } },
    ];
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    const whole = respond(200, JSON.stringify({ ...RESPONSE, output }));
    return (stream === true ? respond(200, text, { "content-type": "text/event-stream" }) : whole)(exchange);
  });
});
const postern = useGateway(() => ({
  provider,
  keys: [
    { key: NARROW, name: "narrow", models: ["gpt-4.1", "text-embedding-*"] },
    { key: PAID, name: "paid", limit_usd: 5 },
    { key: TRUSTED, name: "trusted", models: ["gpt-4.1"], limit_usd: 5, hosted_tools: true, stored_objects: true },
  ],
}));
beforeEach(() => {
  provider.reset();
  requestCount = 0;
  output = [];
});

const RESPOND = { model: "gpt-4.1", input: "hello" };
const SEARCH = { ...RESPOND, tools: [{ type: "web_search" }] };

it.each([
  ["a hosted tool", SEARCH, "tools[0].type"],
  ["somebody's response", { ...RESPOND, previous_response_id: "resp_foreign" }, "previous_response_id"],
  [
    "somebody's file",
    { ...RESPOND, input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] },
    "input[0].content[0].file_id",
  ],
] as const)("refuses %s to limited keys before a provider is asked", async (_what, body, param) => {
  for (const key of [NARROW, PAID]) {
    const refused = await postern.post("/responses", body, key);
    expect(refused.status).toBe(403);
    expect(await errorOf(refused)).toMatchObject({ type: "permission_error", code: "field_not_allowed", param });
  }
  expect(requestCount).toBe(0);
});

it("refuses a model in a field as it refuses the model itself", async () => {
  const body = { ...RESPOND, tools: [{ type: "image_generation", model: "gpt-image-2" }] };
  const refused = await postern.post("/responses", body, TRUSTED);
  expect(await errorOf(refused)).toMatchObject({ code: "model_not_allowed", param: "tools[0].model" });
  expect(requestCount).toBe(0);
});

it("lets what the user allowed through, unchanged, and counts its searches", async () => {
  output = SEARCHED;
  expect((await postern.post("/responses", SEARCH, TRUSTED)).status).toBe(200);
  expect(await postern.receipt()).toMatchObject({ estimated: false, outcome: "completed" });
  expect((await postern.post("/responses", SEARCH)).status).toBe(200);
  const { terms } = await postern.receipt();
  expect(terms).toContainEqual(expect.objectContaining({ unit: "web_search", quantity: 1 }));
  expect(requestCount).toBe(2);
});

it.each([
  [
    "web search alone, which was not used",
    { tools: [{ type: "web_search" }, { type: "function", name: "f" }] },
    [],
    false,
  ],
  ["web search that was used", { tools: [{ type: "web_search" }] }, SEARCHED, false],
  ["a tool that no item shows, too", { tools: [{ type: "web_search" }, { type: "programmatic" }] }, [], true],
  [
    "more tools among the input",
    { tools: [{ type: "web_search" }], input: [{ type: "additional_tools", tools: [{ type: "file_search" }] }] },
    [],
    true,
  ],
])("knows what a request that offers %s cost, whole and streamed", async (_what, fields, items, estimated) => {
  output = items;
  for (const stream of [false, true]) {
    const response = await postern.post("/responses", { ...RESPOND, ...fields, stream }, TRUSTED);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(await postern.receipt()).toMatchObject({ estimated, stream, outcome: "completed" });
  }
});

it("says of a call without such fields what it cost", async () => {
  const stored = { ...RESPOND, tools: [{ type: "function", name: "f" }], previous_response_id: "resp_1" };
  expect((await postern.post("/responses", stored, TRUSTED)).status).toBe(200);
  expect(await postern.receipt()).toMatchObject({ estimated: false });
});

it("looks at chat in each provider's words", async () => {
  provider.usual = respond(200, completionText());
  const searched = { ...CHAT, web_search_options: {} };
  expect(await errorOf(await postern.chat(searched, NARROW))).toMatchObject({
    code: "field_not_allowed",
    param: "web_search_options",
  });
  // A field of routers, which a server at another host than OpenAI's may be.
  expect((await postern.chat({ ...CHAT, plugins: [{ id: "web" }] }, NARROW)).status).toBe(403);
  expect((await postern.chat({ ...CHAT, verbosity: "low" }, NARROW)).status).toBe(200);
  expect((await postern.chat(CHAT, NARROW)).status).toBe(200);
  expect(provider.chats).toHaveLength(2);
});

it("gives back what a refused call held", async () => {
  expect((await postern.post("/responses", SEARCH, PAID)).status).toBe(403);
  expect(await postern.keyView("paid")).toMatchObject({ held_nano: 0, in_flight: 0 });
});

it("takes the owner's word from the next call on", async () => {
  const { key, secret } = await postern.ask<{ key: { id: string }; secret: string }>("POST", "/keys", {
    name: "changing",
    limit_usd: 5,
  });
  expect((await postern.post("/responses", SEARCH, secret)).status).toBe(403);
  await postern.ask("PATCH", `/keys/${key.id}`, { hosted_tools: true });
  expect((await postern.post("/responses", SEARCH, secret)).status).toBe(200);
  await postern.ask("PATCH", `/keys/${key.id}`, { hosted_tools: null });
  expect((await postern.post("/responses", SEARCH, secret)).status).toBe(403);
});
