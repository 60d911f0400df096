import fc from "fast-check";
import { expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, chunk, eventsOf, finalOf, translated } from "./translated.ts";

interface Said {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly finish: string;
  readonly usage: Document | null;
}

const said: fc.Arbitrary<Said> = fc.record({
  reasoning: fc.string({ unit: "grapheme" }),
  text: fc.string({ unit: "grapheme" }),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("plain", "ns__inner", "freeform", "unknown"),
      input: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.record({ input: fc.string() })),
    }),
    { maxLength: 4 },
  ),
  finish: fc.constantFrom("stop", "tool_calls", "length", "content_filter"),
  usage: fc.option(
    fc.record({ prompt_tokens: fc.integer({ min: 1, max: 1e6 }), completion_tokens: fc.integer({ min: 1, max: 1e6 }) }),
  ),
});

const REQUEST = {
  tools: [
    { type: "function", name: "plain" },
    { type: "namespace", name: "ns", tools: [{ type: "function", name: "inner" }] },
    { type: "custom", name: "freeform" },
  ],
};

/** `text` in pieces: one for each of `cuts`, which tell how long they are, and the rest. */
function pieces(text: string, cuts: readonly number[]): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const length of cuts) {
    if (from + length >= text.length) break;
    found.push(text.slice(from, from + length));
    from += length;
  }
  return [...found, text.slice(from)].filter((piece) => piece !== "");
}

function wholeOf({ reasoning, text, calls, finish, usage }: Said): Document {
  const tool_calls = calls.map(({ name, input }, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: "assistant", reasoning_content: reasoning, content: text, tool_calls };
  return { choices: [{ index: 0, message, finish_reason: finish }], ...(usage === null ? {} : { usage }) };
}

function chunksOf({ reasoning, text, calls, finish, usage }: Said, cuts: readonly number[]): readonly Document[] {
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(reasoning, cuts).map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(text, cuts).map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ name, input }, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }] }),
      ...pieces(JSON.stringify(input), cuts).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, finish),
    ...(usage === null ? [] : [{ choices: [], usage }]),
  ];
}

const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 });

it("gives the same response for a whole response and for any cutting of it into deltas", () => {
  fc.assert(
    fc.property(said, cuts, (response, where) => {
      const events = eventsOf(translated(REQUEST), chunksOf(response, where));
      expect(finalOf(events)).toEqual(answered(translated(REQUEST), wholeOf(response)));
    }),
  );
});

it("tells in its events exactly what the response at the end holds, numbered without gaps", () => {
  fc.assert(
    fc.property(said, cuts, (response, where) => {
      const events = eventsOf(translated(REQUEST), chunksOf(response, where));
      expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, index) => index));
      const items = events.filter((event) => event["type"] === "response.output_item.done");
      expect(items.map((event) => event["item"])).toEqual(finalOf(events)["output"]);
      expect(toldBy(events)).toEqual((finalOf(events)["output"] as readonly Document[]).map(heldBy));
    }),
  );
});

/** What the deltas of each item say. */
function toldBy(events: readonly Document[]): readonly string[] {
  const told: string[] = [];
  for (const event of events) {
    const index = event["output_index"];
    if (typeof index !== "number") continue;
    told[index] = (told[index] ?? "") + (typeof event["delta"] === "string" ? event["delta"] : "");
  }
  return told;
}

function heldBy(item: Document): unknown {
  const [part] = (item["content"] ?? item["summary"] ?? []) as readonly Document[];
  return part?.["text"] ?? item["arguments"] ?? item["input"];
}
