import { describe, expect, it } from "vitest";
import { framesOf } from "../frames.ts";
import { useResponses } from "./running.ts";

const running = useResponses();
const tool = (name: string, type = "function") => ({
  type,
  name,
  parameters: { type: "object", properties: { a: { type: "string" } } },
});

async function frames(body: Readonly<Record<string, unknown>>) {
  const response = await running.send({ stream: true, ...body });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return framesOf(await response.text());
}

/** The types, each run of the same one reported once. */
const order = (events: readonly { event: string }[]): readonly string[] =>
  events.map(({ event }) => event.replace("response.", "")).filter((type, index, all) => type !== all[index - 1]);

const AROUND = (...inner: readonly string[]) => ["created", "in_progress", ...inner, "completed"];
const TEXT = [
  "output_item.added",
  "content_part.added",
  "output_text.delta",
  "output_text.done",
  "content_part.done",
  "output_item.done",
];
const SUMMARY = [
  "output_item.added",
  "reasoning_summary_part.added",
  "reasoning_summary_text.delta",
  "reasoning_summary_text.done",
  "reasoning_summary_part.done",
  "output_item.done",
];
const CALL = ["output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done"];
const CUSTOM = ["output_item.added", "custom_tool_call_input.delta", "custom_tool_call_input.done", "output_item.done"];

describe("the events", () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["a text", { input: "hi" }, AROUND(...TEXT)],
    [
      "a thought and a text",
      { model: "thinking-model", input: "hi", reasoning: { summary: "auto" } },
      AROUND(...SUMMARY, ...TEXT),
    ],
    ["a hidden thought", { model: "thinking-model", input: "hi" }, AROUND(...TEXT)],
    ["two calls", { input: "use alpha and beta", tools: [tool("alpha"), tool("beta")] }, AROUND(...CALL, ...CALL)],
    ["a call with free text", { input: "use alpha", tools: [tool("alpha", "custom")] }, AROUND(...CUSTOM)],
  ])("of %s come in OpenAI's order, numbered from 0", async (_, body, expected) => {
    const events = await frames(body);
    expect(order(events)).toEqual(expected);
    expect(events.map(({ data }) => data["sequence_number"])).toEqual(events.map((_event, index) => index));
    expect(events.every(({ event, data }) => data["type"] === event)).toBe(true);
  });

  it("of a text that is cut off end with response.incomplete", async () => {
    const events = await frames({ input: "hi", max_output_tokens: 3 });
    expect(events.at(-1)).toMatchObject({
      event: "response.incomplete",
      data: { response: { incomplete_details: { reason: "max_output_tokens" } } },
    });
  });
});

it("says the same as the response that is not streamed", async () => {
  const body = { model: "thinking-model", input: "use alpha", tools: [tool("alpha")], reasoning: { summary: "auto" } };
  const events = await frames(body);
  const whole = (await (await running.send(body)).json()) as { output: readonly object[]; usage: object };
  const last = events.at(-1)?.data["response"] as { output: readonly object[]; usage: object };
  const withoutIds = (items: readonly object[]) => items.map((item) => ({ ...item, id: "", call_id: "" }));
  expect(withoutIds(last.output)).toEqual(withoutIds(whole.output));
  expect(last.usage).toEqual(whole.usage);
  const done = events.filter(({ event }) => event === "response.output_item.done").map(({ data }) => data["item"]);
  expect(done).toEqual(last.output);
});

it("is understood by the SDK's helper", async () => {
  const stream = running.client.responses.stream({ model: "plain-model", input: "Good morning." });
  let text = "";
  stream.on("response.output_text.delta", (event) => (text += event.delta));
  const final = await stream.finalResponse();
  expect(text).toContain("Good morning.");
  expect(final.output_text).toBe(text);
});
