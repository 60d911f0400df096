import { isRecord } from "../../lib/records.ts";
import { KINDS } from "./capability.ts";
import type { Capability } from "./model.ts";

type Entry = Readonly<Record<string, unknown>>;

const NONE: readonly Capability[] = [];

/** Terms of lists for a kind of model, in lower case with hyphens; unknown terms are ignored. */
const WORDS: ReadonlyMap<string, readonly Capability[]> = new Map(
  (
    [
      [
        KINDS.chat,
        "chat chat-completion chat-completions completion completion-chat conversational language llm vlm text code messages " +
          "responses openai openai-response anthropic gemini generate text-generation text2text-generation " +
          "image-text-to-text image-to-text visual-question-answering",
      ],
      [
        KINDS.embedding,
        "embed embedding embeddings text-embedding text-embeddings feature-extraction sentence-similarity",
      ],
      [KINDS.speech, "speech tts text-to-speech text-to-audio text2audio audio-speech audio-generation"],
      [
        KINDS.transcription,
        "asr stt transcribe transcription translation audio-transcription speech-to-text speech-recognition audio2text " +
          "automatic-speech-recognition",
      ],
      [
        KINDS.image,
        "image images image-generation image-edit text-to-image text2image image-to-image image2image txt2img inpainting",
      ],
      [KINDS.video, "video videos video-generation openai-video text-to-video text2video image-to-video image2video"],
      [KINDS.moderation, "moderation moderations"],
      [NONE, "rerank reranker reranking text-ranking jina-rerank ocr"],
    ] as const
  ).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

/**
 * Fields in which lists state a model's purpose, the most specific first. Documented: `output_modalities`
 * (https://openrouter.ai/docs/client-sdks/typescript/models/architecture.md), `task` (github.com/speaches-ai/speaches,
 * src/speaches/api_types.py), `capabilities` of Mistral (docs.rs/crate/mistral-openapi-client), read 2026-11-28; the
 * others as in programs that read Xinference, GPUStack, Together, LiteLLM, Ollama and New API (guess).
 */
const FIELDS =
  "output_modalities model_ability model_type categories type task mode capabilities supported_endpoint_types".split(
    " ",
  );

/**
 * Reads the kinds of a model from an entry of a provider's list.
 * @returns undefined if not stated; empty for a kind without an endpoint here.
 */
export function readListedKinds(entry: Entry): readonly Capability[] | undefined {
  const architecture = isRecord(entry["architecture"]) ? entry["architecture"] : {};
  for (const field of FIELDS) {
    const words = readWords(entry[field] ?? architecture[field]);
    const kinds = words.flatMap((word) => WORDS.get(word) ?? []);
    // A model with audio input only is a transcription model.
    const hears = String(entry["input_modalities"] ?? architecture["input_modalities"]) === "audio";
    if (field === "output_modalities" && hears && kinds[0] === "chat") return KINDS.transcription;
    if (words.some((word) => WORDS.has(word))) return [...new Set(kinds)];
  }
  return undefined;
}

/** Reads terms from a string, a list, the true members of a record, or an object with a name (Cloudflare's `task`). */
function readWords(value: unknown): readonly string[] {
  const words = Array.isArray(value)
    ? value
    : isRecord(value)
      ? [value["name"], value["type"], ...Object.keys(value).filter((name) => value[name] === true)]
      : [value];
  return words.flatMap((word) => (typeof word === "string" ? [word.toLowerCase().replaceAll(/[\s_]+/g, "-")] : []));
}
