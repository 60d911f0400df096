import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { errorOf, KEY } from "../../../support/running-gateway.ts";
import {
  CHAT_ROUTE,
  FOREIGN,
  found,
  says,
  searchCall,
  useSearchWorld,
  setSearch,
  streams,
} from "../../../support/search-world.ts";
import { reply } from "../../../support/wire-provider.ts";
import { claudeMessage } from "../../../support/acts.ts";

const NO_TOOLS = "sk-test-no-hosted-tools-01";
const SLOW = "sk-test-one-a-minute-0001";
const POOR = "sk-test-little-money-0001";
const LIMITED = "sk-test-much-money-00001";

const world = useSearchWorld(undefined, {
  keys: [
    { key: NO_TOOLS, name: "no tools", hosted_tools: false },
    { key: SLOW, name: "slow", rpm: 1, concurrency: 1 },
    { key: POOR, name: "poor", limit_usd: 0.5 },
    { key: LIMITED, name: "limited", limit_usd: 500 },
  ],
});
afterEach(() => world.postern.ask("PATCH", "/settings", { search_provider: "none" }));

const DROPPED = "x-postern-dropped-tools";
const SEARCH = { type: "web_search_20250305", name: "web_search" };
const NOTE = { name: "note", input_schema: { type: "object" } };
const message = (model: string, ...tools: readonly object[]) => ({
  model,
  max_tokens: 64,
  tools,
  messages: [{ role: "user", content: "How tall is the tower?" }],
});
const BY_CLIENT = (model: string) => ({ when: { clients: ["acme*"] }, models: [model], enabled: true });
const PAGES = found(["The tower", "https://example.com/tower", "It is 300 metres tall."]);

const CLAUDE = reply(200, claudeMessage("Tall."));

describe("a request whose provider searches itself", () => {
  it.each(["none", "searxng"])("reaches it as it was sent (search service: %s)", async (service) => {
    if (service === "searxng") await setSearch(world);
    world.wire.on("POST /v1/messages", CLAUDE);
    const body = message("claude-sonnet-5", SEARCH);
    const answer = await world.postern.post("/messages", body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get(DROPPED)).toBeNull();
    expect(world.wire.seen[0]?.json).toEqual(body);
  });

  it("receives earlier searches by Postern in words that it can read", async () => {
    await setSearch(world);
    world.wire.on(CHAT_ROUTE, says("", searchCall("c", "tower")), says("300 m [1]."));
    world.searx.on("GET /search", PAGES);
    const sdk = new Anthropic({ baseURL: world.postern.url, apiKey: KEY, maxRetries: 0 });
    const request = message(FOREIGN, SEARCH) as unknown as Anthropic.MessageCreateParamsNonStreaming;
    const before = await sdk.messages.create(request);
    // The service may have been taken away since.
    await world.postern.ask("PATCH", "/settings", { search_provider: "none" });
    world.wire.reset();
    world.wire.on("POST /v1/messages", CLAUDE);
    const messages = [...request.messages, { role: "assistant" as const, content: before.content }];
    await sdk.messages.create({ ...request, model: "claude-sonnet-5", messages });
    const [seen] = world.wire.seen;
    const sent = seen?.json as { messages: { content: { type: string }[] }[] };
    expect(sent.messages[1]?.content).toEqual([
      { type: "text", text: expect.stringContaining("https://example.com/tower") },
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/srch_postern|server_tool_use|citations/);
  });
});

describe("a request along a route, without a search service", () => {
  const route = (models: readonly string[], rules: readonly object[] = []): Promise<unknown> =>
    world.postern.ask("POST", "/routes", { name: "work", models, rules });
  const passed = async (): Promise<unknown> => (await world.postern.receipt()).route?.passed;

  it("that needs the search goes to the model that searches, wherever that is in the chain", async () => {
    await route([FOREIGN, "claude-sonnet-5"]);
    world.wire.on("POST /v1/messages", CLAUDE);
    const response = await world.postern.post("/messages", message("work", SEARCH));
    expect([response.status, response.headers.get(DROPPED)]).toEqual([200, null]);
    expect(world.wire.seen.map(({ path }) => path)).toEqual(["/v1/messages"]);
    expect(await passed()).toEqual([{ model: FOREIGN, reason: "web_search" }]);
  });

  it("learns what it is without, where that model fails", async () => {
    await route([FOREIGN, "claude-sonnet-5"]);
    world.wire.on(
      "POST /v1/messages",
      reply(529, { type: "error", error: { type: "overloaded_error", message: "x" } }),
    );
    world.wire.on(CHAT_ROUTE, says("From memory."));
    const response = await world.postern.post("/messages", message("work", SEARCH));
    expect([response.status, response.headers.get(DROPPED)]).toEqual([200, "web_search"]);
    expect(await passed()).toMatchObject([{ model: "claude-sonnet-5", reason: "failed" }]);
  });

  it("that offers it next to other tools goes on in the order of the chain", async () => {
    await route([FOREIGN, "claude-sonnet-5"]);
    world.wire.on(CHAT_ROUTE, says("From memory."));
    const response = await world.postern.post("/messages", message("work", SEARCH, NOTE));
    expect([response.status, response.headers.get(DROPPED)]).toEqual([200, "web_search"]);
    expect(await passed()).toEqual([]);
  });

  it.each<[string, string, readonly string[], readonly object[], Record<string, string>]>([
    ["a route named as its model that searches", "claude-sonnet-5", ["gpt-5", "claude-sonnet-5"], [], {}],
    ["a rule by client", "work", [FOREIGN], [BY_CLIENT("claude-sonnet-5")], { "user-agent": "acme/1" }],
    ["a rule by tokens", "work", [FOREIGN], [{ ...BY_CLIENT("claude-sonnet-5"), when: { input_tokens_above: 1 } }], {}],
    ["the cheapest", "cheap", [FOREIGN, "claude-sonnet-5"], [], {}],
  ])("reaches the model that searches along %s", async (_what, name, models, rules, headers) => {
    const order = name === "cheap" ? "cheapest" : "listed";
    await world.postern.ask("POST", "/routes", { name, models, rules, order });
    world.wire.on("POST /v1/messages", CLAUDE);
    const response = await world.postern.post("/messages", message(name, SEARCH), KEY, headers);
    expect([response.status, response.headers.get(DROPPED)]).toEqual([200, null]);
    await world.postern.ask("POST", "/routes/remove", { name });
  });

  it.each([[[SEARCH, NOTE]], [[SEARCH]]])("says what a rule by client leaves out (%#)", async (tools) => {
    await route(["claude-sonnet-5"], [BY_CLIENT(FOREIGN)]);
    world.wire.on(CHAT_ROUTE, says("From memory."));
    const headers = { "user-agent": "acme/1" };
    const response = await world.postern.post("/messages", message("work", ...tools), KEY, headers);
    const isAlone = tools.length === 1;
    expect([response.status, response.headers.get(DROPPED)]).toEqual(isAlone ? [400, null] : [200, "web_search"]);
    expect(world.wire.seen).toHaveLength(isAlone ? 0 : 1);
  });

  it("of Codex, which only offers it, is searched for by Postern though a rule sends searches elsewhere", async () => {
    await setSearch(world);
    await route([FOREIGN], [{ when: { kinds: ["web_search"] }, models: ["gpt-5"], enabled: true }]);
    world.wire.on(CHAT_ROUTE, says("", searchCall("c", "tower")), says("300 m."));
    world.searx.on("GET /search", PAGES);
    const tools = [{ type: "web_search" }, { type: "function", name: "shell", parameters: {} }];
    const body = { model: "work", input: "How tall is the tower?", tools, store: false };
    const headers = { "user-agent": "codex_cli_rs/0.169.0" };
    expect((await world.postern.post("/responses", body, KEY, headers)).status).toBe(200);
    expect(world.searx.seen).toHaveLength(1);
    // Once it searches in a turn, that is what the turn is for.
    world.wire.reset();
    world.wire.on("POST /v1/responses", reply(500, {}));
    const searched = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } };
    const input = [{ role: "user", content: "How tall is the tower?" }, searched];
    await (await world.postern.post("/responses", { ...body, input }, KEY, headers)).text();
    expect(world.wire.seen.map(({ path }) => path)).toContain("/v1/responses");
  });
});

describe("a request along a route, of a key that may not use hosted tools", () => {
  const route = (...models: readonly string[]): Promise<unknown> =>
    world.postern.ask("POST", "/routes", { name: "work", models, rules: [] });
  const search = { type: "web_search" };
  const shell = { type: "function", name: "shell", parameters: {} };
  const ask = (tools: readonly object[], more: object = {}): Promise<Response> => {
    const body = { model: "work", input: "How tall is the tower?", tools, store: false, ...more };
    return world.postern.post("/responses", body, LIMITED);
  };
  const passed = async (): Promise<unknown> => (await world.postern.receipt()).route?.passed;
  const GPT = reply(200, {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "gpt-5",
    output: [],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  });

  it("goes without them to the model whose provider would run them, and says so", async () => {
    await route("gpt-5", FOREIGN);
    world.wire.on("POST /v1/responses", GPT);
    const response = await ask([search, shell]);
    expect([response.status, response.headers.get(DROPPED)]).toEqual([200, "web_search"]);
    expect(world.wire.seen.map(({ json }) => (json as { tools: unknown }).tools)).toEqual([[shell]]);
    expect(await passed()).toEqual([]);
  });

  it("loses no turn where the model before that one fails", async () => {
    await route(FOREIGN, "gpt-5");
    world.wire.on(CHAT_ROUTE, reply(402, { error: { message: "Insufficient Balance" } }));
    world.wire.on("POST /v1/responses", GPT);
    const response = await ask([shell, search]);
    expect([response.status, response.headers.get(DROPPED)]).toEqual([200, "web_search"]);
    expect(await passed()).toMatchObject([{ model: FOREIGN, reason: "failed" }]);
  });

  it.each([
    ["along a route of one model", ["gpt-5"], [search, shell], {}],
    ["where the search is what it is for", ["gpt-5", FOREIGN], [search], {}],
    ["where it insists on it", ["gpt-5", FOREIGN], [search, shell], { tool_choice: search }],
  ])("is refused with its reason %s", async (_what, models, tools, more) => {
    await route(...models);
    const response = await ask(tools, more);
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({ code: "field_not_allowed" });
    expect(world.wire.seen).toEqual([]);
  });

  it("is refused without a route", async () => {
    const body = { model: "gpt-5", input: "Hi", tools: [search, shell], store: false };
    expect((await world.postern.post("/responses", body, LIMITED)).status).toBe(403);
    expect(world.wire.seen).toEqual([]);
  });

  it("is searched for by Postern, whose searches the key may use", async () => {
    await setSearch(world);
    await route("gpt-5", FOREIGN);
    world.wire.on("POST /v1/responses", reply(500, {}));
    world.wire.on(CHAT_ROUTE, says("", searchCall("c", "tower")), says("300 m."));
    world.searx.on("GET /search", PAGES);
    expect((await ask([search, shell])).status).toBe(200);
    expect(world.searx.seen).toHaveLength(1);
  });
});

describe("a request whose provider does not search, without a search service", () => {
  it.each([
    ["/messages", message(FOREIGN, SEARCH)],
    ["/messages", { ...message(FOREIGN, SEARCH, NOTE), tool_choice: { type: "tool", name: "web_search" } }],
  ])("is refused where it needs the search: %s %#", async (path, body) => {
    const answer = await world.postern.post(path, body);
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe("invalid_request_error");
    expect(error.message).toMatch(/route whose rule "web_search".*Settings > Search/);
    expect(world.wire.seen).toEqual([]);
    expect(await world.postern.receipt()).toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      endpoint: "messages",
    });
  });

  it.each([
    ["/responses", { model: FOREIGN, input: "Hi.", tools: [{ type: "web_search" }] }, "tools"],
    [
      "/chat/completions",
      { model: FOREIGN, messages: [{ role: "user", content: "Hi." }], web_search_options: {} },
      "web_search_options",
    ],
  ] as const)("is refused in the other dialects too: %s", async (path, body, param) => {
    const error = await errorOf(await world.postern.post(path, body));
    expect(error).toMatchObject({ code: "unsupported_parameter", param });
  });

  it.each([true, false])("goes on without it where it is one of several, and says so (stream: %s)", async (stream) => {
    world.wire.on(CHAT_ROUTE, (stream ? streams : says)("Tall."));
    const answer = await world.postern.post("/messages", { ...message(FOREIGN, SEARCH, NOTE), stream });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(DROPPED)).toBe("web_search");
    await answer.text();
    const sent = world.wire.seen[0]?.json as { tools: unknown[] };
    expect(sent.tools).toMatchObject([{ function: { name: "note" } }]);
  });

  it("names other tools that no one runs", async () => {
    world.wire.on(CHAT_ROUTE, says("Done."));
    const tools = [{ type: "code_execution_20250825", name: "code_execution" }, NOTE];
    const answer = await world.postern.post("/messages", message(FOREIGN, ...tools));
    expect(answer.headers.get(DROPPED)).toBe("code_execution");
  });

  it("says nothing where nothing was dropped", async () => {
    world.wire.on(CHAT_ROUTE, says("Done."));
    const answer = await world.postern.post("/messages", message(FOREIGN, NOTE));
    expect(answer.headers.get(DROPPED)).toBeNull();
  });
});

it("tells what is wrong with a request as it was sent", async () => {
  await setSearch(world);
  const body = { ...message(FOREIGN, SEARCH), messages: [{ role: "user", content: 7 }] };
  const answer = await world.postern.post("/messages", body);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("messages[0].content");
});

describe("limits of a key", () => {
  it("that may not use hosted tools is not searched for", async () => {
    await setSearch(world);
    const answer = await world.postern.post("/messages", message(FOREIGN, SEARCH), NO_TOOLS);
    expect(answer.status).toBe(403);
    expect(world.searx.seen).toEqual([]);
  });

  it("count a request once for its rate, however many turns it has", async () => {
    await setSearch(world);
    world.wire.on(CHAT_ROUTE, says("", searchCall("c1", "a")), says("", searchCall("c2", "b")), says("Tall."));
    world.searx.on("GET /search", PAGES);
    const first = await world.postern.post("/messages", message(FOREIGN, SEARCH), SLOW);
    expect(first.status).toBe(200);
    const second = await world.postern.post("/messages", message(FOREIGN, SEARCH), SLOW);
    expect(second.status).toBe(429);
  });

  it("bound what is searched: without money for it, none is made and the model is informed", async () => {
    await setSearch(world, 1);
    world.wire.on(CHAT_ROUTE, says("", searchCall("c1", "a")), says("I may not look."));
    const answer = await world.postern.post("/messages", message(FOREIGN, SEARCH), POOR);
    expect(answer.status).toBe(200);
    expect(world.searx.seen).toEqual([]);
    expect(world.wire.seen[1]?.body.toString()).toContain("has $0.50 left, and this call may cost $1.00");
  });

  it.each([
    ["/messages", {}],
    ["/chat/completions", {}],
    ["/responses", {}],
    ["/messages", { stream: true }],
    ["/chat/completions", { stream: true }],
    ["/responses", { stream: true }],
  ])("that end in the middle of a request leave what it has paid for (%s, %j)", async (path, more) => {
    await setSearch(world, 0.0099);
    const turn = "stream" in more ? streams : says;
    world.wire.on(CHAT_ROUTE, turn("", searchCall("c1", "a")), turn("Tall."));
    world.searx.on("GET /search", PAGES);
    const { secret } = await world.postern.limitedKey(0.01);
    const { messages } = message(FOREIGN);
    const request = {
      "/messages": message(FOREIGN, SEARCH),
      "/chat/completions": { model: FOREIGN, max_tokens: 64, messages, web_search_options: {} },
      "/responses": { model: FOREIGN, max_output_tokens: 64, input: messages, tools: [{ type: "web_search" }] },
    }[path];
    const answer = await world.postern.post(path, { ...request, ...more }, secret);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/"stop_reason":"pause_turn"|"finish_reason":"length"|"status":"incomplete"/);
    expect([world.searx.seen.length, world.wire.seen.length]).toEqual([1, 1]);
  });

  it("are spent by searches", async () => {
    await setSearch(world, 0.125);
    const before = await world.postern.spentCents(POOR);
    world.wire.on(CHAT_ROUTE, says("", searchCall("c1", "a")), says("Tall."));
    world.searx.on("GET /search", PAGES);
    await world.postern.post("/messages", message(FOREIGN, SEARCH), POOR);
    expect((await world.postern.spentCents(POOR)) - before).toBeCloseTo(12.5, 1);
  });
});
