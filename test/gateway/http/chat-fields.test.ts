import { beforeEach, describe, expect, it } from "vitest";
import { CHAT, KEY, errorOf } from "../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider, env: { POSTERN_COMPATIBLE_BASE_URL: "http://127.0.0.1:1" } }));
beforeEach(() => provider.reset());

/** Values that are wrong for every kind of field, by what the field wants. */
const text = [5, true, [], {}];
const flag = ["true", 1, [], {}];
const object = ["text", 5, true];
const list = ["text", 5, true, {}];
const number = (least: number, most: number): unknown[] => ["1", true, [], {}, least - 0.01, most + 0.01];
const whole = (least: number, most: number): unknown[] => ["1", true, [], {}, least - 1, most + 1, least + 0.5];
const user = { role: "user", content: "x" };

/** Field, wrong values, and the field that the error has to name where it is another one. */
const FIELDS: readonly (readonly [string, readonly unknown[]])[] = [
  ["model", [undefined, null, 5, "", [], {}]],
  ["messages", [undefined, null, "text", 5, {}, []]],
  ["messages[0]", ["text", 5, null, []]],
  ["messages[0].role", [undefined, null, "robot", 5]],
  ["messages[0].content", [undefined, null, 5, true, {}]],
  ["messages[0].content[0]", ["text", 5, null]],
  ["messages[0].content[0].type", [undefined, null, 5]],
  ["stream", flag],
  ["temperature", number(0, 2)],
  ["top_p", number(0, 1)],
  ["max_tokens", whole(1, 1e16)],
  ["max_completion_tokens", whole(1, 1e16)],
  ["n", whole(1, 128)],
  ["seed", ["1", true, [], {}, 0.5]],
  ["frequency_penalty", number(-2, 2)],
  ["presence_penalty", number(-2, 2)],
  ["logit_bias", ["text", 5, []]],
  ["logit_bias.50256", ["1", 101, -101, true]],
  ["logprobs", flag],
  ["top_logprobs", whole(0, 20)],
  ["stop", [5, true, {}]],
  ["tools", list],
  ["tools[0]", ["text", 5, null]],
  ["tools[0].type", [undefined, 5]],
  ["tools[0].function.name", [undefined, 5, ""]],
  ["tool_choice", [5, true, []]],
  ["parallel_tool_calls", flag],
  ["response_format", object],
  ["response_format.type", [undefined, 5]],
  ["reasoning_effort", text],
  ["verbosity", ["extreme", 5, true]],
  ["modalities", list],
  ["audio", object],
  ["prediction", object],
  ["stream_options", object],
  ["stream_options.include_usage", flag],
  ["store", flag],
  ["metadata", object],
  ["user", text],
  ["prompt_cache_key", text],
];

/** A good body with one value put in, at a path as the errors name it. */
function bodyWith(path: string, value: unknown): Record<string, unknown> {
  const body: Record<string, unknown> = structuredClone({ ...CHAT, messages: [user] });
  if (path.startsWith("messages[0].content[0]"))
    body["messages"] = [{ role: "user", content: [{ type: "text", text: "x" }] }];
  if (path.startsWith("tools[0]")) body["tools"] = [{ type: "function", function: { name: "f" } }];
  if (path.startsWith("logit_bias.")) body["logit_bias"] = {};
  if (path.startsWith("response_format.")) body["response_format"] = {};
  if (path.startsWith("stream_options")) Object.assign(body, { stream: true, stream_options: {} });
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  let target: Record<string, unknown> = body;
  for (const name of names.slice(0, -1)) target = target[name] as Record<string, unknown>;
  target[names.at(-1) ?? ""] = value;
  return body;
}

describe.each(FIELDS)("%s", (path, values) => {
  it.each(values.map((value) => [JSON.stringify(value) ?? "nothing", value]))(
    "%s is refused by name, and the provider is not called",
    async (_shown, value) => {
      const response = await postern.chat(bodyWith(path, value));
      expect(response.status).toBe(400);
      const error = await errorOf(response);
      expect(error.type).toBe("invalid_request_error");
      expect(error.param).toBe(path);
      expect(error.message).toContain(path.split(".").at(-1)?.replace(/^.*\[/, "[") ?? "");
      expect(error.message.length).toBeLessThan(500);
      expect(provider.chats).toHaveLength(0);
    },
  );
});

it("takes null for every field that may be left out", async () => {
  const body: Record<string, unknown> = { ...CHAT };
  for (const [path] of FIELDS) if (!/[.[]/.test(path) && !(path in CHAT)) body[path] = null;
  expect((await postern.chat(body)).status).toBe(200);
});

it("takes the bounds themselves", async () => {
  for (const extra of [
    {
      temperature: 0,
      top_p: 0,
      frequency_penalty: -2,
      presence_penalty: -2,
      n: 1,
      max_tokens: 1,
      logit_bias: { "1": -100 },
    },
    {
      temperature: 2,
      top_p: 1,
      frequency_penalty: 2,
      presence_penalty: 2,
      n: 128,
      logprobs: true,
      top_logprobs: 20,
      logit_bias: { "1": 100 },
      stop: "x",
    },
  ]) {
    expect((await postern.chat({ ...CHAT, ...extra })).status).toBe(200);
  }
});

it.each([
  ["stream_options without stream", { stream_options: { include_usage: true } }, "stream_options"],
  ["top_logprobs without logprobs", { top_logprobs: 3 }, "top_logprobs"],
  ["audio without its modality", { audio: { voice: "alloy", format: "mp3" } }, "audio"],
  ["an effort that the model does not have", { model: "o3", reasoning_effort: "none" }, "reasoning_effort"],
])("%s is refused", async (_name, extra, param) => {
  const response = await postern.chat({ ...CHAT, ...extra });
  expect(response.status).toBe(400);
  expect((await errorOf(response)).param).toBe(param);
});

it("a model that does not exist is 404, whatever its name", async () => {
  for (const model of [
    "none",
    "none/none",
    "/",
    "OpenAI/",
    "x".repeat(100_000),
    "\u0000",
    "../../etc/passwd",
    "gpt-4.1\n",
  ]) {
    const response = await postern.chat({ ...CHAT, model });
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "model_not_found", param: "model", type: "invalid_request_error" });
    expect(error.message.length).toBeLessThan(500);
  }
  expect(provider.chats).toHaveLength(0);
});

it("a provider that is down is 503 with its address, and costs nothing", async () => {
  const response = await postern.chat({ ...CHAT, model: "compatible/some-model" }, KEY);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  const error = await errorOf(response);
  expect(error).toMatchObject({ type: "upstream_error", code: "no_upstream" });
  expect(error.message).toContain("http://127.0.0.1:1");
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 503, nano: 0 });
});
