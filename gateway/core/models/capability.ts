import type { ModelKind } from "../../contract/connection.ts";
import type { Capability } from "./model.ts";

/** The paths that serve each capability, the usual one first. */
export const ENDPOINTS: Readonly<Record<Capability, readonly string[]>> = {
  chat: ["/v1/chat/completions", "/v1/responses"],
  messages: ["/v1/messages"],
  embedding: ["/v1/embeddings"],
  speech: ["/v1/audio/speech"],
  transcription: ["/v1/audio/transcriptions"],
  translation: ["/v1/audio/translations"],
  image: ["/v1/images/generations"],
  image_edit: ["/v1/images/edits"],
  video: ["/v1/videos/generations", "/v1/videos"],
  moderation: ["/v1/moderations"],
};

/** Endpoints of each kind that a user can choose. */
export const KINDS = {
  chat: ["chat"],
  embedding: ["embedding"],
  speech: ["speech"],
  transcription: ["transcription", "translation"],
  image: ["image", "image_edit"],
  video: ["video"],
  moderation: ["moderation"],
} as const satisfies Readonly<Record<ModelKind, readonly Capability[]>>;

/** Adds Anthropic's dialect, in which every chat model is available. */
export function withMessages(capabilities: readonly Capability[]): readonly Capability[] {
  if (!capabilities.includes("chat") || capabilities.includes("messages")) return capabilities;
  return capabilities.flatMap((capability): readonly Capability[] =>
    capability === "chat" ? ["chat", "messages"] : [capability],
  );
}

/** Name patterns of models that are not for chat; all other names count as chat models. */
const MARKS: readonly (readonly [RegExp, readonly Capability[]])[] = [
  [/embed|(^|[-/])bge-|(^|[-/])e5-|(^|[-/])gte-|(^|[-/])voyage-/i, ["embedding"]],
  [/(^|[-/_])tts([-/_]|$)|(^|[-/])(kokoro|piper|orpheus|chatterbox|cosyvoice)/i, ["speech"]],
  [/rerank|realtime|(^|[-/])gpt-live-/i, []],
  [/moderation/i, ["moderation"]],
  // The turbo model was made without translations (https://github.com/openai/whisper/discussions/2363).
  [/whisper(?!.*turbo)/i, ["transcription", "translation"]],
  // Voxtral models without a task in their name chat about audio and also transcribe it at a separate endpoint.
  [/voxtral(?!.*transcribe)/i, ["chat", "transcription"]],
  [/whisper|transcribe|(^|[-/_])(stt|asr)([-/_]|$)|(^|[-/])(parakeet|canary)/i, ["transcription"]],
  [/imagen/i, ["image"]],
  [/dall-e|(^|[-/_])image([-/_]|$)|flux|stable-diffusion/i, ["image", "image_edit"]],
  [/(^|[-/_])video([-/_]|$)|(^|[-/])sora|(^|[-/])veo/i, ["video"]],
];

/** Guesses the capabilities of a model that only a provider's list knows. It sorts lists and refuses no request. */
export function guessCapabilities(id: string): readonly Capability[] {
  for (const [mark, capabilities] of MARKS) if (mark.test(id)) return capabilities;
  return ["chat"];
}
