import { buildMessagesForm } from "../../../codecs/gemini-to-chat/request.ts";
import type { Document } from "../../../codecs/translation.ts";
import { geminiRequestSchema } from "../../../contract/gemini.ts";
import { errorBody } from "../../../core/errors.ts";
import type { Units } from "../../../core/models/model.ts";
import { CountedText } from "../../../core/money/text-tokens.ts";
import type { ReportedBill } from "../../../core/money/reported-bill.ts";
import { validate } from "../../../core/validation.ts";
import { asList, asRecord, isRecord, mapFields, mapItems } from "../../../lib/records.ts";
import type { MapPiece } from "../../../lib/records.ts";
import type { Noticed, StreamObserver } from "../../calls/stream-reader.ts";
import type { Dialect } from "../dialect.ts";

/**
 * Google's Gemini API: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`
 * (docs/providers/gemini.md#native-requests).
 */
export const geminiDialect: Dialect = {
  name: "gemini",
  form: "messages",
  family: "google",
  toForm: buildMessagesForm,
  responseName: "a response of Gemini's",
  check: (body) => validate(geminiRequestSchema, body),
  // A prompt that was blocked has no candidates, and clients read why.
  isResponse: (response): response is Document =>
    isRecord(response) && (asList(response["candidates"]).length > 0 || isBlocked(response)),
  getUsage: (response) => response["usageMetadata"],
  readBill: readReported,
  getText: (response) => listParts(response).map(getTextOfPart).join(""),
  observer: (toUnits) => new GeminiObserver(toUnits),
  mapText: (map) => (event) =>
    mapItems(event, "candidates", (candidate, index) =>
      mapCandidate(candidate, `${candidate["index"] as number | undefined}/${index}`, map),
    ),
  frame: getFrame,
  endMark: "",
  closing: "",
  // Google's Python SDK takes any other line for a part of the JSON (google-genai 2.3, `_iter_response_stream`, 2026-11-29).
  heartbeat: "\n",
  inBand: (error, requestId) => getFrame(errorBody(error, "google", requestId)),
};

function getFrame(data: Document): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function isBlocked(response: Document): boolean {
  return asRecord(response["promptFeedback"])["blockReason"] != null;
}

function readReported({ usageMetadata: usage, modelVersion: model }: Document): ReportedBill {
  return { usage, model, service_tier: asRecord(usage)["serviceTier"] };
}

function listParts(response: Document): readonly Document[] {
  return asList(response["candidates"]).flatMap((candidate) =>
    asList(asRecord(asRecord(candidate)["content"])["parts"]).filter(isRecord),
  );
}

function getTextOfPart({ text, functionCall: call }: Document): string {
  if (typeof text === "string") return text;
  return isRecord(call) ? `${String(call["name"])}${JSON.stringify(call["args"] ?? {})}` : "";
}

function mapCandidate(candidate: Document, run: string, map: MapPiece): Document {
  const { content } = candidate;
  if (!isRecord(content)) return candidate;
  const mapped = mapItems(content, "parts", (part) =>
    mapFields(part, ["text"], `${run} ${String(part["thought"])}`, map),
  );
  return mapped === content ? candidate : { ...candidate, content: mapped };
}

class GeminiObserver implements StreamObserver {
  usage: Units | null = null;
  readonly partlyCounted = false;
  readonly delivered = new CountedText();
  started = false;
  finished = false;
  reported: ReportedBill = {};
  readonly #toUnits: (usage: unknown) => Units | null;

  constructor(toUnits: (usage: unknown) => Units | null) {
    this.#toUnits = toUnits;
  }

  notice(chunk: Document): Noticed {
    if (isRecord(chunk["error"])) return "error";
    for (const part of listParts(chunk)) this.delivered.add(getTextOfPart(part));
    const candidates = asList(chunk["candidates"]);
    this.started ||= candidates.length > 0 || isBlocked(chunk);
    // The finish reason is in the last chunk with text; usage may follow it.
    if (isBlocked(chunk) || candidates.some((candidate) => asRecord(candidate)["finishReason"] != null))
      this.finished = true;
    if (chunk["usageMetadata"] != null) {
      this.usage = this.#toUnits(chunk["usageMetadata"]) ?? this.usage;
      this.reported = readReported(chunk);
    }
    return "pass";
  }
}
