import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import { readNumber, readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";

/** Deltas of a block that add to one of its texts. */
const TEXTS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
};

/** A message of Anthropic's, assembled from its stream events. */
export class MessageBuilder {
  #head: Document = {};
  /** Keys are the provider's numbers, which may be any: a list would have that many places. */
  readonly #blocks = new Map<number, Record<string, unknown>>();
  readonly #inputs = new Map<number, string>();
  #usage: Document = {};

  /** The blocks as they are by now. */
  get content(): readonly Document[] {
    return [...this.#blocks.values()];
  }

  get usage(): Document {
    return this.#usage;
  }

  get message(): Document {
    return { ...this.#head, content: this.content, usage: this.#usage };
  }

  add(event: Document): void {
    const index = readNumber(event["index"]) ?? -1;
    switch (event["type"]) {
      case "message_start":
        this.#head = readRecord(event["message"]);
        this.#usage = readRecord(this.#head["usage"]);
        return;
      case "content_block_start":
        return this.#start(index, readRecord(event["content_block"]));
      case "content_block_delta":
        return this.#delta(index, readRecord(event["delta"]));
      case "content_block_stop":
        return this.#close(index);
      case "message_delta":
        this.#head = { ...this.#head, ...readRecord(event["delta"]) };
        this.#usage = { ...this.#usage, ...withoutNulls(readRecord(event["usage"])) };
        return;
      default:
    }
  }

  /** Copied, because the event itself is forwarded to the client. */
  #start(index: number, block: Document): void {
    const { citations } = block;
    this.#blocks.set(index, Array.isArray(citations) ? { ...block, citations: [...citations] } : { ...block });
  }

  #delta(index: number, delta: Document): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    const type = String(delta["type"]);
    const field = TEXTS[type];
    if (field !== undefined) block[field] = `${readText(block[field]) ?? ""}${readText(delta[field]) ?? ""}`;
    else if (type === "input_json_delta") {
      this.#inputs.set(index, (this.#inputs.get(index) ?? "") + (readText(delta["partial_json"]) ?? ""));
    } else if (type === "citations_delta") {
      const cited: unknown = block["citations"];
      if (Array.isArray(cited)) cited.push(readRecord(delta["citation"]));
      else block["citations"] = [readRecord(delta["citation"])];
    }
  }

  #close(index: number): void {
    const json = this.#inputs.get(index) ?? "";
    const block = this.#blocks.get(index);
    if (json === "" || block === undefined) return;
    try {
      const input: unknown = JSON.parse(json);
      block["input"] = isRecord(input) ? input : {};
    } catch {
      // The input is truncated, so it is empty, as at the client.
      block["input"] = {};
    }
  }
}

const withoutNulls = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null && value !== undefined));

/** Converts a complete message to stream events, with each block sent at once. */
export function toEvents(message: Document): readonly Document[] {
  const { content, stop_reason, stop_sequence, ...head } = message;
  return [
    { type: "message_start", message: { ...head, content: [], stop_reason: null, stop_sequence: null } },
    ...readRecords(content).flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block["type"] === "text" ? { ...block, text: "" } : block },
      ...(block["type"] === "text"
        ? [{ type: "content_block_delta", index, delta: { type: "text_delta", text: block["text"] } }]
        : []),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage: head["usage"] ?? {} },
    { type: "message_stop" },
  ];
}
