import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatTool } from "../../../../gateway/mcp/tools/chat.ts";
import type { Tool } from "../../../../gateway/mcp/tool/tool.ts";
import { respond, completion, failure, stream } from "../../../support/acts.ts";
import { PIXEL, PIXEL_BASE64 } from "../../../support/image-acts.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { useProvider } from "../../../support/use-gateway.ts";
import { imagePart, modelTurn, systemTurn, textBlock, userTurn } from "../../codecs/support/blocks.ts";

const POOR = "sk-test-poor-key-of-00002";
const HELLO = { model: "gpt-4.1", prompt: "Say hello." };
/** 10 tokens in at $2 and 5 out at $8 a million. */
const COST = 0.000_06;

const provider = useProvider();
let stage: ToolStage;
let chat: Tool;
beforeAll(async () => {
  stage = await toolStage({
    provider,
    keys: [{ key: POOR, name: "poor", limit_usd: 0.000_001 }],
  });
  chat = chatTool(stage.deps);
});
beforeEach(() => {
  provider.reset();
  provider.usual = (exchange) =>
    (JSON.parse(exchange.seen.body.toString("utf8")) as { stream?: boolean }).stream === true
      ? stream()(exchange)
      : completion()(exchange);
});
afterAll(() => stage.close());

describe("a response", () => {
  it("comes as text with its tokens and its cost", async () => {
    const { response: reported, receipt, requestId } = await stage.response(chat, HELLO);
    expect(reported.structured).toEqual({
      text: "Hello from the provider.",
      model: "gpt-4.1",
      finish_reason: "stop",
      refusal: null,
      usage: { input_tokens: 10, output_tokens: 5, estimated: false },
      cost_usd: COST,
      request_id: requestId,
      sandbox: false,
    });
    expect(reported.content).toEqual([textBlock("Hello from the provider."), textBlock("Cost: $0.000060 (gpt-4.1).")]);
    expect(receipt).toMatchObject({ id: requestId, endpoint: "chat", outcome: "completed", stream: false });
    expect(provider.lastBody).toEqual({ model: "gpt-4.1", messages: [userTurn("Say hello.")] });
  });

  it("is asked for with every argument under the name that it has at /v1", async () => {
    const settings = {
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      stop: ["END"],
      seed: 7,
      response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" }, strict: true } },
    };
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };
    const messages = [userTurn("Hello"), modelTurn("Hello!"), userTurn([textBlock("What is this?"), picture])];
    await stage.response(chat, { model: "gpt-4.1", messages, system: "Be brief.", ...settings });
    expect(provider.lastBody).toEqual({
      model: "gpt-4.1",
      messages: [systemTurn("Be brief."), ...messages],
      ...settings,
    });
  });

  it("tells thinking, cached tokens and a refusal apart from its text", async () => {
    const message = { role: "assistant", content: null, refusal: "I will not.", reasoning_content: "Should I?" };
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 8,
      total_tokens: 18,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 6 },
    };
    provider.next(respond(200, JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], usage })));
    const { response: reported } = await stage.response(chat, HELLO);
    expect(reported.structured).toMatchObject({
      text: "",
      refusal: "I will not.",
      reasoning: "Should I?",
      usage: { input_tokens: 10, output_tokens: 8, cached_tokens: 4, reasoning_tokens: 6 },
    });
    expect(reported.content[0]).toEqual(textBlock("The model refused: I will not."));
  });

  it("without any text says why and what to do", async () => {
    const choices = [{ index: 0, message: modelTurn(""), finish_reason: "length" }];
    provider.next(respond(200, JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1 } })));
    const { response: reported } = await stage.response(chat, { ...HELLO, max_tokens: 1 });
    expect(reported.content[0]).toMatchObject({ text: expect.stringContaining("Raise max_tokens") as string });
    expect(reported.structured).toMatchObject({ text: "", finish_reason: "length" });
  });

  it("whose provider counted nothing has figures of Postern's own", async () => {
    provider.next(completion("Four words of text.", null));
    const { response: reported } = await stage.response(chat, HELLO);
    expect(reported.structured).toMatchObject({ usage: { estimated: true } });
    expect((reported.structured as { usage: { output_tokens: number } }).usage.output_tokens).toBeGreaterThan(0);
  });
});

describe("a picture of the library", () => {
  const seen = (url: string) => ({
    model: "gpt-4.1",
    messages: [userTurn([textBlock("What is this?"), imagePart(url)])],
  });

  async function saved(): Promise<string> {
    const id = await stage.services.media.keep(
      { kind: "bytes", bytes: PIXEL },
      {
        requestId: "req_1",
        keyId: stage.key().record.id,
        endpoint: "images",
        model: "gpt-image-1",
        provider: "openai",
        prompt: "A fox.",
        parameters: {},
        seed: null,
        nano: 0,
        sandbox: false,
      },
    );
    return `postern://media/${id}`;
  }

  it("goes to the provider as itself", async () => {
    await stage.response(chat, seen(await saved()));
    expect(provider.lastBody).toEqual(seen(`data:image/png;base64,${PIXEL_BASE64}`));
  });

  it("is not there for another key", async () => {
    const { error } = await stage.call(chat, seen(await saved()), { key: POOR });
    expect(error?.code).toBe("not_found");
    expect(provider.chats).toEqual([]);
  });
});

describe("arguments", () => {
  it("need exactly one of prompt and messages", async () => {
    const both = await stage.call(chat, { ...HELLO, messages: [userTurn("x")] });
    expect(both.error).toMatchObject({ code: "invalid_value", details: { param: "prompt" } });
    const none = await stage.call(chat, { model: "gpt-4.1" });
    expect(none.error).toMatchObject({ code: "missing_required_parameter", details: { param: "prompt" } });
    expect(provider.chats).toEqual([]);
  });

  it.each([
    ["temperature", { temperature: 3 }, "invalid_value"],
    ["max_tokens", { max_tokens: 0 }, "invalid_value"],
    ["seed", { seed: 1.5 }, "invalid_value"],
    ["tools", { tools: [] }, "unsupported_parameter"],
    ["reasoning_effort", { model: "gpt-5", reasoning_effort: "huge" }, "unsupported_value"],
    ["messages", { prompt: undefined, messages: [], system: "Be brief." }, "invalid_value"],
  ])("that are wrong are refused by name: %s", async (param, args, code) => {
    for (const progress of [false, true]) {
      const { error } = await stage.call(chat, { ...HELLO, ...args }, { progress });
      expect(error).toMatchObject({ code, details: { param } });
    }
    expect(provider.chats).toEqual([]);
  });
});

it.each([false, true])("the provider's own error is reported with the same code, progress: %s", async (progress) => {
  provider.usual = failure(400, { message: "no such thing", type: "invalid_request_error", code: "odd" });
  const { error, receipt } = await stage.call(chat, HELLO, { progress });
  expect(error).toMatchObject({ code: "invalid_value", status: 400, details: { provider: { code: "odd" } } });
  expect(receipt).toMatchObject({ outcome: "failed", nano: 0 });
});

describe("the offline sandbox", () => {
  let offline: ToolStage;
  beforeAll(async () => {
    offline = await toolStage({ env: { POSTERN_SANDBOX: "on" } });
  });
  afterAll(() => offline.close());

  it.each(["gpt-5", "claude-opus-5", "gemini-2.5-pro"])("answers for %s, and the result says so", async (model) => {
    const request = { model, prompt: "Say hello.", max_tokens: 2_000, reasoning_effort: "low" };
    const whole = await offline.response(chatTool(offline.deps), request);
    const streamed = await offline.response(chatTool(offline.deps), request, { progress: true });
    const { text, usage, sandbox } = whole.response.structured as { text: string; usage: unknown; sandbox: boolean };
    expect(text).not.toBe("");
    expect(sandbox).toBe(true);
    expect(streamed.response.structured).toMatchObject({ text, usage, model, finish_reason: "stop" });
    expect(whole.response.content.at(-1)).toMatchObject({ text: expect.stringContaining("offline sandbox") as string });
  });

  it("breaks off where it is ordered to, in a stream and whole", async () => {
    const request = { model: "claude-opus-5", prompt: "sandbox:cut", max_tokens: 500 };
    for (const progress of [false, true]) {
      const { error } = await offline.call(chatTool(offline.deps), request, { progress });
      expect(error?.code).toBe("upstream_error");
    }
  });
});
