import { asList, isRecord, mapItems } from "../../lib/records.ts";
import { readNumber, readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { buildMessageResponse, findFirstChoice } from "../messages-to-chat/response.ts";
import type { RequestFacts } from "../messages-to-chat/response.ts";
import { MessagesStream } from "../messages-to-chat/stream.ts";
import { parsedArguments } from "../messages-to-chat/tool-arguments.ts";
import type { Document } from "../translation.ts";

/** Facts of the request that its response needs. */
export interface OllamaRequest {
  readonly shape: "chat" | "generate";
  readonly facts: RequestFacts;
  /** Whether the client switched thinking off: then it is not shown, even if the model thought. */
  readonly hidesThinking: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Nanoseconds since the request arrived. */
  readonly elapsed: () => number;
}

/** Pieces of a message. */
interface Pieces {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly Document[];
  readonly logprobs?: unknown;
}

/** Writes the texts of a completion's choices as messages. */
const writeMessages = (completion: Document): Document =>
  mapItems(completion, "choices", (choice) =>
    typeof choice["text"] === "string"
      ? { ...choice, message: { content: choice["text"] }, delta: { content: choice["text"] } }
      : choice,
  );

/** Converts a chat completion, or a completion of text, to a whole response. */
export function buildOllamaResponse(given: Document, request: OllamaRequest): Document {
  const completion = writeMessages(given);
  const message = buildMessageResponse(completion, request.facts, {});
  let text = "";
  let thinking = "";
  const calls: Document[] = [];
  for (const block of readRecords(message["content"])) {
    text += readText(block["text"]) ?? "";
    thinking += readText(block["thinking"]) ?? "";
    if (block["type"] === "tool_use") calls.push(buildCall(block, block["input"], calls.length));
  }
  const logprobs = readLogprobs(completion);
  const pieces = { text, thinking, calls, ...(logprobs === null ? {} : { logprobs }) };
  return {
    ...buildChunk(pieces, request),
    ...buildEnd(message["stop_reason"], completion["usage"], request, null),
  };
}

/** Chunks of a chat stream as Ollama's: texts as they come, each call whole when its arguments are complete. */
export class OllamaStream {
  readonly #request: OllamaRequest;
  readonly #messages: MessagesStream;
  #usage: unknown = null;
  /** Nanoseconds from the arrival to the first chunk. */
  #firstAt: number | null = null;
  /** Call whose arguments are being streamed. */
  #call: Document | null = null;
  #input = "";
  #calls = 0;
  #reason: unknown = null;

  constructor(request: OllamaRequest) {
    this.#request = request;
    this.#messages = new MessagesStream(request.facts);
  }

  /** @param given chunk of a chat completion, or of a completion of text */
  read(given: Document): readonly Document[] {
    const chunk = writeMessages(given);
    this.#firstAt ??= this.#request.elapsed();
    if (isRecord(chunk["usage"])) this.#usage = chunk["usage"];
    const logprobs = readLogprobs(chunk);
    const pieces = this.#messages.event(chunk).flatMap((event) => this.#readEvent(event) ?? []);
    if (logprobs !== null) pieces[0] = { ...pieces[0], logprobs };
    return pieces.map((piece) => buildChunk(piece, this.#request));
  }

  /** Returns the closing chunks. Called once, and not after an error. */
  end(): readonly Document[] {
    const pieces = this.#messages.end({}).flatMap((event) => this.#readEvent(event) ?? []);
    const last = {
      ...buildChunk({}, this.#request),
      ...buildEnd(this.#reason, this.#usage, this.#request, this.#firstAt),
    };
    return [...pieces.map((piece) => buildChunk(piece, this.#request)), last];
  }

  #readEvent(event: Document): Pieces | null {
    const delta = readRecord(event["delta"]);
    const block = readRecord(event["content_block"]);
    if (block["type"] === "tool_use") {
      this.#call = block;
      this.#input = "";
    }
    this.#input += readText(delta["partial_json"]) ?? "";
    this.#reason = delta["stop_reason"] ?? this.#reason;
    if (event["type"] === "content_block_stop" && this.#call !== null) {
      const call = buildCall(this.#call, parsedArguments(this.#input), this.#calls);
      this.#call = null;
      this.#calls += 1;
      return { calls: [call] };
    }
    const text = readText(delta["text"]);
    if (text !== null) return { text };
    const thinking = readText(delta["thinking"]);
    return thinking === null || this.#request.hidesThinking ? null : { thinking };
  }
}

function buildCall(block: Document, input: unknown, index: number): Document {
  return { id: block["id"], function: { index, name: block["name"], arguments: readRecord(input) } };
}

/** Log probabilities of tokens, whose items have the same names at OpenAI and Ollama. */
function readLogprobs(chunk: Document): unknown {
  const { content } = readRecord(findFirstChoice(chunk)["logprobs"]);
  return asList(content).length === 0 ? null : content;
}

function buildChunk({ text = "", thinking = "", calls = [], logprobs }: Pieces, request: OllamaRequest): Document {
  const shown = thinking === "" || request.hidesThinking ? {} : { thinking };
  const called = calls.length === 0 ? {} : { tool_calls: calls };
  return {
    model: request.facts.context.publicModel,
    created_at: new Date(request.now()).toISOString(),
    ...(request.shape === "chat"
      ? { message: { role: "assistant", content: text, ...shown, ...called } }
      : { response: text, ...shown, ...called }),
    done: false,
    ...(logprobs === undefined ? {} : { logprobs }),
  };
}

/** Ollama's own words are `stop` and `length`, also after calls; what a provider has withheld is not a usual end. */
const REASONS: Readonly<Record<string, string>> = { max_tokens: "length", refusal: "content_filter" };

/** @param firstAt nanoseconds to the first chunk; null: not known */
function buildEnd(reason: unknown, usage: unknown, { elapsed }: OllamaRequest, firstAt: number | null): Document {
  const { prompt_tokens: prompt, completion_tokens: output } = readRecord(usage);
  const total = elapsed();
  return {
    done: true,
    done_reason: REASONS[String(reason)] ?? "stop",
    total_duration: total,
    load_duration: 0,
    ...(readNumber(prompt) === null ? {} : { prompt_eval_count: prompt }),
    prompt_eval_duration: firstAt ?? 0,
    ...(readNumber(output) === null ? {} : { eval_count: output }),
    // Clients divide by it.
    eval_duration: Math.max(1, total - (firstAt ?? 0)),
  };
}

/** The response to a request that only loads or unloads a model at Ollama. */
export function buildLoaded(request: OllamaRequest, keepAlive: unknown): Document {
  const isUnload = keepAlive === 0 || (typeof keepAlive === "string" && /^0[a-z]*$/.test(keepAlive));
  return { ...buildChunk({}, request), done: true, done_reason: isUnload ? "unload" : "load" };
}
