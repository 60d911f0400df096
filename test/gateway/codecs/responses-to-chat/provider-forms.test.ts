import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, chunk, eventsOf, finalOf, translated } from "./translated.ts";

/** What a Responses client gets of an output: kinds and words, without ids. */
function wordsOf(response: Document): unknown {
  return (response["output"] as readonly Document[]).map((item) => {
    switch (item["type"]) {
      case "reasoning":
        return ["reasoning", (item["summary"] as readonly Document[]).map((part) => part["text"]).join("")];
      case "message":
        return [
          "text",
          (item["content"] as readonly Document[]).map((part) => part["text"] ?? part["refusal"]).join(""),
        ];
      default:
        return [item["type"], item["name"], item["arguments"]];
    }
  });
}

const forms: [string, Document, unknown][] = [
  ["`reasoning` (Ollama, LM Studio, vLLM, OpenRouter)", { reasoning: "hm" }, [["reasoning", "hm"]]],
  [
    "content as parts (Mistral)",
    {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
        { type: "text", text: "A" },
      ],
    },
    [
      ["reasoning", "hm"],
      ["text", "A"],
    ],
  ],
  ["a refusal", { content: null, refusal: "No." }, [["text", "No."]]],
  [
    "arguments as an object (Ollama)",
    { tool_calls: [{ id: "c", function: { name: "f", arguments: { a: 1 } } }] },
    [["function_call", "f", '{"a":1}']],
  ],
  [
    "the deprecated function call",
    { function_call: { name: "f", arguments: '{"a":1}' } },
    [["function_call", "f", '{"a":1}']],
  ],
];

describe("forms of providers", () => {
  it.each(forms)("whole: %s", (_, message, words) => {
    const response = { choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }] };
    expect(wordsOf(answered(translated(), response))).toEqual(words);
  });

  it.each(forms)("streamed: %s", (_, delta, words) => {
    expect(wordsOf(finalOf(eventsOf(translated(), [chunk(delta), chunk({}, "stop")])))).toEqual(words);
  });

  it("a whole message in one chunk, from a server that does not stream", () => {
    const whole = { choices: [{ index: 0, message: { role: "assistant", content: "A" }, finish_reason: "stop" }] };
    expect(wordsOf(finalOf(eventsOf(translated(), [whole])))).toEqual([["text", "A"]]);
  });

  it("a call without a name is dropped: nobody could run it", () => {
    const message = { role: "assistant", content: "A", tool_calls: [{ id: "c", function: { arguments: "{}" } }] };
    const response = { choices: [{ index: 0, message, finish_reason: "stop" }] };
    expect(wordsOf(answered(translated(), response))).toEqual([["text", "A"]]);
  });
});
