import { chatRequestSchema } from "../../../contract/chat.ts";
import { errorBody } from "../../../core/errors.ts";
import type { Units } from "../../../core/models/model.ts";
import type { ReportedBill } from "../../../core/money/reported-bill.ts";
import { failedChoice, readFinish } from "../../../codecs/finish.ts";
import { isError } from "../../calls/whole-response.ts";
import { validator } from "../../../core/validation.ts";
import type { Document } from "../../../codecs/translation.ts";
import { isRecord, mapFields, mapItems } from "../../../lib/records.ts";
import type { MapPiece } from "../../../lib/records.ts";
import { CountedText } from "../../../core/money/text-tokens.ts";
import type { Noticed, StreamObserver } from "../../calls/stream-reader.ts";
import type { Dialect } from "../dialect.ts";

/** The common chat API: `POST /v1/chat/completions`. */
export const chatDialect: Dialect = {
  name: "chat",
  form: "chat",
  family: "nested",
  responseName: "a chat completion",
  check: validator(() => chatRequestSchema),
  isResponse: (response): response is Document =>
    isRecord(response) &&
    Array.isArray(response["choices"]) &&
    response["choices"].length > 0 &&
    failedChoice(response["choices"]) === null,
  getUsage: (response) => response["usage"],
  readBill: ({ service_tier, usage, model }) => ({ service_tier, usage, model }),
  getText: (response) => (Array.isArray(response["choices"]) ? response["choices"].map(getTextOfChoice).join("") : ""),
  observer: (toUnits) => new ChatObserver(toUnits),
  mapText(map) {
    const mapOne = (choice: Document, index: number): Document => mapChoice(choice, index, map);
    return (chunk) => mapItems(chunk, "choices", mapOne);
  },
  frame: (data) => `data: ${JSON.stringify(data)}\n\n`,
  endMark: "data: [DONE]\n\n",
  closing: "",
  heartbeat: ": keep-alive\n\n",
  inBand: (error, requestId) => `data: ${JSON.stringify(errorBody(error, "nested", requestId))}\n\n`,
};

function getTextOfChoice(choice: unknown): string {
  const message = isRecord(choice) ? choice["message"] : null;
  if (!isRecord(message)) return "";
  let text = "";
  for (const field of ["content", "reasoning_content", "reasoning"]) {
    if (typeof message[field] === "string") text += message[field];
  }
  return Array.isArray(message["tool_calls"]) ? text + JSON.stringify(message["tool_calls"]) : text;
}

const TEXTS = ["content", "reasoning_content", "reasoning", "refusal"] as const;

function mapChoice(choice: Document, place: number, map: MapPiece): Document {
  const { delta, index = place } = choice;
  if (!isRecord(delta)) return choice;
  const texts = mapFields(delta, TEXTS, String(index), map);
  // The function of before tools.
  const named = mapObject(texts, "function_call", ["arguments"], String(index), map);
  const mapped = named["tool_calls"] === undefined ? named : mapCalls(named, String(index), map);
  return mapped === delta ? choice : { ...choice, delta: mapped };
}

function mapCalls(delta: Document, index: string, map: MapPiece): Document {
  return mapItems(delta, "tool_calls", (call, at) => {
    const { index: number = at } = call;
    const run = `${index} ${String(number)}`;
    return mapObject(mapObject(call, "function", ["arguments"], run, map), "custom", ["input"], run, map);
  });
}

/** Maps texts of an object within an object. */
function mapObject(object: Document, name: string, fields: readonly string[], run: string, map: MapPiece): Document {
  const inner = object[name];
  if (!isRecord(inner)) return object;
  const mapped = mapFields(inner, fields, run, map);
  return mapped === inner ? object : { ...object, [name]: mapped };
}

/** Tells whether a delta has more than a role; what comes before that can still be replaced by an error. */
function saysSomething(delta: Document): boolean {
  for (const field in delta) {
    const value = delta[field];
    if (field === "role" || value === null || value === "" || (Array.isArray(value) && value.length === 0)) continue;
    return true;
  }
  return false;
}

export class ChatObserver implements StreamObserver {
  usage: Units | null = null;
  readonly partlyCounted = false;
  readonly delivered = new CountedText();
  started = false;
  failure: Document | null = null;
  #hasFailed = false;
  #tier: unknown;
  #usage: unknown;
  #model: unknown;
  /** Indices of choices that have started, and of those with a finish reason: `n` of them may be interleaved. */
  readonly #started = new Set<unknown>();
  readonly #done = new Set<unknown>();
  readonly #toUnits: (usage: unknown) => Units | null;

  constructor(toUnits: (usage: unknown) => Units | null) {
    this.#toUnits = toUnits;
  }

  get reported(): ReportedBill {
    return { service_tier: this.#tier, usage: this.#usage, model: this.#model };
  }

  /** All choices have a finish reason: the stream is complete even if `[DONE]` never comes. */
  get finished(): boolean {
    return this.#done.size > 0 && this.#done.size === this.#started.size;
  }

  notice(chunk: Document): Noticed {
    if (isError(chunk)) return "error";
    const choices = chunk["choices"];
    if (Array.isArray(choices)) for (const choice of choices) this.#readChoice(choice);
    if (this.#hasFailed) {
      this.failure = failedChoice(choices);
      return "error";
    }
    this.#tier = chunk["service_tier"] ?? this.#tier;
    this.#model ??= chunk["model"];
    const usage = chunk["usage"];
    if (usage !== undefined && usage !== null) {
      this.usage = this.#toUnits(usage) ?? this.usage;
      this.#usage = usage;
    }
    this.started ||= this.usage !== null;
    return "pass";
  }

  #readChoice(choice: unknown): void {
    if (!isRecord(choice)) return;
    this.#started.add(choice["index"]);
    const finish = readFinish(choice);
    if (finish === "failed") {
      this.#hasFailed = true;
      return;
    }
    if (finish !== null) {
      this.#done.add(choice["index"]);
      this.started = true;
    }
    const delta = choice["delta"];
    if (!isRecord(delta)) return;
    if (!this.started) this.started = saysSomething(delta);
    if (typeof delta["content"] === "string") this.delivered.add(delta["content"]);
    if (typeof delta["reasoning_content"] === "string") this.delivered.add(delta["reasoning_content"]);
    else if (typeof delta["reasoning"] === "string") this.delivered.add(delta["reasoning"]);
    if (Array.isArray(delta["tool_calls"])) for (const call of delta["tool_calls"]) this.#readToolCall(call);
  }

  #readToolCall(call: unknown): void {
    if (!isRecord(call) || !isRecord(call["function"])) return;
    const { name, arguments: text } = call["function"];
    if (typeof name === "string") this.delivered.add(name);
    if (typeof text === "string") this.delivered.add(text);
  }
}
