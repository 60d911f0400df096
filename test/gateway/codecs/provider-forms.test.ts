import { describe, expect, it } from "vitest";
import { messagesToChat } from "../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../gateway/codecs/translation.ts";
import { textBlock } from "./support/blocks.ts";
import { calls, chunk, messageOf, piece } from "./support/chunks.ts";
import { answered as answeredMessage } from "./support/translating.ts";
import { answered, eventsOf, finalOf, translated } from "./responses-to-chat/translated.ts";

/** What providers of the chat dialect make of it, and what clients of the other two get of that. */

type Words = readonly [kind: "reasoning" | "text" | "call", ...words: readonly unknown[]];
const joined = (parts: unknown): string =>
  (parts as readonly Document[]).map(({ text, refusal }) => text ?? refusal).join("");

/** A call's name and arguments, and its id behind them. */
const ofMessage = ({ content }: Document): readonly Words[] =>
  (content as readonly Document[]).map((block) => {
    if (block["type"] === "thinking") return ["reasoning", block["thinking"]];
    if (block["type"] === "text") return ["text", block["text"]];
    return ["call", block["name"], JSON.stringify(block["input"]), block["id"]];
  });
const ofResponse = ({ output }: Document): readonly Words[] =>
  (output as readonly Document[]).map((item) => {
    if (item["type"] === "reasoning") return ["reasoning", joined(item["summary"])];
    if (item["type"] === "message") return ["text", joined(item["content"])];
    return ["call", item["name"], item["arguments"], item["call_id"]];
  });

const CLIENTS = {
  Messages: {
    whole: (response: Document) => ofMessage(answeredMessage(messagesToChat, response)),
    streamed: (...chunks: readonly Document[]) => ofMessage(messageOf(...chunks)),
  },
  Responses: {
    whole: (response: Document) => ofResponse(answered(translated(), response)),
    streamed: (...chunks: readonly Document[]) => ofResponse(finalOf(eventsOf(translated(), chunks))),
  },
};
const completion = (message: Document): Document => ({
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
});
const withoutIds = (words: readonly Words[]): unknown => words.map((each) => each.slice(0, 3));

const FORMS: readonly (readonly [form: string, message: Document, words: readonly Words[]])[] = [
  ["`reasoning` (Ollama, LM Studio, vLLM, OpenRouter)", { reasoning: "hm" }, [["reasoning", "hm"]]],
  ["both names at once", { reasoning: "hm", reasoning_content: "hm" }, [["reasoning", "hm"]]],
  [
    "content as parts (Mistral)",
    { content: [{ type: "thinking", thinking: [textBlock("hm")] }, textBlock("A"), textBlock("B")] },
    [
      ["reasoning", "hm"],
      ["text", "AB"],
    ],
  ],
  ["null content", { content: null }, []],
  ["a refusal", { content: null, refusal: "No." }, [["text", "No."]]],
  [
    "arguments as an object (Ollama)",
    { tool_calls: [{ id: "c", function: { name: "f", arguments: { a: 1 } } }] },
    [["call", "f", '{"a":1}']],
  ],
  ["the deprecated function call", { function_call: { name: "f", arguments: '{"a":1}' } }, [["call", "f", '{"a":1}']]],
  [
    "a call without a name, which nobody could run",
    { content: "A", tool_calls: [{ id: "c", function: { arguments: "{}" } }] },
    [["text", "A"]],
  ],
];

const [A, B] = ['{"a":1}', '{"b":2}'];
const begins = (index: number | undefined, id: string, name: string, text = ""): Document =>
  calls(piece(index, id, name, text));
const goesOn = (index: number, text: string): Document => calls(piece(index, "", undefined, text));

const WAYS: readonly (readonly [way: string, chunks: readonly Document[]])[] = [
  [
    "with ids that are empty later on (DashScope)",
    [begins(0, "call_1", "f"), goesOn(0, '{"a"'), goesOn(0, ":1}"), begins(1, "call_2", "g"), goesOn(1, B)],
  ],
  ["whole, one a chunk (xAI)", [begins(0, "call_1", "f", A), begins(1, "call_2", "g", B)]],
  ["whole, all of the number 0 (Gemini)", [begins(0, "call_1", "f", A), begins(0, "call_2", "g", B)]],
  ...(
    [
      [0, 0],
      [undefined, undefined],
      [0, 1],
    ] as const
  ).map(
    ([first, second]) =>
      [
        `whole, in one chunk (Gemini), by the numbers ${first} and ${second}`,
        [calls(piece(first, "call_1", "f", A), piece(second, "call_2", "g", B))],
      ] as const,
  ),
  [
    "with the id and the name again each time",
    [begins(0, "call_1", "f", '{"a"'), begins(0, "call_1", "f", ":1}"), begins(1, "call_2", "g", B)],
  ],
  [
    "by turns",
    [
      calls(piece(0, "call_1", "f", ""), piece(1, "call_2", "g", "")),
      goesOn(1, '{"b"'),
      goesOn(0, '{"a"'),
      goesOn(1, ":2}"),
      goesOn(0, ":1}"),
    ],
  ],
  [
    "with a name that comes last",
    [
      calls(piece(0, "call_1", undefined, "")),
      goesOn(0, '{"a"'),
      begins(0, "", "f", ":1}"),
      begins(1, "call_2", "g", B),
    ],
  ],
];

describe.each(Object.entries(CLIENTS))("to a client of %s", (_client, { whole, streamed }) => {
  it.each(FORMS)("whole: %s", (_form, message, words) => {
    expect(withoutIds(whole(completion(message)))).toEqual(words);
  });

  it.each(FORMS)("streamed: %s", (_form, delta, words) => {
    expect(withoutIds(streamed(chunk(delta), chunk({}, "stop")))).toEqual(words);
  });

  it("streamed: a whole message in one chunk, from a server that does not stream", () => {
    expect(streamed(completion({ content: "A" }))).toEqual([["text", "A"]]);
  });

  it.each(WAYS)("calls %s", (_way, chunks) => {
    expect(streamed(...chunks, chunk({}, "tool_calls"))).toEqual([
      ["call", "f", A, "call_1"],
      ["call", "g", B, "call_2"],
    ]);
  });
});
