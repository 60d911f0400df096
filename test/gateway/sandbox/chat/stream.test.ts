import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { requests, dataOf, useSandbox } from "../running-sandbox.ts";

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

describe("a streamed chat completion from the sandbox", () => {
  const running = useSandbox();
  const frames = async (more: object): Promise<string[]> => {
    const body = { model: "plain-model", messages: requests("Say hello"), stream: true, ...more };
    const response = await running.send("/v1/chat/completions", body);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    return dataOf(await response.text());
  };
  const chunks = async (more: object): Promise<Chunk[]> =>
    (await frames(more)).slice(0, -1).map((data) => JSON.parse(data) as Chunk);

  it("begins with the role, ends with the finish reason and [DONE], and has no usage when none was asked for", async () => {
    const data = await frames({});
    expect(data.at(-1)).toBe("[DONE]");
    const parsed = data.slice(0, -1).map((frame) => JSON.parse(frame) as Chunk);
    expect(parsed[0]?.choices).toEqual([
      { index: 0, delta: { role: "assistant", content: "", refusal: null }, logprobs: null, finish_reason: null },
    ]);
    expect(parsed.at(-1)?.choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }]);
    expect(parsed.every((chunk) => chunk.object === "chat.completion.chunk" && !("usage" in chunk))).toBe(true);
    expect(new Set(parsed.map((chunk) => chunk.id)).size).toBe(1);
    expect(parsed.length).toBeGreaterThan(10);
  });

  it("adds the usage in a chunk of its own, and null in the others, when it was asked for", async () => {
    const parsed = await chunks({ stream_options: { include_usage: true } });
    const last = parsed.pop();
    expect(last?.choices).toEqual([]);
    const usage = last?.usage;
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? NaN) + (usage?.completion_tokens ?? NaN));
    expect(parsed.every((chunk) => chunk.usage === null && chunk.choices.length === 1)).toBe(true);
  });

  it("says the same as the response that is not streamed, in whole characters", async () => {
    const messages = requests("Grüße an 👨‍👩‍👧‍👦 und 中文");
    const parsed = await chunks({ messages });
    const pieces = parsed.map((chunk) => chunk.choices[0]?.delta.content ?? "");
    const whole = await running.client.chat.completions.create({ model: "plain-model", messages });
    expect(pieces.join("")).toBe(whole.choices[0]?.message.content);
    expect(pieces.filter((piece) => piece.includes("👨"))).toEqual([" 👨‍👩‍👧‍👦"]);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(13);
  });

  it("lets n choices take turns, each with its own role and end", async () => {
    const parsed = await chunks({ n: 2, stream_options: { include_usage: true } });
    const of = (index: number): Chunk["choices"] =>
      parsed.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === index);
    for (const choices of [of(0), of(1)]) {
      expect(choices[0]?.delta.role).toBe("assistant");
      expect(choices.at(-1)?.finish_reason).toBe("stop");
    }
    expect(parsed[0]?.choices[0]?.index).toBe(0);
    expect(parsed[1]?.choices[0]?.index).toBe(1);
  });

  it("carries the log probabilities of each piece", async () => {
    const parsed = await chunks({ logprobs: true, top_logprobs: 1 });
    const spoken = parsed.filter((chunk) => chunk.choices[0]?.delta.content);
    for (const chunk of spoken) {
      expect(chunk.choices[0]?.logprobs?.content?.[0]?.token).toBe(chunk.choices[0]?.delta.content);
    }
  });

  it("ends with length at the token limit", async () => {
    const parsed = await chunks({ max_tokens: 3 });
    expect(parsed).toHaveLength(1 + 3 + 1);
    expect(parsed.at(-1)?.choices[0]?.finish_reason).toBe("length");
  });

  it("counts, a number a frame", async () => {
    const parsed = await chunks({ messages: requests("count to 30") });
    const text = parsed.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(text).toContain(Array.from({ length: 30 }, (_, index) => index + 1).join(" "));
    expect(parsed.some((chunk) => chunk.choices[0]?.delta.content === " 17")).toBe(true);
  });

  it("does not make a long response faster than it is read", async () => {
    const body = { model: "plain-model", messages: requests("count to 10000"), n: 128, stream: true };
    const response = await running.send("/v1/chat/completions", body);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
    expect(
      (await running.send("/v1/chat/completions", { model: "plain-model", messages: requests("hi") })).status,
    ).toBe(200);
  });
});
