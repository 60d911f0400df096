import fc from "fast-check";
import type { Document } from "../../../../gateway/codecs/translation.ts";

/** What the properties are about: conversations and answers, free of either dialect, and written in each of them. */

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Document;
  /** What the tool said, for conversations. */
  readonly result: string;
}

export interface Exchange {
  readonly user: readonly string[];
  /** `""`: none. */
  readonly said: string;
  readonly calls: readonly Call[];
}

export interface SpokenResponse {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly usage: { readonly fresh: number; readonly cached: number; readonly output: number };
}

/** A text that Anthropic takes: with something to see in it. */
export const words = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((text) => text.trim() !== "");
const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}$/);
/** As JSON has it: no -0, no own prototype. */
const input = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((object) => JSON.parse(JSON.stringify(object)) as Document);

export const callList = (from: number) =>
  fc
    .array(fc.record({ name, input, result: fc.string({ maxLength: 12 }) }), { maxLength: 3 })
    .map((calls) => calls.map((call, index) => ({ ...call, id: `call_${from}_${index}` })));

export const conversation = fc
  .array(
    fc.record({
      user: fc.array(words, { minLength: 1, maxLength: 2 }),
      said: fc.oneof(fc.constant(""), words),
      calls: callList(0),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((exchanges) =>
    exchanges.map((exchange, turn): Exchange => ({
      ...exchange,
      said: exchange.said === "" && exchange.calls.length === 0 ? "Yes." : exchange.said,
      calls: exchange.calls.map((call, index) => ({ ...call, id: `call_${turn}_${index}` })),
    })),
  );

export const response: fc.Arbitrary<SpokenResponse> = fc.record({
  thinking: fc.oneof(fc.constant(""), words),
  text: fc.oneof(fc.constant(""), words),
  calls: callList(0),
  usage: fc.record({ fresh: fc.nat(10_000), cached: fc.nat(10_000), output: fc.nat(10_000) }),
});

const textBlock = (text: string): Document => ({ type: "text", text });

/** As a Messages client keeps it, block by block; the last user's turn is the one to be answered. */
export function asMessages(exchanges: readonly Exchange[]): readonly Document[] {
  const messages: { readonly role: string; readonly content: Document[] }[] = [];
  for (const { user, said, calls } of exchanges) {
    const last = messages.at(-1);
    if (last?.role === "user") last.content.push(...user.map(textBlock));
    else messages.push({ role: "user", content: user.map(textBlock) });
    const uses = calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.input }));
    messages.push({ role: "assistant", content: [...(said === "" ? [] : [textBlock(said)]), ...uses] });
    if (calls.length === 0) continue;
    messages.push({
      role: "user",
      content: calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, content: call.result })),
    });
  }
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: [textBlock("Go on.")] });
  return messages;
}

/** As a chat client keeps it; ends as `asMessages` does. */
export function asChat(exchanges: readonly Exchange[]): readonly Document[] {
  const messages: Document[] = [];
  for (const { user, said, calls } of exchanges) {
    messages.push({ role: "user", content: user.length === 1 ? user[0] : user.map(textBlock) });
    messages.push({
      role: "assistant",
      content: said === "" ? null : said,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }),
    });
    for (const call of calls) messages.push({ role: "tool", tool_call_id: call.id, content: call.result });
  }
  if (exchanges.at(-1)?.calls.length === 0) messages.push({ role: "user", content: "Go on." });
  return messages;
}

export function chatCall(call: Call): Document {
  return { id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } };
}

/** A chat provider's whole response. */
export function asCompletion({ thinking, text, calls, usage }: SpokenResponse): Document {
  const prompt = usage.fresh + usage.cached;
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "provider-model",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          ...(thinking === "" ? {} : { reasoning_content: thinking }),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: usage.output,
      total_tokens: prompt + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
    },
  };
}

/** Anthropic's whole response. */
export function asMessage({ thinking, text, calls, usage }: SpokenResponse): Document {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "provider-model",
    content: [
      ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: "Eq" }]),
      ...(text === "" ? [] : [textBlock(text)]),
      ...calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.input })),
    ],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: usage.fresh,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
    },
  };
}
