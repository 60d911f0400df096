import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { requests, dataOf, useSandbox } from "../running-sandbox.ts";

type Completion = OpenAI.Chat.Completions.ChatCompletion;

interface HttpResponse {
  readonly content: string | null | undefined;
  readonly thought: string | undefined;
  readonly finish: string | undefined;
  readonly logprobs: unknown;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

function readResponse({ choices, usage }: Completion): HttpResponse {
  const message = choices[0]?.message as { content: string | null; reasoning_content?: string } | undefined;
  return {
    content: message?.content,
    thought: message?.reasoning_content,
    finish: choices[0]?.finish_reason,
    logprobs: choices[0]?.logprobs,
    completionTokens: usage?.completion_tokens ?? NaN,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens ?? NaN,
  };
}

describe("a reasoning model of the sandbox", () => {
  const running = useSandbox();
  const send = async (more: object): Promise<Response> =>
    running.send("/v1/chat/completions", { model: "thinking-model", messages: requests("hi"), ...more });
  const complete = async (more: object): Promise<HttpResponse> =>
    readResponse((await (await send(more)).json()) as Completion);

  it("spends a small budget on reasoning alone", async () => {
    expect(await complete({ max_completion_tokens: 16 })).toMatchObject({
      content: "",
      finish: "length",
      completionTokens: 16,
      reasoningTokens: 16,
    });
  });

  it("reasons and answers when the budget allows it", async () => {
    const response = await complete({ max_completion_tokens: 2_000 });
    expect(response.finish).toBe("stop");
    expect(response.content).toContain("sandbox");
    expect(response.thought).toContain("sandbox");
    expect(response.reasoningTokens).toBeGreaterThan(0);
    expect(response.completionTokens).toBeGreaterThan(response.reasoningTokens);
  });

  it("reasons more with more effort and not at all with none", async () => {
    const reasoned = async (effort: string): Promise<number> =>
      (await complete({ reasoning_effort: effort })).reasoningTokens;
    expect(await reasoned("none")).toBe(0);
    expect(await reasoned("low")).toBeLessThan(await reasoned("medium"));
    expect(await reasoned("medium")).toBeLessThan(await reasoned("high"));
  });

  it("ignores sampling parameters, right or wrong", async () => {
    const wrong = { temperature: 9, top_p: 7, top_logprobs: 99, presence_penalty: 8 };
    const response = await complete({ ...wrong, stop: ["sandbox"], logprobs: true });
    expect(response.content).toContain("sandbox");
    expect(response.logprobs).toBeNull();
  });

  it("streams its reasoning before its response", async () => {
    const body = {
      model: "thinking-model",
      messages: requests("hi"),
      stream: true,
      stream_options: { include_usage: true },
    };
    const stream = await (await running.send("/v1/chat/completions", body)).text();
    const chunks = dataOf(stream)
      .slice(0, -1)
      .map((data) => JSON.parse(data) as OpenAI.Chat.Completions.ChatCompletionChunk);
    const keys = chunks.map((chunk) => Object.keys(chunk.choices[0]?.delta ?? {})[0]);
    expect(keys.lastIndexOf("reasoning_content")).toBeLessThan(keys.indexOf("content"));
    expect(keys.indexOf("reasoning_content")).toBe(1);
    expect(chunks.at(-1)?.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
  });

  it.each([
    ["thinking-model", { thinking: { type: "disabled" } }, false],
    ["thinking-model", { enable_thinking: false }, false],
    ["thinking-model", { enable_thinking: true }, true],
    ["claude-model", {}, false],
    ["claude-model", { thinking: { type: "enabled", budget_tokens: 1_024 } }, true],
    ["claude-model", { reasoning_effort: "low" }, true],
  ])("%s with %j thinks: %s", async (model, more, thinks) => {
    expect((await complete({ model, ...more })).reasoningTokens > 0).toBe(thinks);
  });

  it("is not what other models are", async () => {
    const response = await complete({ model: "plain-model", reasoning_effort: "high" });
    expect(response.thought).toBeUndefined();
    expect(response.reasoningTokens).toBe(0);
  });
});
