import { responsesRequestSchema } from "../../../contract/responses.ts";
import { errorBody } from "../../../core/errors.ts";
import type { Units } from "../../../core/models/model.ts";
import type { ReportedBill } from "../../../core/money/reported-bill.ts";
import { validator } from "../../../core/validation.ts";
import type { Document } from "../../../codecs/translation.ts";
import { isRecord, mapFields } from "../../../lib/records.ts";
import { CountedText } from "../../../core/money/text-tokens.ts";
import type { Noticed, StreamObserver } from "../../calls/stream-reader.ts";
import type { Dialect } from "../dialect.ts";

/** OpenAI's Responses API: `POST /v1/responses` (docs/providers/openai.md#responses). */
export const responsesDialect: Dialect = {
  name: "responses",
  form: "responses",
  family: "nested",
  responseName: "a response",
  check: validator(() => responsesRequestSchema),
  isResponse: (response): response is Document =>
    isRecord(response) && response["object"] === "response" && response["status"] !== "failed",
  getUsage: (response) => response["usage"],
  readBill: ({ service_tier, usage, model, output }) => ({ service_tier, usage, model, output }),
  getText: (response) => (Array.isArray(response["output"]) ? JSON.stringify(response["output"]) : ""),
  observer: (toUnits) => new ResponsesObserver(toUnits),
  mapText: (map) => (event) =>
    mapFields(event, ["delta"], `${String(event["item_id"])} ${String(event["content_index"])}`, map),
  frame: getFrame,
  endMark: "",
  closing: "",
  heartbeat: ": keep-alive\n\n",
  inBand: (error, requestId) => {
    const body = errorBody(error, "nested", requestId);
    const { code, message, param } = body["error"] as Document;
    // Both forms that OpenAI itself was seen to send.
    return getFrame({ type: "error", code, message, param, error: body["error"] });
  },
};

function getFrame(data: Document): string {
  return `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;
}

const OPENING: ReadonlySet<unknown> = new Set(["response.created", "response.in_progress", "response.queued"]);

class ResponsesObserver implements StreamObserver {
  usage: Units | null = null;
  readonly partlyCounted = false;
  readonly delivered = new CountedText();
  started = false;
  finished = false;
  failure: Document | null = null;
  reported: ReportedBill = {};
  readonly #toUnits: (usage: unknown) => Units | null;

  constructor(toUnits: (usage: unknown) => Units | null) {
    this.#toUnits = toUnits;
  }

  notice(data: Document): Noticed {
    const type = data["type"];
    if (type === "response.failed") {
      const { response } = data;
      if (isRecord(response) && isRecord(response["error"])) this.failure = { error: response["error"] };
      return "error";
    }
    if (type === "error" || isRecord(data["error"])) return "error";
    // An error discards everything before an item.
    this.started ||= !OPENING.has(type);
    if (type === "response.completed" || type === "response.incomplete") {
      const response = data["response"];
      if (isRecord(response)) {
        this.usage = this.#toUnits(response["usage"]) ?? this.usage;
        this.reported = responsesDialect.readBill(response);
      }
      this.finished = true;
      return "last";
    }
    if (typeof data["delta"] === "string") this.delivered.add(data["delta"]);
    return "pass";
  }
}
