import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { requests, dataOf, useSandbox } from "../running-sandbox.ts";

type Parameters = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

describe("a chat completion from the sandbox", () => {
  const running = useSandbox();
  const complete = async (
    messages: Parameters["messages"],
    more: Partial<Parameters> = {},
  ): Promise<OpenAI.Chat.Completions.ChatCompletion> =>
    running.client.chat.completions.create({ model: "plain-model", messages, ...more });

  it("has OpenAI's shape, says who speaks and repeats what was asked", async () => {
    const { data: response, request_id: requestId } = await running.client.chat.completions
      .create({ model: "plain-model", messages: requests("Say hello") })
      .withResponse();
    expect(response).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[\da-f]{29}$/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "plain-model",
      service_tier: "default",
      system_fingerprint: expect.stringMatching(/^fp_[\da-f]{10}$/),
      choices: [{ index: 0, finish_reason: "stop", logprobs: null, message: { role: "assistant", refusal: null } }],
    });
    expect(response.choices[0]?.message.content).toMatch(/sandbox/i);
    expect(response.choices[0]?.message.content).toContain("“Say hello”");
    expect(requestId).toMatch(/^req_/);
  });

  it("gives the same bytes to the same request, streamed or not, and other ids to another", async () => {
    const bytes = async (more: object): Promise<string> =>
      (await running.send("/v1/chat/completions", { model: "plain-model", messages: requests("hi"), ...more })).text();
    for (const more of [{}, { stream: true, stream_options: { include_usage: true } }, { n: 3, logprobs: true }]) {
      expect(await bytes(more)).toBe(await bytes(more));
    }
    const idOf = (response: string): unknown => JSON.parse(dataOf(response)[0] ?? "").id;
    expect(idOf(await bytes({ user: "a" }))).not.toBe(idOf(await bytes({ user: "b" })));
  });

  it("varies with the seed", async () => {
    const texts = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (seed) => (await complete(requests("hi"), { seed })).choices[0]?.message.content),
    );
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  it("makes n different choices and counts all of them", async () => {
    const one = await complete(requests("hi"));
    const many = await complete(requests("hi"), { n: 5 });
    expect(many.choices.map((choice) => choice.index)).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(many.choices.map((choice) => choice.message.content)).size).toBe(5);
    expect(many.usage?.prompt_tokens).toBe(one.usage?.prompt_tokens);
    expect(many.usage?.completion_tokens).toBeGreaterThan(4 * (one.usage?.completion_tokens ?? 0));
  });

  it.each([
    ["one text", "Zebra"],
    ["the first of several", ["provider that", "Zebra", "never there"]],
    ["an empty text beside", ["", "Zebra"]],
  ])("ends before a stop sequence: %s", async (_case, stop) => {
    const { choices } = await complete(requests("Alpha Zebra Omega"), { stop });
    expect(choices[0]?.message.content).toMatch(/“Alpha $/);
    expect(choices[0]?.finish_reason).toBe("stop");
  });

  it.each(["max_tokens", "max_completion_tokens"])("ends after %s tokens with length", async (field) => {
    const whole = await complete(requests("Tell me everything"));
    const cut = await complete(requests("Tell me everything"), { [field]: 7 });
    expect(cut.choices[0]?.finish_reason).toBe("length");
    expect(cut.usage?.completion_tokens).toBe(7);
    const [long, short] = [whole, cut].map((response) => response.choices[0]?.message.content ?? "");
    expect(long?.startsWith(short ?? "?")).toBe(true);
    const enough = await complete(requests("Tell me everything"), { [field]: whole.usage?.completion_tokens });
    expect(enough.choices[0]?.finish_reason).toBe("stop");
  });

  it("adds up its usage", async () => {
    const { usage } = await complete([{ role: "system", content: "Be brief." }, ...requests("Hello there")]);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
    expect(usage?.prompt_tokens).toBe(3 + (3 + 3) + (3 + 2));
  });

  it("names log probabilities that match the text, the likeliest first", async () => {
    const { choices } = await complete(requests("Grüße 👋"), { logprobs: true, top_logprobs: 3 });
    const tokens = choices[0]?.logprobs?.content ?? [];
    expect(tokens.map((token) => token.token).join("")).toBe(choices[0]?.message.content);
    for (const token of tokens) {
      expect(Buffer.from(token.bytes ?? []).toString()).toBe(token.token);
      expect(token.top_logprobs).toHaveLength(3);
      expect(token.top_logprobs[0]?.token).toBe(token.token);
      const falling = token.top_logprobs.map((entry) => entry.logprob);
      expect(falling).toEqual(falling.toSorted((a, b) => b - a));
      expect(token.logprob).toBeLessThanOrEqual(0);
    }
    const without = await complete(requests("hi"), { logprobs: true });
    expect(without.choices[0]?.logprobs?.content?.[0]?.top_logprobs).toEqual([]);
  });

  it("answers with an instance of the schema when given one", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, population: { type: "integer", minimum: 1_000 } },
      required: ["city", "population"],
      additionalProperties: false,
    };
    const { choices } = await complete(requests("A city"), {
      response_format: { type: "json_schema", json_schema: { name: "city", strict: true, schema } },
    });
    expect(JSON.parse(choices[0]?.message.content ?? "")).toEqual({ city: "sandbox city", population: 1_000 });
  });

  it("acknowledges what is attached", async () => {
    const { choices, usage } = await complete([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
          { type: "image_url", image_url: { url: "https://example.com/cat.png" } },
          { type: "input_audio", input_audio: { data: "AAAAAA==", format: "wav" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAA=" } },
        ],
      },
    ]);
    const text = choices[0]?.message.content;
    expect(text).toContain("an image (image/png, 3 bytes), an image (https://example.com/cat.png)");
    expect(text).toContain("an audio clip (wav, 4 bytes) and a file (a.pdf, 2 bytes)");
    expect(usage?.prompt_tokens).toBeGreaterThan(85 + 765);
  });

  it.each([
    ["video_url", { video_url: { url: "https://example.com/a.mp4" } }, "a video (https://example.com/a.mp4)"],
    ["audio_url", { audio_url: { url: "https://example.com/a.mp3" } }, "an audio clip (https://example.com/a.mp3)"],
    ["hologram", { hologram: {} }, "a content block of type hologram"],
  ])("acknowledges a block of type %s", async (type, detail, description) => {
    const body = { model: "plain-model", messages: [{ role: "user", content: [{ type, ...detail }] }] };
    const response = await running.send("/v1/chat/completions", body);
    expect(await response.text()).toContain(description);
  });

  it("reports a long prompt as cached only where it must have been sent before", async () => {
    const long = "word ".repeat(2_000);
    const cached = async (messages: Parameters["messages"], more: Partial<Parameters> = {}): Promise<number> =>
      (await complete(messages, more)).usage?.prompt_tokens_details?.cached_tokens ?? NaN;
    const system = { role: "system" as const, content: long };
    const reply = { role: "assistant" as const, content: "Yes." };
    expect(await cached([system, ...requests("first")])).toBe(0);
    expect(await cached([system, ...requests("first"), reply, ...requests("second")])).toBe(1_920);
    expect(await cached([system, ...requests("first")], { prompt_cache_key: "k" })).toBe(1_920);
    expect(await cached(requests("short"), { prompt_cache_key: "k" })).toBe(0);
  });

  it("refuses a prompt beyond the model's context", async () => {
    const refused = complete(requests("word ".repeat(60_000)));
    await expect(refused).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
  });
});
