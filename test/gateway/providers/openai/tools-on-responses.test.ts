import Anthropic from "@anthropic-ai/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { assembledCompletion, assembledMessage } from "../../codecs/support/assembled.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { ENCRYPTED, refuseReasoning, refuseSummaries, serveStrictOpenAi } from "./strict-openai.ts";

type Json = Readonly<Record<string, unknown>>;

const wire = useWire();
const gateway = useGateway(() => ({
  env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-1" },
}));
beforeEach(() => {
  wire.reset();
  wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "gpt-6.9-mars", object: "model" }] }));
  serveStrictOpenAi(wire);
});

const BASH = { command: { type: "string" } };
const SCHEMA = { type: "object", properties: BASH, required: ["command"] };
const FUNCTION = { type: "function", function: { name: "Bash", description: "Runs a command.", parameters: SCHEMA } };
const TOOL = { name: "Bash", description: "Runs a command.", input_schema: SCHEMA };
const HI = [{ role: "user", content: "List the files." }];
const ADAPTIVE = { thinking: { type: "adaptive" }, output_config: { effort: "high" } };

const ways = ["whole", "streamed"] as const;
type Way = (typeof ways)[number];

async function eventsOf(response: Response): Promise<readonly Json[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)) as Json);
}

async function message(body: Json, way: Way): Promise<Json> {
  const response = await gateway.post("/messages", { max_tokens: 1_000, ...body, stream: way === "streamed" });
  expect(response.status).toBe(200);
  return way === "whole" ? ((await response.json()) as Json) : assembledMessage(await eventsOf(response));
}

async function completion(body: Json, way: Way): Promise<Json> {
  const stream = way === "streamed" ? { stream: true, stream_options: { include_usage: true } } : {};
  const response = await gateway.post("/chat/completions", { ...body, ...stream });
  expect(response.status).toBe(200);
  if (way === "streamed") return assembledCompletion(await eventsOf(response));
  const { choices, usage } = (await response.json()) as { readonly choices: readonly Json[]; readonly usage: Json };
  return { ...choices[0], usage };
}

const paths = (): readonly string[] => wire.seen.map(({ path }) => path);
const sent = (index = 0): Json => wire.seen[index]?.json as Json;
const BILLED = { input: 40, cached_input: 60, output: 20, reasoning: 30 };

async function billed(): Promise<Json> {
  const { terms } = await gateway.receipt();
  return Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]));
}

describe.each(ways)("%s", (way) => {
  it.each([
    ["a", "gpt-5.6-terra", ADAPTIVE, "high"],
    ["b", "gpt-5.6-terra", {}, undefined],
    ["c", "gpt-6-astra", ADAPTIVE, "high"],
    ["d", "gpt-5.4", ADAPTIVE, "high"],
    ["with thinking disabled where it cannot be", "gpt-6.1-sol", { thinking: { type: "disabled" } }, "low"],
  ])("a Messages client completes a task with a tool: %s, %s", async (_, model, request, effort) => {
    const first = await message({ model, messages: HI, tools: [TOOL], ...request }, way);
    const content = first["content"] as readonly Json[];
    expect(content).toEqual([
      { type: "thinking", thinking: "I look into the folder.", signature: expect.stringMatching(/^postern\.1\./) },
      { type: "tool_use", id: "call_1", name: "Bash", input: { command: "ls" } },
    ]);
    expect(first).toMatchObject({ stop_reason: "tool_use", usage: { input_tokens: 40, cache_read_input_tokens: 60 } });
    expect(sent()).toMatchObject({ model, store: false, max_output_tokens: 1_000 });
    expect((sent()["reasoning"] as Json)["effort"]).toBe(effort);
    expect(await billed()).toEqual(BILLED);

    const results = [{ type: "tool_result", tool_use_id: "call_1", content: "a.txt" }];
    const history = [...HI, { role: "assistant", content }, { role: "user", content: results }];
    const second = await message({ model, messages: history, tools: [TOOL], ...request }, way);
    expect(second).toMatchObject({ content: [{ type: "text", text: "There is one file." }], stop_reason: "end_turn" });
    expect((sent(1)["input"] as readonly Json[]).map(({ type }) => type)).toEqual([
      "message",
      "reasoning",
      "function_call",
      "function_call_output",
    ]);
    expect(paths()).toEqual(["/v1/responses", "/v1/responses"]);
  });

  it.each([
    ["e", "gpt-5.4", { reasoning_effort: "medium" }],
    ["f", "gpt-5.6-terra", {}],
    ["without thinking", "gpt-5.6-terra", { reasoning_effort: "none" }],
    ["of a model that is known to OpenAI's list alone", "gpt-6.9-mars", { reasoning_effort: "low" }],
    ["of a model on Responses alone", "gpt-5.3-codex", {}],
  ])("a chat client completes a task with a tool: %s, %s", async (_, model, request) => {
    const first = await completion({ model, messages: HI, tools: [FUNCTION], ...request }, way);
    expect(first).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        reasoning_content: "I look into the folder.",
        reasoning_details: [
          { type: "reasoning.summary", summary: "I look into the folder.", format: "openai-responses-v1", index: 0 },
          { type: "reasoning.encrypted", data: ENCRYPTED, format: "openai-responses-v1", index: 0 },
        ],
        tool_calls: [{ id: "call_1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } }],
      },
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
    });
    expect(await billed()).toEqual(BILLED);

    const history = [...HI, first["message"], { role: "tool", tool_call_id: "call_1", content: "a.txt" }];
    const second = await completion({ model, messages: history, tools: [FUNCTION], ...request }, way);
    expect(second).toMatchObject({ message: { content: "There is one file." }, finish_reason: "stop" });
    expect(paths()).toEqual(["/v1/responses", "/v1/responses"]);
  });
});

describe("what stays on chat completions", () => {
  it.each([
    ["no tools", { model: "gpt-5.6-terra" }],
    ["a model that takes them", { model: "gpt-5.2", tools: [FUNCTION], reasoning_effort: "high" }],
    ["gpt-5.4, which does not reason by itself", { model: "gpt-5.4", tools: [FUNCTION] }],
    ["gpt-5.4 that is told not to reason", { model: "gpt-5.4", tools: [FUNCTION], reasoning_effort: "none" }],
  ])("%s, byte for byte", async (_, request) => {
    const body = { ...request, messages: HI };
    expect((await gateway.post("/chat/completions", body)).status).toBe(200);
    expect(paths()).toEqual(["/v1/chat/completions"]);
    expect(wire.seen[0]?.body.toString()).toBe(JSON.stringify(body));
  });

  it("h: a model that cannot but think is not ordered not to", async () => {
    await message({ model: "gpt-6.1-sol", messages: HI, thinking: { type: "disabled" } }, "whole");
    expect(paths()).toEqual(["/v1/chat/completions"]);
    expect(sent()["reasoning_effort"]).toBe("low");
  });
});

it("a model on Responses alone is asked there without tools too", async () => {
  const answer = await completion({ model: "gpt-5.5-pro", messages: HI, max_completion_tokens: 5 }, "whole");
  expect(answer).toMatchObject({ message: { content: "There is one file." } });
  expect(sent()).toMatchObject({ max_output_tokens: 16 });
});

it("several responses are asked for one by one, and billed together", async () => {
  const body = { model: "gpt-5.6-terra", messages: HI, tools: [FUNCTION], n: 2 };
  const { choices } = (await (await gateway.chat(body)).json()) as { readonly choices: readonly Json[] };
  expect(choices.map(({ index }) => index)).toEqual([0, 1]);
  expect(paths()).toEqual(["/v1/responses", "/v1/responses"]);
  expect(await billed()).toEqual({ input: 80, cached_input: 120, output: 40, reasoning: 60 });
});

it("both SDKs put the stream together", async () => {
  const anthropic = new Anthropic({ apiKey: KEY, baseURL: gateway.url, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "List the files." }];
  const tools = [{ ...TOOL, input_schema: { ...SCHEMA, type: "object" as const } }];
  const request = { model: "gpt-6-astra", max_tokens: 1_000, messages, tools };
  const { content, stop_reason } = await anthropic.messages.stream(request).finalMessage();
  expect(content.map(({ type }) => type)).toEqual(["thinking", "tool_use"]);
  expect(stop_reason).toBe("tool_use");

  const { chat } = gateway.sdk();
  const declared = [{ ...FUNCTION, type: "function" as const }];
  const reported = await chat.completions.stream({ model: "gpt-6-astra", messages, tools: declared }).finalMessage();
  expect(reported.tool_calls).toMatchObject([
    { id: "call_1", function: { name: "Bash", arguments: '{"command":"ls"}' } },
  ]);
});

it("g: a Responses client's request goes out as it is", async () => {
  const tools = [{ type: "function", name: "Bash", parameters: SCHEMA, strict: false }];
  const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: "x" }] }];
  const body = { model: "gpt-5.6-terra", input, tools, store: false, reasoning: { effort: "high" } };
  const response = (await (await gateway.post("/responses", body)).json()) as Json;
  expect((response["output"] as readonly Json[]).map(({ type }) => type)).toEqual(["reasoning", "function_call"]);
  expect(wire.seen[0]?.body.toString()).toBe(JSON.stringify(body));
});

it.each(ways)("an organisation that may not have summaries does without them, %s", async (way) => {
  const model = "gpt-5.5";
  const ask = (): Promise<Json> => message({ model, messages: HI, tools: [TOOL], ...ADAPTIVE }, way);
  refuseSummaries(wire);
  expect(await ask()).toMatchObject({ stop_reason: "tool_use" });
  await ask();
  const requests = wire.seen.map(({ json }) => (json as Json)["reasoning"]);
  const without = { effort: "high" };
  expect(requests.slice(-2)).toEqual([without, without]);
  // What was learned holds for the next call too.
  if (way === "whole") expect(requests[0]).toEqual({ effort: "high", summary: "auto" });
  expect(requests).toHaveLength(way === "whole" ? 3 : 2);
});

it("reasoning that another organisation's key encrypted is left out, so that the task goes on", async () => {
  refuseReasoning(wire);
  const details = [{ type: "reasoning.encrypted", data: "other", format: "openai-responses-v1", index: 0 }];
  const call = { id: "call_1", type: "function", function: { name: "Bash", arguments: "{}" } };
  const assistant = { role: "assistant", content: null, reasoning_details: details, tool_calls: [call] };
  const messages = [...HI, assistant, { role: "tool", tool_call_id: "call_1", content: "a.txt" }];
  const reported = await completion({ model: "gpt-5.6-terra", messages, tools: [FUNCTION] }, "whole");
  expect(reported).toMatchObject({ message: { content: "There is one file." } });
  const types = wire.seen.map(({ json }) => ((json as Json)["input"] as readonly Json[]).map(({ type }) => type));
  expect(types).toEqual([
    ["message", "reasoning", "function_call", "function_call_output"],
    ["message", "function_call", "function_call_output"],
  ]);
  expect(await gateway.receipt()).toMatchObject({ outcome: "completed", attempts: 2 });
});

describe("errors", () => {
  const body = { model: "gpt-5.6-terra", messages: HI, tools: [FUNCTION] };

  it("a response that failed is an error, whole and in the middle of a stream", async () => {
    const error = { code: "invalid_prompt", message: "The prompt was flagged." };
    const failed = { id: "resp_1", object: "response", status: "failed", error, output: [] };
    wire.on("POST /v1/responses", reply(200, failed));
    const whole = await gateway.chat(body);
    expect(whole.status).toBeGreaterThanOrEqual(400);
    expect(await whole.text()).toContain("The prompt was flagged.");

    const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "So" };
    const events = [delta, { type: "response.failed", response: failed }];
    wire.on("POST /v1/responses", replyEvents(...events.map((event) => `data: ${JSON.stringify(event)}\n\n`)));
    const text = await (await gateway.chat({ ...body, stream: true })).text();
    expect(text).toContain('"content":"So"');
    expect(text).toContain("The prompt was flagged.");
    expect(text).not.toContain('finish_reason":"stop');
  });

  it("a stream that breaks off is no complete response", async () => {
    const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "So" };
    wire.on("POST /v1/responses", replyEvents(`data: ${JSON.stringify(delta)}\n\n`));
    const text = await (await gateway.chat({ ...body, stream: true })).text();
    expect(text).toContain('"error"');
    expect(await gateway.receipt()).toMatchObject({ outcome: "interrupted", estimated: true });
  });
});
