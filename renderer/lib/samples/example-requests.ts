import type { SampleRequest } from "./sample-request.ts";

/** Kinds of examples: the capabilities of models, and the API of Anthropic's SDK. */
export const exampleKinds = [
  "chat",
  "messages",
  "embedding",
  "speech",
  "transcription",
  "translation",
  "image",
  "image_edit",
  "video",
  "moderation",
] as const;
export type ExampleKind = (typeof exampleKinds)[number];

const EXAMPLES: Readonly<Record<ExampleKind, (model: string) => SampleRequest>> = {
  chat: (model) => ({ path: "/v1/chat/completions", body: { model, messages: [HELLO] } }),
  messages: (model) => ({ path: "/v1/messages", body: { model, max_tokens: 200, messages: [HELLO] } }),
  embedding: (model) => ({ path: "/v1/embeddings", body: { model, input: "A heron over the marsh" } }),
  speech: (model) => ({ path: "/v1/audio/speech", body: { model, input: "Good morning.", voice: "alloy" } }),
  transcription: (model) => ({ path: "/v1/audio/transcriptions", body: withFile(model, "speech.mp3") }),
  translation: (model) => ({ path: "/v1/audio/translations", body: withFile(model, "speech.mp3") }),
  image: (model) => ({ path: "/v1/images/generations", body: { model, prompt: "A heron over the marsh" } }),
  image_edit: (model) => ({ path: "/v1/images/edits", body: edit(model) }),
  video: (model) => ({
    path: "/v1/videos/generations",
    body: { model, prompt: "A heron takes off from the marsh" },
  }),
  moderation: (model) => ({ path: "/v1/moderations", body: { model, input: "Good morning." } }),
};

const HELLO = { role: "user", content: "Say hello." } as const;

/** The smallest call that a model answers. */
export const exampleRequest = (kind: ExampleKind, model: string): SampleRequest => EXAMPLES[kind](model);

function edit(model: string): FormData {
  const form = new FormData();
  form.set("model", model);
  form.set("prompt", "Make it evening");
  form.set("image", new Blob(), "picture.png");
  return form;
}

function withFile(model: string, name: string): FormData {
  const form = new FormData();
  form.set("model", model);
  form.set("file", new Blob(), name);
  return form;
}
