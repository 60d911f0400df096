import { describe, expect, it } from "vitest";
import { framesOf } from "../frames.ts";
import { requests, useMessages } from "./running.ts";

const running = useMessages();
const tool = (name: string) => ({
  name,
  input_schema: { type: "object" as const, properties: { a: { type: "string" } }, required: ["a"] },
});
const THINKING = { type: "adaptive" };

async function frames(body: Readonly<Record<string, unknown>>) {
  const response = await running.send({ stream: true, messages: requests("hi"), ...body });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("request-id")).toMatch(/^req_/);
  return framesOf(await response.text());
}

type Frames = Awaited<ReturnType<typeof frames>>;

/** The events and what they are about, each run of the same one reported once. */
function order(events: Frames): readonly string[] {
  return events
    .map(({ event, data }) => {
      const { type } = (data["delta"] ?? data["content_block"] ?? {}) as { type?: string };
      return type === undefined || event === "message_delta" ? event : `${event} ${type}`;
    })
    .filter((name, index, all) => name !== all[index - 1]);
}

const block = (type: string, delta: readonly string[]) => [
  `content_block_start ${type}`,
  ...delta.map((name) => `content_block_delta ${name}`),
  "content_block_stop",
];
const around = (...blocks: readonly (readonly string[])[]) => [
  "message_start",
  ...blocks.flat(),
  "message_delta",
  "message_stop",
];

describe("the events", () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["a text", {}, around(block("text", ["text_delta"]))],
    [
      "a thought and a text",
      { thinking: THINKING },
      around(block("thinking", ["thinking_delta"]), block("text", ["text_delta"])),
    ],
    ["a hidden thought", { thinking: { ...THINKING, display: "omitted" } }, around(block("text", ["text_delta"]))],
    [
      "two calls",
      { messages: requests("use alpha and beta"), tools: [tool("alpha"), tool("beta")] },
      around(block("tool_use", ["input_json_delta"]), block("tool_use", ["input_json_delta"])),
    ],
  ])("of %s come in Anthropic's order, one block open at a time", async (_, body, expected) => {
    const events = await frames(body);
    expect(order(events)).toEqual(expected);
    expect(events.every(({ event, data }) => data["type"] === event)).toBe(true);
  });

  it("begin without output, and end with the reason and the whole usage", async () => {
    const events = await frames({ max_tokens: 5 });
    const usage = events.at(-2)?.data["usage"] as { input_tokens: number } | undefined;
    expect(events[0]?.data["message"]).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: usage?.input_tokens, output_tokens: 1 },
    });
    expect(events.at(-2)?.data).toMatchObject({
      delta: { stop_reason: "max_tokens", stop_sequence: null },
      usage: { output_tokens: 5, input_tokens: expect.any(Number) },
    });
  });
});

it("says the same as the response that is not streamed, as the SDKs put it together", async () => {
  const request = {
    model: "claude-model",
    max_tokens: 2_000,
    tools: [tool("alpha"), tool("beta")],
    messages: requests("use alpha and beta"),
    thinking: { type: "enabled" as const, budget_tokens: 1_024 },
  };
  const withoutIds = (message: { content: readonly object[] }) =>
    message.content.map((one) => ({ ...one, id: "", signature: "" }));
  const whole = await running.client.messages.create(request);
  const streamed = await running.client.messages.stream(request).finalMessage();
  const before1 = await running.before1.messages.stream(request).finalMessage();
  expect(withoutIds(streamed)).toEqual(withoutIds(whole));
  expect(withoutIds(before1)).toEqual(withoutIds(whole));
  expect([streamed.stop_reason, streamed.usage.output_tokens]).toEqual(["tool_use", whole.usage.output_tokens]);
});
