import type { Units } from "../../core/models/model.ts";
import { buildChatUsage } from "../chat-to-messages/usage.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document, StreamTranslation, TranslationContext } from "../translation.ts";
import { PART_BREAK, listDetails, formatReasoningText } from "./reasoning.ts";
import {
  readAnnotation,
  readArguments,
  formatContentText,
  finishReason,
  isCall,
  readTier,
  buildToolCall,
} from "./response.ts";

type TextField = "content" | "refusal" | "reasoning_content";

/** An item of the output while its events come. */
interface OpenItem {
  /** Index among the calls; null if it is not a call, or not yet known to be one. */
  call: number | null;
  isCustom: boolean;
  /** Fields of which a part was passed on: the closing event repeats them. */
  readonly sentParts: Set<string>;
  /** Last received part of the summary or the reasoning. */
  part: unknown;
  isDone: boolean;
}

/**
 * Translates the events of OpenAI's Responses API into chat chunks (docs/dialects.md#responses-stream-to-chat). Deltas
 * are forwarded immediately; content without deltas is sent when the item is done.
 */
export class ChatChunks implements StreamTranslation {
  readonly #context: TranslationContext;
  readonly #id: string;
  readonly #items = new Map<unknown, OpenItem>();
  /** Last item with text in each field; text of another item starts a new paragraph. */
  readonly #last = new Map<TextField, OpenItem>();
  #hasStarted = false;
  #calls = 0;
  #thoughts = 0;
  #finished = false;
  #served: Document = {};

  constructor(context: TranslationContext) {
    this.#context = context;
    this.#id = `chatcmpl-${context.newId()}`;
  }

  /** The role comes first, and nothing but usage comes after the finish reason. */
  event(event: Document): readonly Document[] {
    if (this.#finished) return [];
    const chunks = this.#translate(event);
    return this.#hasStarted || chunks.length === 0 ? chunks : [...this.#begin(), ...chunks];
  }

  end(units: Units): readonly Document[] {
    const chunks = this.#finished ? [] : [...this.#begin(), ...this.#finish({})];
    return [...chunks, { ...this.#head(), choices: [], usage: buildChatUsage(units) }];
  }

  #translate(event: Document): readonly Document[] {
    const delta = readText(event["delta"]);
    switch (event["type"]) {
      case "response.created":
        return this.#begin();
      case "response.output_item.added":
        return this.#add(event, readRecord(event["item"]));
      case "response.output_item.done":
        return this.#done(this.#findItem(event), readRecord(event["item"]));
      case "response.output_text.delta":
        return this.#say("content", event, delta);
      case "response.refusal.delta":
        return this.#say("refusal", event, delta);
      case "response.reasoning_summary_text.delta":
        return this.#say("reasoning_content", event, delta, event["summary_index"]);
      case "response.reasoning_text.delta":
        return this.#say("reasoning_content", event, delta, event["content_index"]);
      case "response.output_text.annotation.added":
        return this.#annotate(event);
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return delta === null ? [] : this.#argue(this.#findItem(event), delta);
      case "response.completed":
      case "response.incomplete":
        return this.#finish(readRecord(event["response"]));
      default:
        // Skips facts known from other events, tools that run at OpenAI, and events of newer versions.
        return [];
    }
  }

  #findItem(event: Document): OpenItem {
    const key = event["output_index"] ?? event["item_id"];
    const known = this.#items.get(key);
    if (known !== undefined) return known;
    const item = { call: null, isCustom: false, sentParts: new Set<string>(), part: undefined, isDone: false };
    this.#items.set(key, item);
    return item;
  }

  #add(event: Document, given: Document): readonly Document[] {
    const item = this.#findItem(event);
    if (!isCall(given) || item.call !== null) return [];
    item.call = this.#calls++;
    item.isCustom = given["type"] === "custom_tool_call";
    return [this.#chunk({ tool_calls: [{ index: item.call, ...buildToolCall(given, "") }] })];
  }

  /** @param part which of the item's the piece belongs to */
  #say(field: TextField, event: Document, piece: string | null, part: unknown = 0): readonly Document[] {
    return piece === null ? [] : this.#tell(field, this.#findItem(event), piece, part);
  }

  #tell(field: TextField, item: OpenItem, piece: string, part: unknown): readonly Document[] {
    const before = this.#last.get(field);
    const isNew = before !== undefined && (before !== item || (field === "reasoning_content" && item.part !== part));
    this.#last.set(field, item);
    item.part = part;
    item.sentParts.add(field);
    return [this.#chunk({ [field]: isNew ? PART_BREAK + piece : piece })];
  }

  #annotate(event: Document): readonly Document[] {
    this.#findItem(event).sentParts.add("annotations");
    const annotations = readAnnotation(readRecord(event["annotation"]));
    return annotations.length === 0 ? [] : [this.#chunk({ annotations })];
  }

  #argue({ call, isCustom, sentParts }: OpenItem, piece: string): readonly Document[] {
    if (call === null) return [];
    sentParts.add("arguments");
    const given = isCustom ? { custom: { input: piece } } : { function: { arguments: piece } };
    return [this.#chunk({ tool_calls: [{ index: call, ...given }] })];
  }

  #done(item: OpenItem, given: Document): readonly Document[] {
    if (item.isDone) return [];
    item.isDone = true;
    switch (given["type"]) {
      case "reasoning": {
        const details = listDetails(given, this.#thoughts++);
        return [
          ...this.#tellUntold("reasoning_content", item, formatReasoningText(given)),
          ...(details.length === 0 ? [] : [this.#chunk({ reasoning_details: details })]),
        ];
      }
      case "message":
        return [
          ...this.#tellUntold("content", item, formatContentText(given, "text")),
          ...this.#tellUntold("refusal", item, formatContentText(given, "refusal")),
        ];
      default:
        return isCall(given) ? this.#doneCall(item, given) : [];
    }
  }

  #tellUntold(field: TextField, item: OpenItem, text: string): readonly Document[] {
    return text === "" || item.sentParts.has(field) ? [] : this.#tell(field, item, text, 0);
  }

  #doneCall(item: OpenItem, given: Document): readonly Document[] {
    const whole = readArguments(given);
    if (item.call === null) {
      item.call = this.#calls++;
      return [this.#chunk({ tool_calls: [{ index: item.call, ...buildToolCall(given, whole) }] })];
    }
    return item.sentParts.has("arguments") || whole === "" ? [] : this.#argue(item, whole);
  }

  /** Some servers only send items in the closing event. */
  #finish(response: Document): readonly Document[] {
    this.#served = readTier(response);
    const output = this.#items.size === 0 ? readRecords(response["output"]) : [];
    const untold = output.flatMap((item, index) => this.#done(this.#findItem({ output_index: index }), item));
    this.#finished = true;
    return [...untold, this.#chunk({}, finishReason(response, this.#calls > 0))];
  }

  #begin(): readonly Document[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    return [this.#chunk({ role: "assistant", content: "" })];
  }

  #chunk(delta: Document, finish: string | null = null): Document {
    return { ...this.#head(), choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] };
  }

  #head(): Document {
    const { publicModel, now } = this.#context;
    return { id: this.#id, object: "chat.completion.chunk", created: now, model: publicModel, ...this.#served };
  }
}
