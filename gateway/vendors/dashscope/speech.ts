import type { Units } from "../../core/model.ts";
import { isRecord } from "../../lib/records.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import type { SpeechAdapter, SpeechCall } from "../speech.ts";

/** Said for models without rules of their own, which must have a voice too. */
const DEFAULT_VOICE = "Cherry";

/**
 * Qwen-TTS (upstreams reference 3.5). It always makes WAV; for MP3, which is encoded here, its samples are asked for as
 * they are spoken.
 */
export const speech: SpeechAdapter = {
  formats: ["mp3", "wav"],
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/api/v1/services/aigc/multimodal-generation/generation",
    headers: { ...bearerHeaders(secret), ...(call.format === "mp3" ? { "x-dashscope-sse": "enable" } : {}) },
    body: JSON.stringify({ model: call.upstreamModel, input: inputOf(call) }),
  }),
  answerKind: (contentType) => {
    if (contentType === "text/event-stream") return "pieces";
    return contentType === "application/json" ? "document" : null;
  },
  fromDocument: (body) => {
    const url = textOf(audioOf(body)?.["url"]);
    return url === null ? null : { url, units: unitsOf(body) };
  },
  fromEvent: (data) => {
    const audio = audioOf(data);
    if (audio === null) return null;
    const base64 = textOf(audio["data"]);
    const output = isRecord(data) && isRecord(data["output"]) ? data["output"] : {};
    const reason = output["finish_reason"];
    return {
      audio: base64 === null ? null : Buffer.from(base64, "base64"),
      url: textOf(audio["url"]),
      units: unitsOf(data),
      // The text "null" until the last event.
      done: typeof reason === "string" && reason !== "null" && reason !== "",
    };
  },
  statusOf: (frame) => {
    const status = /^:HTTP_STATUS\/(\d{3})\s*$/m.exec(frame)?.[1];
    return status === undefined ? null : Number(status);
  },
};

/** Instructions belong into `input` over HTTP, and only to models that follow them. */
function inputOf({ text, voice, instructions, body, model }: SpeechCall): Record<string, unknown> {
  const language = textOf(body["language_type"]);
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

function audioOf(body: unknown): Readonly<Record<string, unknown>> | null {
  if (!isRecord(body) || !isRecord(body["output"])) return null;
  const audio = body["output"]["audio"];
  return isRecord(audio) ? audio : null;
}

/** Characters, by the vendor's own count; tokens for the older models. */
function unitsOf(body: unknown): Units | null {
  if (!isRecord(body) || !isRecord(body["usage"])) return null;
  const { characters, input_tokens: input, output_tokens: output } = body["usage"];
  if (isCount(characters) && characters > 0) return { character: characters };
  return isCount(input) && isCount(output) && input + output > 0 ? { input, output } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
