import fc from "fast-check";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { asMessage, type SpokenResponse, type Call } from "./spoken.ts";

/** A stream's pieces of one text: any number of them, any length, some of them empty. */
export function pieces(text: string): fc.Arbitrary<readonly string[]> {
  return fc.array(fc.nat(text.length), { maxLength: 4 }).map((places) => {
    const ends = [...places.toSorted((one, other) => one - other), text.length];
    return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  });
}

/**
 * How a provider numbers the pieces of its calls and repeats what it said (docs/providers/dashscope.md#chat,
 * docs/providers/gemini.md#layer-for-openai-clients, docs/providers/xai.md#chat).
 */
export type Style =
  | "openai"
  | "dashscope"
  | "nulls"
  | "other ids"
  | "repeating"
  | "whole"
  | "whole, numbered 0"
  | "whole, unnumbered";
export const styles: readonly Style[] = [
  "openai",
  "dashscope",
  "nulls",
  "other ids",
  "repeating",
  "whole",
  "whole, numbered 0",
  "whole, unnumbered",
];

const chunk = (delta: Document, finish: string | null = null): Document => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
  usage: null,
});

/** Any stream of chunks in which a provider may tell this response: calls side by side in any mixture. */
export function chunksOf(
  response: SpokenResponse,
  text: (call: Call) => string,
  style: Style,
): fc.Arbitrary<readonly Document[]> {
  const calls = response.calls.map((call, index) => callPieces(call, text(call), index, style));
  return fc
    .tuple(pieces(response.thinking), pieces(response.text), fc.tuple(...calls), fc.infiniteStream(fc.nat()))
    .map(([thinking, said, told, choices]) => {
      const completion = response.usage;
      const prompt = completion.fresh + completion.cached;
      return [
        chunk({ role: "assistant", content: "" }),
        ...thinking.map((piece) => chunk({ reasoning_content: piece })),
        ...said.map((piece) => chunk({ content: piece })),
        ...mixed(told, choices).map((piece) => chunk({ tool_calls: [piece] })),
        chunk({}, response.calls.length > 0 ? "tool_calls" : "stop"),
        {
          ...chunk({}),
          choices: [],
          usage: {
            prompt_tokens: prompt,
            completion_tokens: completion.output,
            total_tokens: prompt + completion.output,
            prompt_tokens_details: { cached_tokens: completion.cached },
          },
        },
      ];
    });
}

function callPieces(call: Call, text: string, index: number, style: Style): fc.Arbitrary<readonly Document[]> {
  const first = { id: call.id, type: "function", function: { name: call.name, arguments: text } };
  if (style === "whole") return fc.constant([{ index, ...first }]);
  if (style === "whole, numbered 0") return fc.constant([{ index: 0, ...first }]);
  if (style === "whole, unnumbered") return fc.constant([first]);
  return pieces(text).map((parts) =>
    parts.map((part, position) => {
      if (position === 0 || style === "repeating") {
        return { index, id: call.id, type: "function", function: { name: call.name, arguments: part } };
      }
      const id = { dashscope: { id: "" }, nulls: { id: null }, "other ids": { id: `${call.id}-${position}` } };
      const name = { dashscope: { name: "" }, nulls: { name: null } };
      const said = style === "dashscope" || style === "nulls" ? name[style] : {};
      return {
        index,
        ...(style === "dashscope" || style === "nulls" || style === "other ids" ? id[style] : {}),
        function: { ...said, arguments: part },
      };
    }),
  );
}

/** The lists in any mixture that keeps each one's order, and the order in which they begin. */
function mixed<T>(lists: readonly (readonly T[])[], choices: Iterator<number>): readonly T[] {
  const rest = lists.map((list) => [...list]);
  const order: T[] = [];
  let begun = 0;
  for (;;) {
    const open = rest.filter((list, index) => list.length > 0 && index <= begun);
    if (open.length === 0) return order;
    const list = open[(choices.next().value as number) % open.length];
    if (list === undefined) return order;
    if (list === rest[begun]) begun += 1;
    const next = list.shift();
    if (next !== undefined) order.push(next);
  }
}

/** Any stream of events in which Anthropic may tell this response, with pings between. */
export function eventsOf(response: SpokenResponse): fc.Arbitrary<readonly Document[]> {
  const whole = asMessage(response);
  const blocks = (whole["content"] as readonly Document[]).map(blockEvents);
  const usage = whole["usage"] as Document;
  return fc.tuple(...blocks).map((told) => [
    {
      type: "message_start",
      message: { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: "ping" },
    ...told.flat(),
    {
      type: "message_delta",
      delta: { stop_reason: whole["stop_reason"], stop_sequence: null },
      usage: { output_tokens: usage["output_tokens"] },
    },
    { type: "message_stop" },
  ]);
}

function blockEvents(block: Document, index: number): fc.Arbitrary<readonly Document[]> {
  const deltas = (type: string, field: string, text: string): fc.Arbitrary<readonly Document[]> =>
    pieces(text).map((parts) =>
      parts.map((part) => ({ type: "content_block_delta", index, delta: { type, [field]: part } })),
    );
  const begun = (start: Document, told: readonly Document[]): readonly Document[] => [
    { type: "content_block_start", index, content_block: start },
    ...told,
    { type: "content_block_stop", index },
  ];
  switch (block["type"]) {
    case "thinking":
      return fc
        .tuple(
          deltas("thinking_delta", "thinking", String(block["thinking"])),
          deltas("signature_delta", "signature", String(block["signature"])),
        )
        .map((told) => begun({ type: "thinking", thinking: "", signature: "" }, told.flat()));
    case "text":
      return deltas("text_delta", "text", String(block["text"])).map((told) => begun({ type: "text", text: "" }, told));
    default:
      return deltas("input_json_delta", "partial_json", JSON.stringify(block["input"])).map((told) =>
        begun({ ...block, input: {} }, told),
      );
  }
}
