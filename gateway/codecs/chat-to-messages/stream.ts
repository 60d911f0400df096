import type { Units } from "../../core/models/model.ts";
import { readRecord, readText } from "../messages-to-chat/fields.ts";
import { cleanToolId } from "../messages-to-chat/tool-ids.ts";
import type { Document, StreamTranslation } from "../translation.ts";
import { signedThinking } from "./response.ts";
import type { RequestFacts } from "./response.ts";
import { finishReason } from "./finish-reason.ts";
import { buildChatUsage } from "./usage.ts";

/** A block that is still being streamed. */
interface OpenBlock {
  readonly kind: "text" | "thinking" | "call" | "answer";
  /** The call's index among the calls. */
  readonly call: number;
  /** The block of the start event. */
  readonly start: Document;
  thinking: string;
  signature: string;
  hasInput: boolean;
}

/**
 * A stream of Anthropic's events as chat chunks (docs/dialects.md#messages-stream-to-chat). Calls are counted from 0 by
 * themselves, because blocks of text and thinking have no index in the chat dialect.
 */
export class ChatStream implements StreamTranslation {
  readonly #request: RequestFacts;
  readonly #id: string;
  readonly #open = new Map<unknown, OpenBlock>();
  #hasStarted = false;
  #calls = 0;
  #finished = false;

  constructor(request: RequestFacts) {
    this.#request = request;
    this.#id = `chatcmpl-${request.context.newId()}`;
  }

  /** Sends the role first, whatever the provider starts with; after the finish reason only usage. */
  event(event: Document): readonly Document[] {
    if (this.#finished) return [];
    const chunks = this.#translateEvent(event);
    if (this.#hasStarted || chunks.length === 0) return chunks;
    return [...this.#begin(), ...chunks];
  }

  #translateEvent(event: Document): readonly Document[] {
    switch (event["type"]) {
      case "message_start":
        return this.#begin();
      case "content_block_start":
        return this.#startBlock(event["index"], readRecord(event["content_block"]));
      case "content_block_delta":
        return this.#readDelta(event["index"], readRecord(event["delta"]));
      case "content_block_stop":
        return this.#stopBlock(event["index"]);
      case "message_delta": {
        // Some servers send usage in a separate event before the one that ends the message.
        const delta = readRecord(event["delta"]);
        return readText(delta["stop_reason"]) === null ? [] : this.#finish(delta);
      }
      default:
        // Pings, `message_stop`, and what newer versions add.
        return [];
    }
  }

  end(units: Units): readonly Document[] {
    const chunks = this.#finished ? [] : [...this.#begin(), ...this.#finish({})];
    return [...chunks, { ...this.#head(), choices: [], usage: buildChatUsage(units) }];
  }

  #begin(): readonly Document[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    return [this.#chunk({ role: "assistant", content: "" })];
  }

  #startBlock(index: unknown, block: Document): readonly Document[] {
    const kind = this.#readKind(block);
    if (kind === null) {
      const redacted = signedThinking(block);
      return redacted === null ? [] : [this.#chunk({ thinking_blocks: [redacted] })];
    }
    const call = kind === "call" ? this.#calls++ : 0;
    this.#open.set(index, { kind, call, start: block, thinking: "", signature: "", hasInput: false });
    if (kind !== "call") return this.#readBlockStart(index, block);
    const name = this.#request.names.toClient(readText(block["name"]) ?? "");
    const id = cleanToolId(readText(block["id"]) ?? "");
    return [this.#chunk({ tool_calls: [{ index: call, id, type: "function", function: { name, arguments: "" } }] })];
  }

  #readKind(block: Document): OpenBlock["kind"] | null {
    switch (block["type"]) {
      case "text":
      case "thinking":
        return block["type"];
      case "tool_use":
        return block["name"] === this.#request.outputTool ? "answer" : "call";
      default:
        return null;
    }
  }

  /** Blocks start empty at Anthropic, but not at every server with its dialect. */
  #readBlockStart(index: unknown, block: Document): readonly Document[] {
    const text = readText(block["text"]);
    const thinking = readText(block["thinking"]);
    if (text !== null) return this.#readDelta(index, { type: "text_delta", text });
    return thinking === null ? [] : this.#readDelta(index, { type: "thinking_delta", thinking });
  }

  #readDelta(index: unknown, delta: Document): readonly Document[] {
    const block = this.#open.get(index);
    if (block === undefined) return [];
    switch (delta["type"]) {
      case "text_delta":
        return this.#createTextChunk("content", readText(delta["text"]));
      case "thinking_delta":
        block.thinking += readText(delta["thinking"]) ?? "";
        return this.#createTextChunk("reasoning_content", readText(delta["thinking"]));
      case "signature_delta":
        block.signature += readText(delta["signature"]) ?? "";
        return [];
      case "input_json_delta":
        return this.#given(block, readText(delta["partial_json"]));
      default:
        return [];
    }
  }

  #createTextChunk(field: "content" | "reasoning_content", piece: string | null): readonly Document[] {
    return piece === null ? [] : [this.#chunk({ [field]: piece })];
  }

  #given(block: OpenBlock, piece: string | null): readonly Document[] {
    if (piece === null) return [];
    block.hasInput = true;
    if (block.kind === "answer") return this.#createTextChunk("content", piece);
    return [this.#chunk({ tool_calls: [{ index: block.call, function: { arguments: piece } }] })];
  }

  #stopBlock(index: unknown): readonly Document[] {
    const block = this.#open.get(index);
    if (block === undefined) return [];
    this.#open.delete(index);
    if (block.kind === "thinking") {
      const signature = block.signature === "" ? block.start["signature"] : block.signature;
      const signed = signedThinking({ type: "thinking", thinking: block.thinking, signature });
      return signed === null ? [] : [this.#chunk({ thinking_blocks: [signed] })];
    }
    if (block.kind === "text" || block.hasInput) return [];
    // A call without input has no deltas; and some servers send the whole input at the start of the block.
    return this.#given(block, JSON.stringify(readRecord(block.start["input"])));
  }

  #finish(delta: Document): readonly Document[] {
    this.#finished = true;
    const refusal = readText(readRecord(delta["stop_details"])["explanation"]);
    return [this.#chunk(refusal === null ? {} : { refusal }, finishReason(delta["stop_reason"], this.#calls > 0))];
  }

  #chunk(delta: Document, finish: string | null = null): Document {
    return { ...this.#head(), choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] };
  }

  #head(): Document {
    const { context } = this.#request;
    return { id: this.#id, object: "chat.completion.chunk", created: context.now, model: context.publicModel };
  }
}
