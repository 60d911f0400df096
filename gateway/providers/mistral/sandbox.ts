import { chatRoute } from "../../sandbox/chat/converse.ts";
import {
  EVENT_STREAM,
  type Exchange,
  getModel,
  prepare,
  type Protocol,
  providersId,
  sendJson,
  sendStream,
} from "../../sandbox/exchange.ts";
import { MISTRAL_MODERATION, moderationsRoute } from "../../sandbox/moderations.ts";
import { countTokens, getTokens } from "../../sandbox/tokens.ts";
import { createSandboxTranscript } from "../../sandbox/transcription/sandbox-transcript.ts";
import { soundForm } from "../../sandbox/transcription/sound-form.ts";

/** The sandbox as Mistral (docs/providers/mistral.md). */
export const sandbox: Protocol = {
  routes: [
    chatRoute("/v1"),
    { method: "POST", path: "/v1/audio/transcriptions", handle: transcribe },
    moderationsRoute(MISTRAL_MODERATION),
  ],
};

const EVENTS_BEFORE_CUT = 2;

/** Sandbox behaviour is requested in place of a prompt: among the expected words. */
async function transcribe(exchange: Exchange): Promise<void> {
  const form = await soundForm(exchange);
  const model = providersId(getModel(exchange, form.text("model"), "transcription"));
  const streams = form.text("stream") === "true";
  const manner = await prepare(exchange, form.list("context_bias").join(" "), streams);
  if (manner === null) return;
  const { text, segments, words } = createSandboxTranscript(form.seconds, form.seed);
  const language = form.text("language") ?? null;
  const completion_tokens = countTokens(text);
  const usage = {
    prompt_audio_seconds: Math.ceil(form.seconds),
    prompt_tokens: 4,
    completion_tokens,
    total_tokens: 4 + completion_tokens,
  };
  const named = form.text("diarize") === "true";
  const shown = (
    part: { readonly start: number; readonly end: number; readonly speaker?: string },
    segmentText: string,
  ) => ({
    text: segmentText,
    start: part.start,
    end: part.end,
    ...(named ? { speaker_id: `speaker_${part.speaker}` } : {}),
    type: "transcription_segment",
  });
  const granularities = form.text("timestamp_granularities");
  const parts =
    granularities === "word"
      ? words.map((word) => shown(word, word.word))
      : granularities === "segment"
        ? segments.map((segment) => shown(segment, segment.text))
        : [];
  const done = { model, text, language, segments: parts, usage };
  if (!streams) return sendJson(exchange, done);
  const events = [
    ...getTokens(text).map((delta) => ({ type: "transcription.text.delta", text: delta })),
    ...parts.map((part) => ({ ...part, type: "transcription.segment" })),
    { type: "transcription.done", ...done },
  ];
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  await sendStream(exchange, EVENT_STREAM, frames, manner, EVENTS_BEFORE_CUT);
}
