import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SetRoute } from "../../../../gateway/contract/routes.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { KEY, providersAt } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { reply, replyEvents, type WireAct } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { completionBody, claudeMessage } from "../../../support/acts.ts";

/** Three providers, three dialects' worth of models, one chain through them. */
const CHAIN = ["gpt-4.1", "claude-sonnet-5-5", "house-model"];
const clock = new TestClock();
const openai = useWire();
const anthropic = useWire();
const house = useWire();

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
/** OpenAI speaks Responses itself. */
const respondsTo =
  (act: WireAct, name: string): WireAct =>
  async (seen, outgoing) => {
    if (act !== GPT) return act(seen, outgoing);
    const item = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: name, annotations: [] }],
    };
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt", output: [item], usage };
    if ((seen.json as { stream?: boolean }).stream !== true)
      return reply(200, { ...response, status: "completed" })(seen, outgoing);
    const event = (data: { type: string; [field: string]: unknown }): string =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    return replyEvents(
      event({ type: "response.created", response: { ...response, output: [], status: "in_progress" } }),
      event({
        type: "response.output_text.delta",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta: name,
      }),
      event({ type: "response.completed", response: { ...response, status: "completed" } }),
    )(seen, outgoing);
  };
const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;

/** A chat provider that says its name, whole or streamed as it is asked. */
const says =
  (name: string): WireAct =>
  (seen, outgoing) => {
    const { stream, model } = seen.json as { stream?: boolean; model: string };
    if (stream !== true) return reply(200, completionBody(name, USAGE, { model }))(seen, outgoing);
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    return replyEvents(
      chunk({ role: "assistant", content: name }),
      chunk({}, end),
      chunk({}, { choices: [], usage: USAGE }),
      "data: [DONE]\n\n",
    )(seen, outgoing);
  };

const GPT = says("gpt");
/** What OpenAI does next, in whichever dialect it is asked. */
function openaiDoes(...acts: readonly WireAct[]): void {
  openai.on("POST /v1/chat/completions", ...acts);
  openai.on("POST /v1/responses", ...acts.map((act) => respondsTo(act, "gpt")));
}

const claudeSays =
  (name: string): WireAct =>
  (seen, outgoing) => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = claudeMessage(name, usage);
    if ((seen.json as { stream?: boolean }).stream !== true) return reply(200, message)(seen, outgoing);
    const event = (data: { type: string; [field: string]: unknown }): string =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    return replyEvents(
      event({ type: "message_start", message: { ...message, content: [], stop_reason: null } }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: name } }),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }),
      event({ type: "message_stop" }),
    )(seen, outgoing);
  };

const fails = (status: number, error: object = {}, headers: Record<string, string> = {}): WireAct =>
  reply(status, { error: { message: `error ${status}`, type: "server_error", code: null, ...error } }, headers);

const setRoute = (route: Partial<SetRoute> = {}): Promise<unknown> =>
  postern.ask("POST", "/routes", {
    name: "work",
    models: CHAIN,
    order: "listed",
    sticky: false,
    rules: [],
    enabled: true,
    ...route,
  });

beforeAll(async () => {
  house.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "house-model", object: "model" }] }));
});
const postern = useGateway(() => ({
  clock,
  env: {
    ...providersAt({ OPENAI: `${openai.origin}/v1`, ANTHROPIC: anthropic.origin }),
    POSTERN_COMPATIBLE_BASE_URL: `${house.origin}/v1`,
  },
}));
beforeEach(async () => {
  for (const provider of [openai, anthropic, house]) provider.reset();
  house.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "house-model", object: "model" }] }));
  openaiDoes(GPT);
  openai.on("POST /v1/embeddings", reply(503, { error: { message: "down" } }));
  anthropic.on("POST /v1/messages", claudeSays("claude"));
  house.on("POST /v1/chat/completions", says("house"));
  await setRoute();
});
afterEach(() => clock.advance(10 * 60_000));

/** In each dialect that a client may speak, whole and streamed. */
const ASKED = (["chat", "messages", "responses"] as const).flatMap((dialect) =>
  [false, true].map((stream) => [dialect, stream] as const),
);
const PATHS = { chat: "/chat/completions", messages: "/messages", responses: "/responses" } as const;

function ask(dialect: keyof typeof PATHS, stream: boolean, more: object = {}, key = KEY): Promise<Response> {
  const turns = [{ role: "user", content: "Say who you are." }];
  const body = {
    chat: { messages: turns },
    messages: { messages: turns, max_tokens: 100 },
    responses: { input: turns },
  }[dialect];
  return postern.post(PATHS[dialect], { model: "work", stream, ...body, ...more }, key);
}
const requestCount = (): number[] => [openai, anthropic, house].map(({ seen }) => seen.length);
const passed = ({ route }: Receipt): readonly string[] =>
  route?.passed.map(({ model, reason }) => `${model} ${reason}`) ?? [];

describe.each(ASKED)("%s, streamed: %s", (dialect, stream) => {
  it("goes to the first model while it is well, and its receipt names the route", async () => {
    const text = await (await ask(dialect, stream)).text();
    expect(text).toContain("gpt");
    expect(requestCount()).toEqual([1, 0, 0]);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ model: "gpt-4.1", outcome: "completed", route: { name: "work", passed: [] } });
  });

  it.each<[string, WireAct]>([
    ["is out of credit", fails(402)],
    ["is out of quota", fails(429, { code: "insufficient_quota", type: "insufficient_quota" })],
    ["is asked too fast", fails(429, { code: "rate_limit_exceeded" }, { "retry-after": "30" })],
    ["fails", fails(500)],
    ["is overloaded", fails(529)],
    ["refuses its key", fails(401, { code: "invalid_api_key" })],
    ["does not have the model", fails(404, { code: "model_not_found" })],
    ["cannot hold the prompt", fails(400, { code: "context_length_exceeded" })],
    ["breaks off", (_seen, outgoing) => void outgoing.destroy()],
    ["says 200 and an error", reply(200, { error: { message: "x", code: 503 } })],
    ["says 200 and nothing", reply(200, { choices: [] })],
    ["is not where it was", fails(405)],
  ])("goes to the second where the first %s", async (_name, act) => {
    openaiDoes(act);
    const response = await ask(dialect, stream);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("claude");
    expect(requestCount()).toEqual([1, 1, 0]);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ model: "claude-sonnet-5-5", outcome: "completed", status: 200, code: null });
    expect(passed(receipt)).toEqual(["gpt-4.1 failed"]);
    expect(receipt.route?.passed[0]?.provider).toBe("openai");
  });

  it("goes to the third where two fail, and tells the last failure where all do", async () => {
    openaiDoes(fails(500));
    anthropic.on("POST /v1/messages", fails(529));
    expect(await (await ask(dialect, stream)).text()).toContain("house");
    expect(passed(await postern.receipt())).toEqual(["gpt-4.1 failed", "claude-sonnet-5-5 failed"]);
    clock.advance(10 * 60_000);
    house.on("POST /v1/chat/completions", fails(503, { message: "the house is down" }));
    const response = await ask(dialect, stream);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("the house is down");
    expect((await postern.receipt()).outcome).not.toBe("completed");
  });

  it("tells what the client did wrong, and sends no other request", async () => {
    openaiDoes(fails(400, { message: "bad field", type: "invalid_request_error" }));
    const response = await ask(dialect, stream);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("bad field");
    expect(requestCount()).toEqual([1, 0, 0]);
  });
});

it("sends no other request after the first byte", async () => {
  openaiDoes((_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write(chunk({ role: "assistant", content: "gp" }), () => outgoing.destroy());
  });
  const text = await (await ask("chat", true)).text();
  expect(text).toContain("gp");
  expect(text).toContain('"error"');
  expect(text).not.toContain("[DONE]");
  expect(requestCount()).toEqual([1, 0, 0]);
});

it("sends no other request where the request may have been executed and stored something", async () => {
  openaiDoes((_seen, outgoing) => void outgoing.destroy());
  const response = await ask("responses", false, { background: true });
  expect(response.status).toBeGreaterThanOrEqual(400);
  await response.text();
  expect(requestCount().slice(1)).toEqual([0, 0]);
});

it("goes to the model that takes what it names, and tells why that one failed or no one takes it", async () => {
  const stored = { previous_response_id: "resp_1" };
  await setRoute({ models: ["claude-sonnet-5-5", "house-model", "gpt-4.1"] });
  expect(await (await ask("responses", true, stored)).text()).toContain("gpt");
  expect(passed(await postern.receipt())).toEqual(["claude-sonnet-5-5 capability", "house-model capability"]);
  openaiDoes(fails(404));
  await setRoute();
  expect(await (await ask("responses", false, stored)).text()).toContain("error 404");
  await setRoute({ models: ["claude-sonnet-5-5", "house-model"] });
  expect(await (await ask("responses", false, stored)).text()).toContain("previous_response_id");
  expect(requestCount().slice(1)).toEqual([0, 0]);
});

it("continues a response that is remembered here at any model, with the whole conversation", async () => {
  await setRoute({ models: ["claude-sonnet-5-5", "gpt-4.1"] });
  const long = "A long text. ".repeat(2_000);
  const first = (await (await ask("responses", false, { input: long })).json()) as { id: string };
  anthropic.on("POST /v1/messages", fails(529));
  const second = await ask("responses", false, { input: "And now?", previous_response_id: first.id });
  expect(await second.text()).toContain("gpt");
  const sent = openai.seen.at(-1)?.json as { previous_response_id: unknown; input: { content: unknown }[] };
  expect(sent.previous_response_id).toBeNull();
  expect(sent.input.map(({ content }) => content)).toMatchObject([long, [{ text: "claude" }], "And now?"]);
  expect(passed(await postern.receipt())).toEqual(["claude-sonnet-5-5 failed"]);
});

describe("models are passed over", () => {
  it("whose longest response is shorter than what is asked for", async () => {
    const response = await ask("chat", false, { max_completion_tokens: 60_000 });
    expect(await response.text()).toContain("claude");
    expect(passed(await postern.receipt())).toEqual(["gpt-4.1 output"]);
  });

  it("but are asked for what they can give where no one else is left, since agents ask for the most there is", async () => {
    await setRoute({ models: ["gpt-4.1", "claude-sonnet-5-5"] });
    anthropic.on("POST /v1/messages", fails(529));
    const response = await ask("messages", false, { max_tokens: 60_000 });
    expect(await response.text()).toContain("gpt");
    expect(passed(await postern.receipt())).toEqual(["claude-sonnet-5-5 failed"]);
    expect(JSON.stringify(openai.seen[0]?.json)).toMatch(/"max_(completion_)?tokens":32768\b/);
    await setRoute({ models: ["gpt-4.1"] });
    expect(await (await ask("messages", true, { max_tokens: 128_000 })).text()).toContain("gpt");
  });

  it("that a limited key may not use, unless it may use the route", async () => {
    const make = async (models: readonly string[]): Promise<string> =>
      (await postern.ask<{ secret: string }>("POST", "/keys", { name: "some", models })).secret;
    expect(await (await ask("chat", false, {}, await make(["claude-*"]))).text()).toContain("claude");
    expect(passed(await postern.receipt())).toEqual(["gpt-4.1 not_allowed", "house-model not_allowed"]);
    expect(await (await ask("chat", false, {}, await make(["work"]))).text()).toContain("gpt");
    const refused = await ask("chat", false, {}, await make(["other"]));
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("model_not_allowed");
  });
});

describe("nothing is as it was without the route", () => {
  it("where it is switched off, or all are", async () => {
    await setRoute({ enabled: false });
    expect((await ask("chat", false)).status).toBe(404);
    await setRoute();
    await postern.ask("PATCH", "/settings", { routes: false });
    expect((await ask("chat", false)).status).toBe(404);
    await postern.ask("PATCH", "/settings", { routes: true });
    expect((await ask("chat", false)).status).toBe(200);
  });

  it("and a route before a model of the same name leads to others", async () => {
    await postern.ask("POST", "/routes/remove", { name: "work", confirm: true });
    await setRoute({ name: "gpt-4.1", models: ["house-model", "gpt-4.1"] });
    const text = async (): Promise<string> => (await ask("chat", false, { model: "gpt-4.1" })).text();
    expect(await text()).toContain("house");
    house.on("POST /v1/chat/completions", fails(500));
    expect(await text()).toContain("gpt");
    await postern.ask("POST", "/routes/remove", { name: "gpt-4.1", confirm: true });
    house.on("POST /v1/chat/completions", says("house"));
    expect(await text()).toContain("gpt");
    expect((await postern.receipt()).route).toBeUndefined();
  });
});

it("takes the cheapest, or the fastest, where the route says so", async () => {
  await setRoute({ order: "cheapest", models: ["claude-sonnet-5-5", "gpt-4.1", "gpt-4.1-mini"] });
  expect(await (await ask("chat", false)).text()).toContain("gpt-4.1-mini");
  await setRoute({ order: "fastest", models: ["gpt-4.1", "house-model"] });
  openaiDoes((seen, outgoing) => {
    clock.advance(5_000);
    return says("gpt")(seen, outgoing);
  });
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await (await ask("chat", false)).text());
  expect(answers.filter((text) => text.includes("house")).length).toBeGreaterThanOrEqual(2);
});

describe("money", () => {
  it("passes over what costs more than the key has left", async () => {
    await setRoute({ models: ["claude-opus-5-5", "gpt-4.1-nano"] });
    const { secret } = await postern.limitedKey(0.0005);
    const response = await ask("chat", false, { max_tokens: 500 }, secret);
    expect(await response.text()).toContain("gpt");
    expect(passed(await postern.receipt())).toEqual(["claude-opus-5-5 price"]);
  });

  it("refuses a call that no model is cheap enough for", async () => {
    const { secret } = await postern.limitedKey(0.000001);
    const response = await ask("chat", false, { max_tokens: 500 }, secret);
    expect(response.status).toBe(402);
    await response.text();
    expect(requestCount()).toEqual([0, 0, 0]);
  });

  it("bills each attempt that may have been executed, once, and names it", async () => {
    openaiDoes((_seen, outgoing) => void outgoing.destroy());
    const { secret, view } = await postern.limitedKey(1);
    await (await ask("chat", false, {}, secret)).text();
    const receipt = await postern.receipt();
    const [failed] = receipt.route?.passed ?? [];
    expect(failed?.nano).toBeGreaterThan(0);
    expect(receipt.nano).toBe((failed?.nano ?? 0) + receipt.terms.slice(0, 2).reduce((sum, { nano }) => sum + nano, 0));
    expect(await view()).toMatchObject({ held_nano: 0, spent_nano: receipt.nano });
  });
});
