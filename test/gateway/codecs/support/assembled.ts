import { expect } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";

type Fields = Record<string, unknown>;

/** Which deltas a block takes, and which of its fields grows by them. */
const DELTAS: Readonly<Record<string, readonly [field: string, from: string]>> = {
  text_delta: ["text", "text"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["signature", "signature"],
  input_json_delta: ["json", "partial_json"],
};
const TAKES: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
};

/**
 * The message that a Messages client makes of a stream, as Anthropic's SDK does it. Fails where the stream breaks the
 * protocol: one `message_start` first, one block open at a time, indexes from 0, deltas of the block's own kind, one
 * `message_delta` behind the blocks, `message_stop` last.
 */
export function assembledMessage(events: readonly Document[]): Fields {
  expect(events.map((event) => event["type"]).filter((type) => type === "message_start")).toHaveLength(1);
  expect(events[0]?.["type"]).toBe("message_start");
  expect(events.at(-1)).toEqual({ type: "message_stop" });
  expect(events.at(-2)?.["type"]).toBe("message_delta");
  const message = { ...(events[0]?.["message"] as Fields) };
  expect(message["content"]).toEqual([]);
  const blocks: Fields[] = [];
  let open: Fields | null = null;
  for (const event of events.slice(1, -2)) {
    if (event["type"] === "content_block_start") {
      expect(open).toBeNull();
      expect(event["index"]).toBe(blocks.length);
      open = { ...(event["content_block"] as Fields) };
      blocks.push(open);
      continue;
    }
    expect(event["index"]).toBe(blocks.length - 1);
    if (open === null) throw new Error(`no block is open for ${JSON.stringify(event)}`);
    if (event["type"] === "content_block_stop") {
      if (open["type"] === "tool_use") open["input"] = JSON.parse(textOf(open["json"]) || "{}");
      delete open["json"];
      open = null;
      continue;
    }
    expect(event["type"]).toBe("content_block_delta");
    grow(open, event["delta"] as Fields);
  }
  expect(open).toBeNull();
  const { delta, usage } = events.at(-2) as { readonly delta: Fields; readonly usage: Fields };
  return { ...message, content: blocks, ...delta, usage: { ...(message["usage"] as Fields), ...usage } };
}

function grow(block: Fields, delta: Fields): void {
  const type = textOf(delta["type"]);
  expect(TAKES[textOf(block["type"])]).toContain(type);
  const [field, from] = DELTAS[type] ?? ["", ""];
  const piece = delta[from];
  expect(piece).toBeTypeOf("string");
  expect(piece).not.toBe("");
  block[field] = textOf(block[field]) + textOf(piece);
}

const LISTS = ["thinking_blocks", "reasoning_details", "annotations"];

/**
 * The completion that a chat client makes of a stream, as OpenAI's SDK does it. Fails where the role is not in the first
 * delta, ids change, a call's index is skipped, or something follows the finish reason but the usage.
 */
export function assembledCompletion(chunks: readonly Document[]): Fields {
  const first = chunks[0] ?? {};
  const message: Fields = { content: null };
  const calls: Fields[] = [];
  let finish: unknown = null;
  let usage: unknown = null;
  chunks.forEach((chunk, position) => {
    expect(chunk).toMatchObject({ id: first["id"], object: "chat.completion.chunk", model: first["model"] });
    const choices = chunk["choices"] as readonly Fields[];
    if (choices.length === 0) {
      expect(position).toBe(chunks.length - 1);
      usage = chunk["usage"];
      return;
    }
    expect(finish).toBeNull();
    expect(choices).toHaveLength(1);
    const delta = choices[0]?.["delta"] as Fields;
    if (position === 0) expect(delta["role"]).toBe("assistant");
    for (const field of ["content", "reasoning_content"]) {
      if (delta[field] !== undefined) message[field] = textOf(message[field]) + textOf(delta[field]);
    }
    for (const field of LISTS) {
      if (Array.isArray(delta[field])) message[field] = [...((message[field] as Fields[]) ?? []), ...delta[field]];
    }
    for (const piece of (delta["tool_calls"] ?? []) as readonly Fields[]) addPiece(calls, piece);
    finish = choices[0]?.["finish_reason"] ?? null;
  });
  if (calls.length > 0) message["tool_calls"] = calls;
  return { message: { role: "assistant", ...message }, finish_reason: finish, usage };
}

/** A missing field is empty; one of another type fails. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new Error(`not a text: ${JSON.stringify(value)}`);
  return value;
}

function addPiece(calls: Fields[], piece: Fields): void {
  const { name, arguments: text } = piece["function"] as Fields;
  const index = Number(piece["index"]);
  const known = calls[index];
  if (known === undefined) {
    expect(index).toBe(calls.length);
    calls.push({ id: piece["id"], type: piece["type"], function: { name, arguments: text } });
    return;
  }
  const declared = known["function"] as Fields;
  declared["arguments"] = textOf(declared["arguments"]) + textOf(text);
}
