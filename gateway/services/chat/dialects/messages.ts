import { messagesRequestSchema } from "../../../contract/messages.ts";
import { errorBody } from "../../../core/errors.ts";
import type { Units } from "../../../core/models/model.ts";
import type { ReportedBill } from "../../../core/money/reported-bill.ts";
import { validator } from "../../../core/validation.ts";
import type { Document } from "../../../codecs/translation.ts";
import { isRecord, mapFields, asRecord } from "../../../lib/records.ts";
import { CountedText } from "../../../core/money/text-tokens.ts";
import type { Noticed, StreamObserver } from "../../calls/stream-reader.ts";
import type { Dialect } from "../dialect.ts";

/**
 * Anthropic's Messages API: `POST /v1/messages` (docs/providers/anthropic.md#messages and
 * docs/providers/anthropic.md#streams).
 */
export const messagesDialect: Dialect = {
  name: "messages",
  form: "messages",
  family: "anthropic",
  responseName: "a message",
  check: validator(() => messagesRequestSchema),
  isResponse: (response): response is Document =>
    isRecord(response) && response["type"] === "message" && Array.isArray(response["content"]),
  getUsage: (response) => response["usage"],
  readBill: ({ usage, model }) => readReportedBill(asRecord(usage), model),
  getText: (response) => (Array.isArray(response["content"]) ? response["content"].map(getTextOfBlock).join("") : ""),
  observer: (toUnits) => new MessagesObserver(toUnits),
  mapText: (map) => (event) => {
    const { delta } = event;
    if (!isRecord(delta)) return event;
    const mapped = mapFields(delta, TEXTS, String(event["index"]), map);
    return mapped === delta ? event : { ...event, delta: mapped };
  },
  frame: getFrame,
  endMark: "",
  closing: getFrame({ type: "message_stop" }),
  heartbeat: getFrame({ type: "ping" }),
  inBand: (error, requestId) => getFrame(errorBody(error, "anthropic", requestId)),
};

const TEXTS = ["text", "thinking", "partial_json"];

function getFrame(data: Document): string {
  return `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;
}

function getTextOfBlock(block: unknown): string {
  if (!isRecord(block)) return "";
  if (typeof block["text"] === "string") return block["text"];
  if (typeof block["thinking"] === "string") return block["thinking"];
  return block["type"] === "tool_use" ? `${String(block["name"])}${JSON.stringify(block["input"])}` : "";
}

/** Reads the billing facts that Anthropic reports with its usage. */
function readReportedBill(usage: Document, model: unknown): ReportedBill {
  const { service_tier, speed, inference_geo } = usage;
  return { service_tier, speed, inference_geo, usage, model };
}

class MessagesObserver implements StreamObserver {
  readonly delivered = new CountedText();
  started = false;
  finished = false;
  #hasStarted = false;
  #usage: Units | null = null;
  /** Whether `message_delta` has sent its figures: those of `message_start` are preliminary. */
  #counted = false;
  /** Usage reported so far: later figures are cumulative and replace earlier ones field by field. */
  #reportedUsage: Record<string, unknown> = {};
  #model: unknown;
  readonly #toUnits: (usage: unknown) => Units | null;

  constructor(toUnits: (usage: unknown) => Units | null) {
    this.#toUnits = toUnits;
  }

  /** Usage; if the stream broke off before the provider's last figures, the output that passed is counted. */
  get usage(): Units | null {
    const usage = this.#usage;
    const missing = this.#missing;
    return usage === null || missing === 0 ? usage : { ...usage, output: (usage.output ?? 0) + missing };
  }

  get reported(): ReportedBill {
    return readReportedBill(this.#reportedUsage, this.#model);
  }

  get partlyCounted(): boolean {
    return this.#missing > 0;
  }

  get #missing(): number {
    const usage = this.#usage;
    if (usage === null || this.#counted) return 0;
    return Math.max(0, this.delivered.tokens - (usage.output ?? 0) - (usage.reasoning ?? 0));
  }

  notice(data: Document): Noticed {
    switch (data["type"]) {
      case "message_start":
        this.#hasStarted = true;
        if (isRecord(data["message"])) {
          this.#model = data["message"]["model"];
          this.#readUsage(data["message"]["usage"]);
        }
        return "pass";
      case "content_block_start":
        // An error discards everything before this event.
        this.started = true;
        if (isRecord(data["content_block"])) this.#add(data["content_block"]["name"]);
        return "pass";
      case "content_block_delta":
        if (isRecord(data["delta"])) this.#readDelta(data["delta"]);
        return "pass";
      case "message_delta":
        this.started = true;
        this.#readUsage(data["usage"]);
        if (isRecord(data["usage"])) this.#counted = true;
        if (isRecord(data["delta"]) && typeof data["delta"]["stop_reason"] === "string") this.finished = true;
        return "pass";
      case "message_stop":
        this.finished = this.started ||= this.#hasStarted;
        return "last";
      case "error":
        return "error";
      default:
        return isRecord(data["error"]) ? "error" : "pass";
    }
  }

  #readDelta(delta: Document): void {
    this.#add(delta["text"]);
    this.#add(delta["thinking"]);
    this.#add(delta["partial_json"]);
  }

  #add(text: unknown): void {
    if (typeof text === "string") this.delivered.add(text);
  }

  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    for (const [name, value] of Object.entries(usage)) if (value !== null) this.#reportedUsage[name] = value;
    this.#usage = this.#toUnits(this.#reportedUsage) ?? this.#usage;
  }
}
