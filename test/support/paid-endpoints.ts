import { formOf } from "./forms.ts";
import { PIXEL_BASE64 } from "./image-acts.ts";
import { png } from "./pictures.ts";
import { samplesOf, wavFile } from "./sound.ts";

type Json = Readonly<Record<string, unknown>>;

/** A request of an endpoint, and who is asked for it. */
export interface Endpoint {
  readonly path: string;
  /** Where the provider is asked. */
  readonly route: string;
  readonly body: Json | (() => FormData);
  /** The first event of a streamed response. */
  readonly first?: string;
}

const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: Json): string => `event: ${String(data["type"])}\n${event(data)}`;

const SAID = { messages: [{ role: "user", content: "Say some words." }] };
const CHAT = "POST /openai/v1/chat/completions";
const RESPONSES = "POST /openai/v1/responses";
const MESSAGES = "POST /anthropic/v1/messages";
const SPEECH = "POST /openai/v1/audio/speech";
const TRANSCRIPTIONS = "POST /openai/v1/audio/transcriptions";
const IMAGES = "POST /openai/v1/images/generations";
const EDITS = "POST /openai/v1/images/edits";

const CHUNK = event({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: { role: "assistant", content: "some words " }, finish_reason: null }],
});
const DELTA = named({
  type: "response.output_text.delta",
  sequence_number: 1,
  item_id: "i",
  output_index: 0,
  content_index: 0,
  delta: "some words ",
});
const START = named({
  type: "message_start",
  message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage: { input_tokens: 9 } },
});
const BLOCK =
  START +
  named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
  named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "some words " } });
const PARTIAL = named({ type: "image_generation.partial_image", b64_json: PIXEL_BASE64, partial_image_index: 0 });
const form = (): FormData => formOf({ model: "delta-image-1", prompt: "Add a hat" }, [["image", png()]]);
const received = (model: string, fields: Readonly<Record<string, string>> = {}): FormData =>
  formOf({ model, ...fields }, [["file", wavFile(samplesOf(2)), "speech.wav"]]);

/** Every endpoint that costs something at once, by the way it answers. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  chat: { path: "/chat/completions", route: CHAT, body: { model: "gpt-4.1", ...SAID } },
  "chat, streamed": {
    path: "/chat/completions",
    route: CHAT,
    body: { model: "gpt-4.1", ...SAID, stream: true },
    first: CHUNK,
  },
  "chat at Anthropic": { path: "/chat/completions", route: MESSAGES, body: { model: "claude-sonnet-5", ...SAID } },
  messages: { path: "/messages", route: MESSAGES, body: { model: "claude-sonnet-5", ...SAID, max_tokens: 500 } },
  "messages, streamed": {
    path: "/messages",
    route: MESSAGES,
    body: { model: "claude-sonnet-5", ...SAID, max_tokens: 500, stream: true },
    first: BLOCK,
  },
  responses: { path: "/responses", route: RESPONSES, body: { model: "gpt-4.1", input: "Say some words." } },
  "responses, streamed": {
    path: "/responses",
    route: RESPONSES,
    body: { model: "gpt-4.1", input: "Say some words.", stream: true },
    first: DELTA,
  },
  embeddings: {
    path: "/embeddings",
    route: "POST /openai/v1/embeddings",
    body: { model: "text-embedding-3-small", input: ["one", "two"] },
  },
  speech: {
    path: "/audio/speech",
    route: SPEECH,
    body: { model: "gpt-4o-mini-tts", voice: "alloy", input: "Say some words.", stream_format: "sse" },
    first: event({ type: "speech.audio.delta", audio: Buffer.alloc(64).toString("base64") }),
  },
  transcriptions: { path: "/audio/transcriptions", route: TRANSCRIPTIONS, body: () => received("gpt-transcribe") },
  "transcriptions, streamed": {
    path: "/audio/transcriptions",
    route: TRANSCRIPTIONS,
    body: () => received("gpt-4o-transcribe", { stream: "true" }),
    first: event({ type: "transcript.text.delta", delta: "some words " }),
  },
  translations: {
    path: "/audio/translations",
    route: "POST /openai/v1/audio/translations",
    body: () => received("whisper-1"),
  },
  images: { path: "/images/generations", route: IMAGES, body: { model: "delta-image-1", prompt: "A fox" } },
  "images, streamed": {
    path: "/images/generations",
    route: IMAGES,
    body: { model: "delta-image-1", prompt: "A fox", stream: true, partial_images: 1 },
    first: PARTIAL,
  },
  edits: { path: "/images/edits", route: EDITS, body: form },
};
