import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { chunk, eventsOf, finalOf, translated } from "./translated.ts";

const typesOf = (events: readonly Document[]) => events.map((event) => String(event["type"]).replace("response.", ""));
const call = (delta: Document) => chunk({ tool_calls: [delta] });
const begins = (index: number | undefined, id: string, name: string, args = "") =>
  call({ ...(index === undefined ? {} : { index }), id, type: "function", function: { name, arguments: args } });
const goesOn = (index: number, args: string) => call({ index, id: "", function: { arguments: args } });

const callsOf = (events: readonly Document[]): unknown =>
  (finalOf(events)["output"] as readonly Document[]).map((item) => [item["call_id"], item["name"], item["arguments"]]);

describe("the events", () => {
  it("of a text are those of OpenAI, in its order", () => {
    const events = eventsOf(translated(), [
      chunk({ role: "assistant", content: "", refusal: null }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      chunk({}, "stop"),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    ]);
    const place = { item_id: "msg_id2", output_index: 0, content_index: 0 };
    const part = { type: "output_text", text: "Hello", annotations: [], logprobs: [] };
    const item = { id: "msg_id2", type: "message", status: "completed", role: "assistant", content: [part] };
    expect(events.slice(2, -1)).toEqual([
      {
        type: "response.output_item.added",
        sequence_number: 2,
        output_index: 0,
        item: { ...item, status: "in_progress", content: [] },
      },
      { type: "response.content_part.added", sequence_number: 3, ...place, part: { ...part, text: "" } },
      { type: "response.output_text.delta", sequence_number: 4, ...place, delta: "Hel", logprobs: [] },
      { type: "response.output_text.delta", sequence_number: 5, ...place, delta: "lo", logprobs: [] },
      { type: "response.output_text.done", sequence_number: 6, ...place, text: "Hello", logprobs: [] },
      { type: "response.content_part.done", sequence_number: 7, ...place, part },
      { type: "response.output_item.done", sequence_number: 8, output_index: 0, item },
    ]);
    expect(events[0]).toMatchObject({
      type: "response.created",
      sequence_number: 0,
      response: { id: "resp_id1", status: "in_progress", output: [], usage: null, store: false },
    });
    expect(events[1]).toMatchObject({ type: "response.in_progress", sequence_number: 1 });
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      sequence_number: 9,
      response: { id: "resp_id1", status: "completed", output: [item], usage: { total_tokens: 5 } },
    });
  });

  it("of reasoning, text and two calls follow each other", () => {
    const events = eventsOf(translated(), [
      chunk({ role: "assistant", reasoning_content: "h" }),
      chunk({ reasoning_content: "m" }),
      chunk({ content: "ok" }),
      begins(0, "call_1", "f"),
      goesOn(0, "{}"),
      begins(1, "call_2", "g", '{"a":1}'),
      chunk({}, "tool_calls"),
    ]);
    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, index) => index));
    expect(finalOf(events)["output"]).toMatchObject([
      { type: "reasoning" },
      { type: "message" },
      { call_id: "call_1" },
      { call_id: "call_2" },
    ]);
  });

  it("of a refusal and of a free-text tool have their own names", () => {
    const tools = [{ type: "custom", name: "apply_patch" }];
    const events = eventsOf(translated({ tools }), [
      chunk({ refusal: "No." }),
      begins(0, "call_1", "apply_patch", '{"inp'),
      goesOn(0, 'ut":"x"}'),
      chunk({}, "tool_calls"),
    ]);
    expect(typesOf(events).slice(2, -1)).toEqual([
      "output_item.added",
      "content_part.added",
      "refusal.delta",
      "refusal.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
    ]);
    expect(events.at(-3)).toMatchObject({ input: "x" });
  });

  it("arrive as the provider sends, not at the end", () => {
    const stream = translated().stream();
    expect(typesOf(stream.event(chunk({ role: "assistant" })))).toEqual(["created", "in_progress"]);
    expect(typesOf(stream.event(chunk({ content: "a" })))).toContain("output_text.delta");
    expect(typesOf(stream.event(chunk({ content: "b" })))).toEqual(["output_text.delta"]);
    expect(typesOf(stream.event(begins(0, "1", "f", "{}")))).toContain("output_text.done");
    expect(typesOf(stream.event(begins(1, "2", "g")))).toContain("function_call_arguments.done");
  });

  it("close a stream in which the provider said nothing", () => {
    expect(typesOf(eventsOf(translated(), []))).toEqual(["created", "in_progress", "completed"]);
  });

  it.each([
    ...["length", "max_tokens", "model_length"].map((finish) => [finish, "max_output_tokens"]),
    ...["content_filter", "safety", "sensitive"].map((finish) => [finish, "content_filter"]),
  ])("say that an answer ended by %s is incomplete", (finish, reason) => {
    const events = eventsOf(translated(), [chunk({ content: "cut" }), chunk({}, finish)]);
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason }, output: [{ status: "incomplete" }] },
    });
  });
});

describe("providers' ways of sending calls", () => {
  it("tells calls without ids apart, and gives them some", () => {
    const events = eventsOf(translated(), [
      begins(0, "", "f", "{}"),
      begins(0, "", "f", "{}"),
      chunk({}, "tool_calls"),
    ]);
    expect(callsOf(events)).toEqual([
      ["call_id2", "f", "{}"],
      ["call_id4", "f", "{}"],
    ]);
  });

  it("sends an object where a provider sends no arguments", () => {
    const events = eventsOf(translated(), [begins(0, "call_1", "f"), chunk({}, "tool_calls")]);
    expect(events.at(-4)).toMatchObject({ type: "response.function_call_arguments.delta", delta: "{}" });
    expect(events.at(-3)).toMatchObject({ type: "response.function_call_arguments.done", name: "f", arguments: "{}" });
  });
});

it("takes the provider's last word about usage, wherever it stands", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const first = { ...chunk({ content: "a" }), usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } };
  for (const last of [
    { ...chunk({}, "stop"), usage },
    { choices: [], usage },
  ]) {
    expect(finalOf(eventsOf(translated(), [first, last]))["usage"]).toMatchObject({ output_tokens: 2 });
  }
});
