import { describe, expect, it } from "vitest";
import { requests, useMessages } from "./running.ts";

const running = useMessages();
const BASIC = { model: "claude-model", max_tokens: 1_000 };
const WEATHER = {
  name: "get_weather",
  description: "",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
}
const textOf = (message: { content: readonly Block[] }): string =>
  message.content.map((block) => block.text ?? "").join("");
const callsOf = (message: { content: readonly Block[] }): readonly (string | undefined)[] =>
  message.content.filter((block) => block.type === "tool_use").map((block) => block.name);

describe("a response", () => {
  it("reaches the SDK, and the one before 1.0", async () => {
    const request = { ...BASIC, messages: requests("Good morning.") };
    for (const message of [
      await running.client.messages.create(request),
      await running.before1.messages.create(request),
    ]) {
      expect(message).toMatchObject({
        type: "message",
        role: "assistant",
        model: "claude-model",
        stop_reason: "end_turn",
        stop_sequence: null,
        usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      });
      expect(message.id).toMatch(/^msg_/);
      expect(textOf(message)).toMatch(/sandbox.*Good morning\./);
      expect(message.usage.input_tokens).toBeGreaterThan(0);
      expect(message.usage.output_tokens).toBeGreaterThan(10);
    }
  });

  it("stops at the limit, and at a stop sequence, which it names", async () => {
    expect(await running.client.messages.create({ ...BASIC, max_tokens: 4, messages: requests("x") })).toMatchObject({
      stop_reason: "max_tokens",
      stop_sequence: null,
      usage: { output_tokens: 4 },
    });
    const stopped = await running.client.messages.create({
      ...BASIC,
      messages: requests("count to 9"),
      stop_sequences: [" 7", " 5"],
    });
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: " 5" });
    expect(textOf(stopped)).toMatch(/1 2 3 4$/);
  });

  it("names what is attached", async () => {
    const source = { type: "base64" as const, media_type: "image/png" as const, data: "iVBORw0KGgo=" };
    const message = await running.client.messages.create({
      ...BASIC,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "See" },
            { type: "image", source },
            { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } },
          ],
        },
      ],
    });
    expect(textOf(message)).toContain("an image (image/png, 8 bytes)");
    expect(textOf(message)).toContain("(document: https://example.com/a.pdf)");
  });

  it("fits a schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const response = await running.send({
      messages: requests("A city"),
      output_config: { format: { type: "json_schema", schema } },
    });
    const message = (await response.json()) as { content: readonly Block[] };
    expect(JSON.parse(textOf(message))).toEqual({ city: expect.any(String) });
  });
});

describe("tools", () => {
  it("are called with input that fits, and answered from their result", async () => {
    const first = await running.client.messages.create({ ...BASIC, tools: [WEATHER], messages: requests("weather?") });
    const [call] = first.content;
    if (call?.type !== "tool_use") throw new Error("no call was made");
    expect(first.stop_reason).toBe("tool_use");
    expect(call).toMatchObject({ name: "get_weather", input: { city: expect.any(String) } });
    const second = await running.client.messages.create({
      ...BASIC,
      tools: [WEATHER],
      messages: [
        ...requests("weather?"),
        { role: "assistant", content: first.content },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: call.id, content: [{ type: "text", text: "sunny, 21 C" }] },
            { type: "text", text: "<system-reminder>Use get_weather again.</system-reminder>" },
          ],
        },
      ],
    });
    expect(textOf(second)).toContain("The result of get_weather is: sunny, 21 C");
  });

  it.each<[name: string, fields: Readonly<Record<string, unknown>>, calls: readonly string[]]>([
    ["none", { tool_choice: { type: "none" } }, []],
    ["any", { tool_choice: { type: "any" }, messages: requests("count to 3") }, ["get_weather"]],
    ["a certain one", { tool_choice: { type: "tool", name: "other" } }, ["other"]],
    ["two at once", { messages: requests("weather and other") }, ["get_weather", "other"]],
    [
      "one at a time",
      { messages: requests("weather and other"), tool_choice: { type: "auto", disable_parallel_tool_use: true } },
      ["get_weather"],
    ],
    ["one that the prompt names", { messages: requests('[[tool:other {"city":"Rome"}]]') }, ["other"]],
    ["none that runs at Anthropic", { tools: [{ type: "web_search_20250305", name: "web_search" }] }, []],
  ])("are called as tool_choice says: %s", async (_, fields, calls) => {
    const tools = [WEATHER, { ...WEATHER, name: "other" }];
    const response = await running.send({ messages: requests("weather"), tools, ...fields });
    expect(callsOf((await response.json()) as { content: readonly Block[] })).toEqual(calls);
  });

  it("are not called by what an agent writes around a prompt", async () => {
    const tools = Array.from({ length: 9 }, (_, index) => ({ ...WEATHER, name: `${"abcdefghi"[index]}read` }));
    const text = "<system-reminder>aread bread cread</system-reminder>\nSay hello";
    const response = await running.send({ messages: [{ role: "user", content: [{ type: "text", text }] }], tools });
    const message = (await response.json()) as { content: readonly Block[] };
    expect(callsOf(message)).toEqual([]);
    expect(textOf(message)).toContain("You wrote: “Say hello”.");
  });
});

describe("thinking", () => {
  it("comes where it is asked for", async () => {
    const plain = await running.client.messages.create({ ...BASIC, messages: requests("x") });
    expect(plain.content.map((block) => block.type)).toEqual(["text"]);
    const message = await running.client.messages.create({
      ...BASIC,
      max_tokens: 3_000,
      thinking: { type: "enabled", budget_tokens: 2_000 },
      messages: requests("x"),
    });
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: expect.stringContaining("sandbox") },
      { type: "text" },
    ]);
  });

  it("takes as long as the effort says, hides where it is to be omitted, and may take the whole budget", async () => {
    const thinking = { type: "adaptive", display: "omitted" };
    const of = async (fields: object) =>
      (await (await running.send({ messages: requests("x"), thinking, ...fields })).json()) as Record<string, unknown>;
    expect(await of({ output_config: { effort: "low" } })).toMatchObject({
      content: [{ type: "text" }],
      usage: { output_tokens_details: { thinking_tokens: 32 } },
    });
    expect(await of({ max_tokens: 20 })).toMatchObject({
      content: [],
      stop_reason: "max_tokens",
      usage: { output_tokens: 20, output_tokens_details: { thinking_tokens: 20 } },
    });
  });
});

describe("caching", () => {
  const long = "word ".repeat(2_000);
  const cached = [{ type: "text", text: long, cache_control: { type: "ephemeral" } }];
  const usageOf = async (fields: object) =>
    ((await (await running.send(fields as never)).json()) as { usage: Record<string, number> }).usage;

  it("writes what it is asked to, reads what the turn before wrote, and counts all of it once", async () => {
    const first = await usageOf({ system: cached, messages: requests("a") });
    expect(first["cache_creation_input_tokens"]).toBeGreaterThan(1_000);
    expect(first["cache_read_input_tokens"]).toBe(0);
    const second = await usageOf({
      system: cached,
      messages: [...requests("a"), { role: "assistant", content: "b" }, ...requests("c")],
    });
    expect(second["cache_read_input_tokens"]).toBeGreaterThan(1_000);
    const { input_tokens } = (await (
      await running.send({ system: cached, messages: requests("a") }, "/v1/messages/count_tokens")
    ).json()) as { input_tokens: number };
    expect((first["input_tokens"] ?? 0) + (first["cache_creation_input_tokens"] ?? 0)).toBe(input_tokens);
  });

  it("does nothing unasked", async () => {
    expect(await usageOf({ system: long, messages: requests("a") })).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
  });
});

it("counts tokens before a call as they are counted in it", async () => {
  const request = { model: "claude-model", system: "Be brief.", tools: [WEATHER], messages: requests("Hello there") };
  const message = await running.client.messages.create({ ...request, max_tokens: 10 });
  for (const counted of [
    await running.client.messages.countTokens(request),
    await running.before1.messages.countTokens(request),
  ]) {
    expect(counted.input_tokens).toBe(message.usage.input_tokens);
  }
});
