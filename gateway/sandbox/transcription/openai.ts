import { billsSeconds } from "../../core/transcription/transcription-units.ts";
import { EVENT_STREAM, type Exchange, getModel, prepare, type Route, sendJson, sendStream } from "../exchange.ts";
import { invalidValue } from "../failure.ts";
import type { Seed } from "../seed.ts";
import { countTokens, getTokens } from "../tokens.ts";
import { createSandboxTranscript, type SandboxTranscript } from "./sandbox-transcript.ts";
import { type SoundForm, soundForm } from "./sound-form.ts";

/** `POST …/audio/transcriptions` and `…/audio/translations` (docs/providers/openai.md#transcriptions). */
export const transcriptionRoutes: readonly Route[] = [
  { method: "POST", path: "/v1/audio/transcriptions", handle: (exchange) => respond(exchange, "transcription") },
  { method: "POST", path: "/v1/audio/translations", handle: (exchange) => respond(exchange, "translation") },
];

/** Tokens of a second of sound. */
const TOKENS_PER_SECOND = 10;
const EVENTS_BEFORE_CUT = 2;

async function respond(exchange: Exchange, capability: "transcription" | "translation"): Promise<void> {
  const form = await soundForm(exchange);
  const spec = getModel(exchange, form.text("model"), capability);
  const format = form.text("response_format") ?? "json";
  const formats: readonly string[] = spec.transcription?.formats ?? [];
  if (!formats.includes(format)) {
    throw invalidValue("response_format", `response_format '${format}' is not compatible with model '${spec.id}'.`);
  }
  const prompt = form.text("prompt") ?? "";
  const bySecond = billsSeconds(spec.price);
  // "Streaming is not supported for whisper-1 and will be ignored."
  const streams = form.text("stream") === "true" && !formats.includes("verbose_json");
  const manner = await prepare(exchange, prompt, streams);
  if (manner === null) return;
  const what = createSandboxTranscript(form.seconds, form.seed);
  const usage = bySecond ? { type: "duration", seconds: Math.ceil(form.seconds) } : getUsage(form, what, prompt);
  if (!streams) return sendJson(exchange, getDocument(form, what, format, capability, usage));
  const events = [...getEvents(form, what, format), { type: "transcript.text.done", text: what.text, usage }];
  const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  await sendStream(exchange, EVENT_STREAM, frames, manner, EVENTS_BEFORE_CUT);
}

function getUsage({ seconds }: SoundForm, { text }: SandboxTranscript, prompt: string): object {
  const audio_tokens = Math.ceil(seconds * TOKENS_PER_SECOND);
  const text_tokens = countTokens(prompt);
  const output_tokens = countTokens(text);
  const input_tokens = audio_tokens + text_tokens;
  return {
    type: "tokens",
    total_tokens: input_tokens + output_tokens,
    input_tokens,
    input_token_details: { text_tokens, audio_tokens },
    output_tokens,
  };
}

function getDocument(
  form: SoundForm,
  { text, segments, words }: SandboxTranscript,
  format: string,
  capability: "transcription" | "translation",
  usage: object,
): object {
  const duration = Math.round(form.seconds * 100) / 100;
  if (format === "diarized_json") {
    return { task: "transcribe", duration, text, segments: segments.map(speakerSegment), usage };
  }
  if (format !== "verbose_json") {
    const logprobs = form.list("include[]").includes("logprobs") ? { logprobs: getLogprobs(text, form.seed) } : {};
    return { text, ...logprobs, usage };
  }
  const granularities = form.list("timestamp_granularities[]");
  const plain = segments.map(({ start, end, text: segmentText }, id) => ({
    id,
    seek: 0,
    start,
    end,
    text: segmentText,
    tokens: getTokens(segmentText).map((_, index) => 50_364 + index),
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 1.2,
    no_speech_prob: 0.01,
  }));
  return {
    task: capability === "translation" ? "translate" : "transcribe",
    language: capability === "translation" ? "english" : (form.text("language") ?? "english"),
    duration,
    text,
    ...(granularities.length === 0 || granularities.includes("segment") ? { segments: plain } : {}),
    ...(granularities.includes("word") ? { words: words.map(({ word, start, end }) => ({ word, start, end })) } : {}),
    usage,
  };
}

type Event = Readonly<Record<string, unknown>>;

function getEvents(form: SoundForm, { text, segments }: SandboxTranscript, format: string): readonly Event[] {
  if (format === "diarized_json") return segments.map(speakerSegment);
  const hasLogprobs = form.list("include[]").includes("logprobs");
  return getTokens(text).map((delta) => ({
    type: "transcript.text.delta",
    delta,
    ...(hasLogprobs ? { logprobs: getLogprobs(delta, form.seed) } : {}),
  }));
}

function speakerSegment({ start, end, text, speaker }: SandboxTranscript["segments"][number], index: number): Event {
  return { type: "transcript.text.segment", id: `seg_${index}`, start, end, text, speaker };
}

function getLogprobs(text: string, seed: Seed): readonly object[] {
  return getTokens(text).map((token, index) => ({
    token,
    logprob: -seed.number(`logprob ${index} ${token}`, 1_000) / 1_000,
    bytes: [...Buffer.from(token)],
  }));
}
