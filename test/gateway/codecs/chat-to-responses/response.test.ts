import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatToResponses } from "../../../../gateway/codecs/chat-to-responses/translate.ts";
import { messagesToChat } from "../../../../gateway/codecs/messages-to-chat/translate.ts";
import { chainTranslations } from "../../../../gateway/codecs/translation.ts";
import type { Document, Translation } from "../../../../gateway/codecs/translation.ts";
import { responses as adapter } from "../../../../gateway/providers/openai/responses.ts";
import { assembledCompletion, assembledMessage } from "../support/assembled.ts";
import { pieces } from "../support/cut.ts";
import { response as spoken } from "../support/spoken.ts";
import type { SpokenResponse } from "../support/spoken.ts";
import { HI, NOW, contextFor } from "../support/translating.ts";

const MODEL = "gpt-5.6-terra";
const toChat = (): Translation => chatToResponses({ model: MODEL, messages: HI }, contextFor(MODEL));

function toMessages(): Translation {
  const context = contextFor(MODEL);
  const first = messagesToChat({ model: MODEL, max_tokens: 100, messages: HI }, context);
  return chainTranslations(first, chatToResponses(first.body, context));
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 30 },
};
const UNITS = adapter.toUnits(USAGE) ?? {};

const whole = (output: readonly Document[], fields: Document = {}): Document => ({
  object: "response",
  status: "completed",
  output,
  usage: USAGE,
  ...fields,
});
const choiceOf = (response: Document): Document =>
  (toChat().response(response, UNITS)["choices"] as readonly Document[])[0] ?? {};
const text = (words: string, annotations: readonly Document[] = []): Document => ({
  type: "output_text",
  text: words,
  annotations,
});
const message = (...content: readonly Document[]): Document => ({ type: "message", role: "assistant", content });
const call = (id: string, given: string): Document => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "look",
  arguments: given,
});
const reasoning = (id: string, ...summary: readonly string[]): Document => ({
  type: "reasoning",
  id,
  summary: summary.map((words) => ({ type: "summary_text", text: words })),
  encrypted_content: `${id}-secret`,
});
const detail = (id: string, index: number): Document => ({
  type: "reasoning.encrypted",
  data: `${id}-secret`,
  id,
  format: "openai-responses-v1",
  index,
});
const summarized = (id: string, index: number, summary: string): Document => ({
  type: "reasoning.summary",
  summary,
  id,
  format: "openai-responses-v1",
  index,
});

describe("a whole response", () => {
  it("is a completion: reasoning, text, calls, usage, and what decides on its price", () => {
    const output = [
      reasoning("rs_1", "First.", "Second."),
      reasoning("rs_2"),
      { type: "web_search_call", id: "ws_1", status: "completed" },
      message(text("I "), text("look.")),
      call("c1", '{"a":1}'),
      call("c2", ""),
    ];
    expect(toChat().response(whole(output, { service_tier: "flex" }), UNITS)).toEqual({
      id: "chatcmpl-id1",
      object: "chat.completion",
      created: NOW,
      model: MODEL,
      service_tier: "flex",
      choices: [
        {
          index: 0,
          logprobs: null,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "I look.",
            refusal: null,
            reasoning_content: "First.\n\nSecond.",
            reasoning_details: [summarized("rs_1", 0, "First.\n\nSecond."), detail("rs_1", 0), detail("rs_2", 1)],
            tool_calls: [
              { id: "c1", type: "function", function: { name: "look", arguments: '{"a":1}' } },
              { id: "c2", type: "function", function: { name: "look", arguments: "{}" } },
            ],
          },
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 60, cache_creation_tokens: 0, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
    });
  });

  it.each([
    ["stop", { status: "completed" }],
    ["length", { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }],
    ["content_filter", { status: "incomplete", incomplete_details: { reason: "content_filter" } }],
    ["length", { status: "incomplete" }],
  ])("ends with %s", (finish_reason, fields) => {
    expect(choiceOf(whole([message(text("So"))], fields))).toMatchObject({ finish_reason });
  });

  it("a call that was cut off is no call to run", () => {
    const fields = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(choiceOf(whole([call("c1", '{"a')], fields))).toMatchObject({ finish_reason: "length" });
  });

  it("messages are paragraphs; a refusal and citations have their fields", () => {
    const cited = { type: "url_citation", url: "https://example.com", title: "E", start_index: 0, end_index: 2 };
    const { type, ...url_citation } = cited;
    const output = [
      message(text("One.", [cited])),
      message({ type: "refusal", refusal: "No." }),
      message(text("Two.")),
    ];
    expect(choiceOf(whole(output))["message"]).toEqual({
      role: "assistant",
      content: "One.\n\nTwo.",
      refusal: "No.",
      annotations: [{ type, url_citation }],
    });
  });

  it("the words of a model that has no summaries are its reasoning; a custom tool's call is one", () => {
    const item = { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] };
    const custom = { type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin" };
    expect(choiceOf(whole([item, custom]))["message"]).toMatchObject({
      reasoning_content: "Hm.",
      tool_calls: [{ id: "c1", type: "custom", custom: { name: "patch", input: "*** Begin" } }],
    });
  });
});

/** A stream's events for an output, each text in the given pieces. */
const added = (output_index: number, item: Document): Document => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const done = (output_index: number, item: Document): Document => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const delta = (type: string, output_index: number, piece: string, rest: Document = {}): Document => ({
  type: `response.${type}.delta`,
  output_index,
  delta: piece,
  ...rest,
});
const completed = (output: readonly Document[], fields: Document = {}): Document => {
  const response = whole(output, fields);
  return { type: `response.${String(response["status"])}`, response };
};

function chunksOf(...events: readonly Document[]): readonly Document[] {
  const stream = toChat().stream();
  return [...events.flatMap((event) => stream.event(event)), ...stream.end(UNITS)];
}

describe("a stream", () => {
  it("begins with the role, and passes pieces as they come", () => {
    const item = call("c1", '{"a":1}');
    const chunks = chunksOf(
      { type: "response.created", response: {} },
      { type: "response.event_of_next_year", delta: "x" },
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      delta("reasoning_summary_text", 0, "First.", { summary_index: 0 }),
      delta("reasoning_summary_text", 0, "Second.", { summary_index: 1 }),
      done(0, reasoning("rs_1", "First.", "Second.")),
      delta("output_text", 1, "I look.", { content_index: 0 }),
      added(2, { ...item, arguments: "" }),
      delta("function_call_arguments", 2, '{"a"'),
      delta("function_call_arguments", 2, ":1}"),
      { type: "response.function_call_arguments.done", output_index: 2, arguments: '{"a":1}' },
      done(2, item),
      completed([item], { service_tier: "flex" }),
      delta("output_text", 1, "Too late."),
    );
    const deltas = chunks.flatMap((chunk) =>
      (chunk["choices"] as readonly Document[]).map((choice) => choice["delta"]),
    );
    expect(deltas).toEqual([
      { role: "assistant", content: "" },
      { reasoning_content: "First." },
      { reasoning_content: "\n\nSecond." },
      { reasoning_details: [summarized("rs_1", 0, "First.\n\nSecond."), detail("rs_1", 0)] },
      { content: "I look." },
      { tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "look", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
      {},
    ]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }], service_tier: "flex" });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 100 } });
  });

  it.each([
    ["done", [done(0, reasoning("rs_1", "Hm.")), done(1, message(text("So."))), done(2, call("c1", ""))]],
    ["the end", []],
  ])("tells at %s what no piece reported", (_, events) => {
    const output = [reasoning("rs_1", "Hm."), message(text("So.")), call("c1", "")];
    const { message: told } = assembledCompletion(chunksOf(...events, completed(output)));
    expect(told).toEqual({
      role: "assistant",
      content: "So.",
      reasoning_content: "Hm.",
      reasoning_details: [summarized("rs_1", 0, "Hm."), detail("rs_1", 0)],
      tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
    });
  });

  it("refusals, citations, and a custom tool's text pass too", () => {
    const custom = { type: "custom_tool_call", call_id: "c1", name: "patch", input: "" };
    const citation = { type: "url_citation", url: "https://example.com" };
    const chunks = chunksOf(
      delta("refusal", 0, "No."),
      { type: "response.output_text.annotation.added", output_index: 1, annotation: citation },
      added(2, custom),
      delta("custom_tool_call_input", 2, "*** Begin"),
      done(2, { ...custom, input: "*** Begin" }),
      completed([]),
    );
    expect(JSON.stringify(chunks)).toContain('"refusal":"No."');
    expect(JSON.stringify(chunks)).toContain('"annotations":[{"type":"url_citation","url_citation":{"url"');
    expect(JSON.stringify(chunks)).toContain('"type":"custom","custom":{"name":"patch","input":""}');
    expect(JSON.stringify(chunks)).toContain('{"index":0,"custom":{"input":"*** Begin"}}');
  });

  it("ends with length where the bound was reached", () => {
    const fields = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(assembledCompletion(chunksOf(delta("output_text", 0, "So"), completed([], fields)))).toMatchObject({
      finish_reason: "length",
      message: { content: "So" },
    });
  });
});

function outputOf({ thinking, text: words, calls }: SpokenResponse): readonly Document[] {
  return [
    ...(thinking === "" ? [] : [reasoning("rs_1", thinking)]),
    ...(words === "" ? [] : [message(text(words))]),
    ...calls.map(({ id, name, input }) => ({ ...call(id, JSON.stringify(input)), name })),
  ];
}

/** Any stream in which OpenAI may tell this response. */
function cut(response: SpokenResponse): fc.Arbitrary<readonly Document[]> {
  const output = outputOf(response);
  const items = output.map((item, index): fc.Arbitrary<readonly Document[]> => {
    const around = (empty: Document, kind: string, whole_: string, rest: Document = {}) =>
      pieces(whole_).map((parts) => [
        added(index, { ...item, ...empty }),
        ...parts.map((part) => delta(kind, index, part, rest)),
        done(index, item),
      ]);
    if (item["type"] === "reasoning")
      return around({ summary: [] }, "reasoning_summary_text", response.thinking, { summary_index: 0 });
    if (item["type"] === "message") return around({ content: [] }, "output_text", response.text, { content_index: 0 });
    return around({ arguments: "" }, "function_call_arguments", String(item["arguments"]));
  });
  return fc
    .tuple(...items)
    .map((told) => [{ type: "response.created", response: {} }, ...told.flat(), completed(output)]);
}

describe("however a response is cut into events, it is that of the whole response", () => {
  const streams = spoken.chain((given) => cut(given).map((events) => ({ given, events })));

  it("to a chat client", () => {
    fc.assert(
      fc.property(streams, ({ given, events }) => {
        const { refusal, content, ...rest } = choiceOf(whole(outputOf(given)))["message"] as Document;
        expect(refusal).toBeNull();
        expect(assembledCompletion(chunksOf(...events))["message"]).toEqual({ ...rest, content: content ?? "" });
      }),
    );
  });

  it("to a Messages client", () => {
    fc.assert(
      fc.property(streams, ({ given, events }) => {
        const stream = toMessages().stream();
        const told = [...events.flatMap((event) => stream.event(event)), ...stream.end(UNITS)];
        const expected = toMessages().response(whole(outputOf(given)), UNITS);
        expect(assembledMessage(told)).toEqual(expected);
      }),
    );
  });
});

it("whatever a server streams, it ends in order", () => {
  const words = ["reasoning", "message", "function_call", "custom_tool_call", "output_text", "refusal", "", "x"];
  const events =
    "created output_item.added output_item.done output_text.delta refusal.delta completed incomplete".split(" ");
  const others = "reasoning_summary_text.delta function_call_arguments.delta output_text.annotation.added".split(" ");
  const value = fc.oneof(
    fc.constantFrom(...words, null, 0, 1),
    fc.array(fc.record({ type: fc.constantFrom(...words), text: fc.constantFrom(...words, 1) }), { maxLength: 2 }),
  );
  const item = fc.dictionary(
    fc.constantFrom("type", "name", "call_id", "arguments", "summary", "content", "encrypted_content", "output"),
    value,
  );
  const event = fc.record({
    type: fc.constantFrom(...[...events, ...others].map((name) => `response.${name}`)),
    output_index: fc.constantFrom(0, 1, 2, undefined),
    item: fc.oneof(item, value),
    delta: value,
    summary_index: value,
    response: fc.oneof(item, value),
    annotation: item,
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (all) => {
      const plain = all.filter(({ item: given }) => (given as Document | null)?.["type"] !== "custom_tool_call");
      expect(assembledCompletion(chunksOf(...plain))["finish_reason"]).toBeTypeOf("string");
    }),
    { numRuns: 1_000 },
  );
});
