import { responsesRequestSchema } from "../../../contract/responses.ts";
import { errorBody } from "../../../core/errors.ts";
import type { Units } from "../../../core/models/model.ts";
import { validate } from "../../../core/validation.ts";
import type { Document } from "../../../codecs/translation.ts";
import { isRecord } from "../../../lib/records.ts";
import type { Dialect, Noticed, StreamObserver } from "../dialect.ts";

/** OpenAI's Responses API: `POST /v1/responses` (upstreams reference 1.7). */
export const responsesDialect: Dialect = {
  name: "responses",
  answerName: "a response",
  check: (body) => validate(responsesRequestSchema, body),
  isAnswer: (answer): answer is Document =>
    isRecord(answer) && answer["object"] === "response" && answer["status"] !== "failed",
  usageOf: (answer) => answer["usage"],
  textOf: (answer) => (Array.isArray(answer["output"]) ? JSON.stringify(answer["output"]) : ""),
  observer: (toUnits) => new ResponsesObserver(toUnits),
  frame,
  endMark: "",
  closing: "",
  heartbeat: ": keep-alive\n\n",
  inBand: (error, requestId) => {
    const body = errorBody(error, "nested", requestId);
    const { code, message, param } = body["error"] as Document;
    // Both forms that OpenAI itself was seen to send.
    return frame({ type: "error", code, message, param, error: body["error"] });
  },
};

function frame(data: Document): string {
  return `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;
}

class ResponsesObserver implements StreamObserver {
  usage: Units | null = null;
  readonly partlyCounted = false;
  delivered = "";
  started = false;
  finished = false;
  readonly #toUnits: (usage: unknown) => Units | null;

  constructor(toUnits: (usage: unknown) => Units | null) {
    this.#toUnits = toUnits;
  }

  notice(data: Document): Noticed {
    const type = data["type"];
    if (type === "error" || type === "response.failed" || isRecord(data["error"])) return "error";
    this.started = true;
    if (type === "response.completed" || type === "response.incomplete") {
      if (isRecord(data["response"])) this.usage = this.#toUnits(data["response"]["usage"]) ?? this.usage;
      this.finished = true;
      return "last";
    }
    if (typeof data["delta"] === "string") this.delivered += data["delta"];
    return "pass";
  }
}
