import type { Document } from "../translation.ts";
import { asList } from "../../lib/records.ts";
import { readNumber, readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { buildJsonSchema } from "./schema.ts";
import { buildTools } from "./tools.ts";
import { buildTurns } from "./turns.ts";

/**
 * Converts a Google request to Anthropic's Messages format, which can then be translated to chat. Fields missing in
 * Anthropic's format keep their chat names. Never throws; unsupported features are refused by the translation
 * (translate.ts).
 * @param body in camelCase, with `model` and `stream` from its path
 */
export function buildMessagesForm(body: Document): Document {
  const config = readRecord(body["generationConfig"]);
  const format = buildFormat(config);
  const system = [readSystem(body["systemInstruction"]), ...(format["response_format"] === undefined ? [] : [IN_JSON])]
    .filter((text) => text !== "")
    .join("\n\n");
  const stops = asList(config["stopSequences"]);
  return {
    model: body["model"],
    ...(body["stream"] === true ? { stream: true } : {}),
    ...(system === "" ? {} : { system }),
    messages: buildTurns(body["contents"]),
    ...copyNumbers(config),
    ...(stops.length === 0 ? {} : { stop_sequences: stops }),
    ...buildTools(body),
    ...buildThinking(readRecord(config["thinkingConfig"])),
    ...format,
    ...buildModalities(asList(config["responseModalities"])),
    ...(body["cachedContent"] == null ? {} : { cached_content: body["cachedContent"] }),
  };
}

function readSystem(instruction: unknown): string {
  if (typeof instruction === "string") return instruction;
  const texts = readRecords(readRecord(instruction)["parts"]).flatMap((part) => readText(part["text"]) ?? []);
  return texts.join("\n\n");
}

const NUMBERS = {
  maxOutputTokens: "max_tokens",
  temperature: "temperature",
  topP: "top_p",
  topK: "top_k",
  seed: "seed",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  candidateCount: "n",
} as const;

function copyNumbers(config: Document): Document {
  const copied: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(NUMBERS)) {
    const value = readNumber(config[name]);
    if (value !== null) copied[own] = value;
  }
  return copied;
}

/**
 * Builds thinking from `thinkingBudget` or the newer `thinkingLevel`. A budget of -1 leaves it to the model, like an
 * omitted one (ai.google.dev/gemini-api/docs/thinking, 2026-11-29).
 */
function buildThinking({ thinkingBudget, thinkingLevel, includeThoughts }: Document): Document {
  const shown = includeThoughts === true ? { include_thoughts: true } : {};
  const level = readText(thinkingLevel)?.toLowerCase() ?? "thinking_level_unspecified";
  if (level !== "thinking_level_unspecified")
    return { ...shown, thinking: { type: "adaptive" }, output_config: { effort: level } };
  const budget = readNumber(thinkingBudget);
  if (budget === null || budget < 0) return shown;
  return { ...shown, thinking: budget === 0 ? { type: "disabled" } : { type: "enabled", budget_tokens: budget } };
}

/** OpenAI refuses JSON mode without the word in the prompt (platform.openai.com/docs/guides/structured-outputs, 2026-11-29). */
export const IN_JSON = "Respond in JSON.";

function buildFormat(config: Document): Document {
  const schema = config["responseJsonSchema"] ?? buildJsonSchema(config["responseSchema"]);
  const type = readText(config["responseMimeType"]) ?? "text/plain";
  if (type === "text/plain") return {};
  if (type !== "application/json") return { response_mime_type: type };
  if (schema == null) return { response_format: { type: "json_object" } };
  return { output_format: { type: "json_schema", schema } };
}

function buildModalities(given: readonly unknown[]): Document {
  const modalities = given.map((modality) => String(modality).toLowerCase());
  return modalities.every((modality) => modality === "text") ? {} : { modalities };
}
