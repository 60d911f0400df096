import { tokenCount } from "../../core/chat/chat-usage.ts";
import type { Units } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import type { SpeechAdapter, SpeechCall } from "../speech.ts";
import { buildBearerHeaders } from "../wire-request.ts";

/**
 * The common dialect's `/audio/speech` (docs/providers/openai.md#speech), as OpenAI and local speech servers speak it.
 */
export const speech: SpeechAdapter = {
  formats: null,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/audio/speech",
    headers: { ...buildBearerHeaders(secret), accept: call.events === "provider" ? "text/event-stream" : "*/*" },
    body: JSON.stringify(readBody(call)),
  }),
  responseKind: (contentType) => {
    if (contentType === "text/event-stream") return "relay";
    // Local servers send a file without its type.
    return contentType.startsWith("audio/") || contentType === "application/octet-stream" ? "audio" : null;
  },
  fromDocument: () => null,
  fromEvent: (data) => {
    if (!isRecord(data)) return null;
    if (data["type"] === "speech.audio.delta" && typeof data["audio"] === "string") {
      return { audio: Buffer.from(data["audio"], "base64"), url: null, units: null, done: false };
    }
    if (data["type"] !== "speech.audio.done") return null;
    return { audio: null, url: null, units: readUnits(data["usage"]), done: true };
  },
  readStatus: () => null,
};

/** Builds the client's body with the provider's model and voice; unknown fields are forwarded. */
function readBody({ body, upstreamModel, voice, format }: SpeechCall): Record<string, unknown> {
  return {
    ...body,
    model: upstreamModel,
    ...(voice === null ? {} : { voice }),
    ...(body["response_format"] == null ? {} : { response_format: format }),
  };
}

/** All tokens of a response are its sound's. */
function readUnits(usage: unknown): Units | null {
  if (!isRecord(usage)) return null;
  const input = tokenCount(usage["input_tokens"]);
  const output = tokenCount(usage["output_tokens"]);
  return input === null || output === null ? null : { input, audio_output: output };
}
