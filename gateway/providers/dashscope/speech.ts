import type { Units } from "../../core/models/model.ts";
import { tokenCount } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import type { SpeechAdapter, SpeechCall } from "../speech.ts";
import { buildNativeHeaders } from "./headers.ts";

/** Default voice for models without rules, which require one. */
const DEFAULT_VOICE = "Cherry";

/**
 * Qwen-TTS (docs/providers/dashscope.md#speech). It only makes WAV. MP3 is encoded here, so samples are streamed.
 */
export const speech: SpeechAdapter = {
  formats: ["mp3", "wav"],
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/api/v1/services/aigc/multimodal-generation/generation",
    headers: buildNativeHeaders(secret, call.format === "mp3"),
    body: JSON.stringify({ model: call.upstreamModel, input: readInput(call) }),
  }),
  responseKind: (contentType) => {
    if (contentType === "text/event-stream") return "pieces";
    return contentType === "application/json" ? "document" : null;
  },
  fromDocument: (body) => {
    const url = readText(readAudio(body)?.["url"]);
    return url === null ? null : { url, units: readUnits(body) };
  },
  fromEvent: (data) => {
    const audio = readAudio(data);
    if (audio === null) return null;
    const base64 = readText(audio["data"]);
    const output = isRecord(data) && isRecord(data["output"]) ? data["output"] : {};
    const reason = output["finish_reason"];
    return {
      audio: base64 === null ? null : Buffer.from(base64, "base64"),
      url: readText(audio["url"]),
      units: readUnits(data),
      // The text "null" until the last event.
      done: typeof reason === "string" && reason !== "null" && reason !== "",
    };
  },
  readStatus: (frame) => {
    const status = /^:HTTP_STATUS\/(\d{3})\s*$/m.exec(frame)?.[1];
    return status === undefined ? null : Number(status);
  },
};

/** Instructions belong into `input` over HTTP, and only to models that follow them. */
function readInput({ text, voice, instructions, body, model }: SpeechCall): Record<string, unknown> {
  const language = readText(body["language_type"]);
  const instructed = model === null || model.speech?.instructions === true;
  const optimize = body["optimize_instructions"];
  return {
    text,
    voice: (typeof voice === "object" ? voice?.id : voice) ?? DEFAULT_VOICE,
    ...(language === null ? {} : { language_type: language }),
    ...(instructions === null ? {} : { instructions }),
    ...(instructed && typeof optimize === "boolean" ? { optimize_instructions: optimize } : {}),
  };
}

function readAudio(body: unknown): Readonly<Record<string, unknown>> | null {
  if (!isRecord(body) || !isRecord(body["output"])) return null;
  const audio = body["output"]["audio"];
  return isRecord(audio) ? audio : null;
}

/** Characters, by the provider's own count; tokens for the older models. */
function readUnits(body: unknown): Units | null {
  if (!isRecord(body) || !isRecord(body["usage"])) return null;
  const characters = tokenCount(body["usage"]["characters"]);
  if (characters !== null && characters > 0) return { character: characters };
  const input = tokenCount(body["usage"]["input_tokens"]);
  const output = tokenCount(body["usage"]["output_tokens"]);
  return input !== null && output !== null && input + output > 0 ? { input, audio_output: output } : null;
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
