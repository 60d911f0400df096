import { beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { readListedKinds } from "../../../../gateway/core/models/listed-kinds.ts";
import { embedAct } from "../../../support/embedding-acts.ts";
import { PIXEL_BASE64 } from "../../../support/image-acts.ts";
import { CHAT, errorOf, providersAt } from "../../../support/running-gateway.ts";
import { TRANSCRIPT, soundForm, transcribe } from "../../../support/transcription-acts.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";

/** What a model is for is said by its user, its list or its owner; where only its name says it, the server decides. */

type Endpoint =
  | "chat"
  | "embeddings"
  | "images"
  | "edits"
  | "speech"
  | "transcriptions"
  | "translations"
  | "moderations";
const NAMES: readonly (readonly [Endpoint, string])[] = [
  ["embeddings", "all-minilm all-minilm:latest sentence-transformers/all-mpnet-base-v2 team-vectors thenlper/gte_base"],
  [
    "embeddings",
    "Snowflake/snowflake-arctic-m mxbai-large jinaai/jina-v3 BAAI/bge_m3 Qwen3-0.6B rerank-vectors stella_en_1.5B",
  ],
  [
    "embeddings",
    "paraphrase-multilingual-MiniLM-L12-v2 intfloat_e5 m3e-base LaBSE llama-3.2-nv-retriever gpt-image-vectors",
  ],
  [
    "images",
    "Kwai-Kolors/Kolors sdxl-turbo playground-v2.5 juggernaut-xl ideogram-v3 recraft-v3 HiDream-I1-Full Qwen-Draw",
  ],
  ["edits", "step1x black-forest-labs/kontext OmniGen2 whisper-of-the-sea"],
  ["speech", "xtts-v2 fishaudio/fish-speech-1.5 hexgrad/Kokoro_82M suno/bark f5 dia-1.6b melo parler-mini index-audio"],
  [
    "transcriptions",
    "FunAudioLLM/SenseVoiceSmall Systran/faster-distil-large-v3 telespeech moonshine-base wav2vec2 qwen3-omni-hear",
  ],
  ["translations", "seamless-m4t whisper-large-v3-turbo"],
  ["chat", "llava-image gemma-3n-asr-chat video-llama moderation-assistant embed-chat tts-writer qwen-image-chat"],
  ["moderations", "llama-guard-3 shieldgemma-9b granite-guardian"],
];
const CASES = NAMES.flatMap(([endpoint, ids]) => ids.split(" ").map((id) => [endpoint, id] as const));

const COMPLETION = {
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const wire = useWire();
const LISTED = reply(200, {
  data: [
    ...CASES.map(([, id]) => ({ id, object: "model", owned_by: "library" })),
    { id: "said-vectors", type: "embedding" },
    { id: "said-chat", task: "text-generation" },
  ],
});
const postern = useGateway(() => {
  wire.on("GET /v1/models", LISTED);
  return { env: providersAt({ COMPATIBLE: `${wire.origin}/v1` }) };
});
beforeEach(() => {
  wire.reset();
  wire.on("GET /v1/models", LISTED);
  wire.on("POST /v1/chat/completions", reply(200, COMPLETION));
  wire.on("POST /v1/embeddings", embedAct());
  for (const path of ["generations", "edits"])
    wire.on(`POST /v1/images/${path}`, reply(200, { created: 1, data: [{ b64_json: PIXEL_BASE64 }] }));
  wire.on("POST /v1/audio/speech", replyBytes("audio/mpeg", Buffer.from("ID3")));
  for (const path of ["transcriptions", "translations"]) wire.on(`POST /v1/audio/${path}`, reply(200, TRANSCRIPT));
  wire.on("POST /v1/moderations", reply(200, { id: "m", model: "m", results: [{ flagged: false }] }));
});

const ask: Readonly<Record<Endpoint, (model: string) => Promise<Response>>> = {
  chat: (model) => postern.chat({ ...CHAT, model }),
  embeddings: (model) => postern.post("/embeddings", { model, input: "a" }),
  images: (model) => postern.post("/images/generations", { model, prompt: "a cat" }),
  edits: (model) =>
    postern.post("/images/edits", { model, prompt: "x", images: [`data:image/png;base64,${PIXEL_BASE64}`] }),
  speech: (model) => postern.post("/audio/speech", { model, input: "hi", voice: "x" }),
  transcriptions: (model) => transcribe(postern, soundForm({ model })),
  translations: (model) => transcribe(postern, soundForm({ model }), { path: "translations" }),
  moderations: (model) => postern.post("/moderations", { model, input: "hi" }),
};

it.each(CASES)("%s of %s is the server's to serve", async (endpoint, id) => {
  const response = await ask[endpoint](id);
  expect([response.status, wire.seen.length, await response.text()]).toEqual([200, 1, expect.any(String)]);
  const named = await ask[endpoint](`Compatible/${id.toUpperCase()}`);
  expect([named.status, wire.seen.length]).toEqual([200, 2]);
});

it.each<[Endpoint, string]>([
  ["chat", "said-vectors"],
  ["embeddings", "said-chat"],
])("%s of %s, whose list says otherwise, is refused", async (endpoint, id) => {
  const response = await ask[endpoint](id);
  const { code, param, message } = await errorOf(response);
  expect([response.status, code, param]).toEqual([400, "endpoint_model_mismatch", "model"]);
  expect(message).toContain(endpoint === "chat" ? "/v1/embeddings" : "/v1/chat/completions");
  expect(wire.seen).toEqual([]);
});

it.each<[string, Readonly<Record<string, unknown>>, readonly string[] | undefined]>([
  [
    "OpenRouter",
    { architecture: { input_modalities: ["text", "image"], output_modalities: ["image", "text"] } },
    ["image", "image_edit", "chat"],
  ],
  ["OpenRouter, of vectors", { architecture: { output_modalities: ["embeddings"] } }, ["embedding"]],
  [
    "the Hugging Face router, of a model that hears",
    { architecture: { input_modalities: ["audio"], output_modalities: ["text"] } },
    ["transcription", "translation"],
  ],
  ["Together", { type: "transcribe" }, ["transcription", "translation"]],
  ["Together, of sound, which is either", { type: "audio" }, undefined],
  ["LM Studio", { type: "embeddings", compatibility_type: "gguf", capabilities: ["tool_use"] }, ["embedding"]],
  ["Ollama", { capabilities: ["completion", "vision", "tools"] }, ["chat"]],
  ["Ollama, of vectors", { capabilities: ["embedding"] }, ["embedding"]],
  ["Mistral", { type: "base", capabilities: { completion_chat: true, moderation: false, vision: true } }, ["chat"]],
  ["Mistral, of no chat", { type: "base", capabilities: { completion_chat: false, moderation: true } }, ["moderation"]],
  ["Mistral, of vectors", { type: "base", capabilities: { completion_chat: false, moderation: false } }, undefined],
  ["Xinference", { model_type: "audio", model_ability: ["text2audio", "text2audio_zero_shot"] }, ["speech"]],
  ["Xinference, of words", { model_type: "LLM", model_ability: ["generate", "chat", "vision"] }, ["chat"]],
  ["GPUStack", { meta: {}, categories: ["speech_to_text"] }, ["transcription", "translation"]],
  ["GPUStack, of what it does not know", { categories: ["unknown"] }, undefined],
  ["DeepInfra", { type: "text-to-image" }, ["image", "image_edit"]],
  ["speaches", { task: "automatic-speech-recognition" }, ["transcription", "translation"]],
  ["Cloudflare", { task: { name: "Text Embeddings" } }, ["embedding"]],
  ["GitHub Copilot", { capabilities: { type: "embeddings", supports: {} } }, ["embedding"]],
  ["New API", { supported_endpoint_types: ["image-generation", "openai"] }, ["image", "image_edit", "chat"]],
  ["a list of models that put texts in order", { type: "rerank" }, []],
  ["vLLM and OpenAI", { object: "model", owned_by: "vllm" }, undefined],
  ["Anthropic", { type: "model", capabilities: { image_input: { supported: true } } }, undefined],
  ["what no one knows", { type: 7, task: null, capabilities: { chat: "yes" }, categories: [{}] }, undefined],
])("the list of %s says what a model is for", (_, entry, kinds) => {
  expect(readListedKinds(entry)).toEqual(kinds);
});

describe("what the user says", () => {
  const models = [{ id: "team-VECTORS", kind: "embedding" }, { id: "said-chat", kind: "embedding" }, { id: "by/hand" }];
  it("goes before lists and names, and names what no list has", async () => {
    const input = { provider: "openai-compatible", name: "House", base_url: `${wire.origin}/v1`, models };
    const made = await postern.ask<ConnectionView>("POST", "/connections", input);
    expect(made.own_models).toEqual(models);
    const views = async () => (await postern.ask<{ data: ModelView[] }>("GET", "/models")).data;
    const kindsOf = async (id: string) => (await views()).find((model) => model.id === id)?.capabilities;
    expect(await kindsOf("by/hand")).toEqual(["chat", "messages"]);
    expect((await ask.embeddings("house/said-chat")).status).toBe(200);
    expect((await ask.chat("house/team-vectors")).status).toBe(400);
    expect((await ask.chat("BY/hand")).status).toBe(200);
    expect(wire.seen.map(({ json }) => (json as { model: string }).model)).toEqual(["said-chat", "by/hand"]);
    await postern.ask("PATCH", `/connections/${made.id}`, { models: [{ id: "by/hand", kind: "speech" }] });
    expect(await kindsOf("by/hand")).toEqual(["speech"]);
    expect((await ask.speech("by/hand")).status).toBe(200);
    await postern.ask("PATCH", `/connections/${made.id}`, { models: [] });
    expect((await ask.speech("by/hand")).status).toBe(404);
    await postern.ask("DELETE", `/connections/${made.id}`);
  });
});

it.each([404, 200])("a server without a list of its own is asked for what no list has (%i)", async (status) => {
  expect((await ask.embeddings("no-list/vectors_1")).status).toBe(404);
  wire.on("GET /none/v1/models", reply(status, { data: [] })).on("POST /none/v1/embeddings", embedAct());
  const input = { provider: "openai-compatible", name: "None", base_url: `${wire.origin}/none/v1` };
  const { id } = await postern.ask<ConnectionView>("POST", "/connections", input);
  await postern.ask("POST", `/connections/${id}/test`);
  expect((await ask.embeddings("no-list/vectors_1")).status).toBe(200);
  expect(wire.seen.map(({ json }) => (json as { model: string }).model)).toEqual(["no-list/vectors_1"]);
  await postern.ask("DELETE", `/connections/${id}`);
});

it("videos of a model whose name says nothing are the server's to make", async () => {
  wire.on("POST /v1/videos", reply(200, { id: "video_1", object: "video", status: "queued", model: "said-nothing" }));
  const response = await postern.post("/videos", { model: "step1x", prompt: "A kite", seconds: "5", size: "832x480" });
  expect([response.status, wire.seen[0]?.path]).toEqual([200, "/v1/videos"]);
});
