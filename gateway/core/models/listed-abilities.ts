import { isRecord } from "../../lib/records.ts";
import type { Abilities } from "./model.ts";

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads a model's abilities from an entry of a provider's own list, in the known shapes
 * (docs/providers/openai-compatible.md#what-models-take). A value of an unexpected type is ignored, and an ability
 * missing in a list is unknown, unless the provider documents the list as complete.
 * @returns undefined without any information
 */
export function listedAbilities(entry: Entry): Abilities | undefined {
  const abilities = { ...byModalities(entry), ...byParameters(entry), ...byKind(entry), ...byCapabilities(entry) };
  return Object.keys(abilities).length === 0 ? undefined : abilities;
}

/**
 * Reads `architecture.input_modalities` (OpenRouter, llama.cpp) and `input_modalities` (xAI), which are complete except
 * for files: OpenRouter reads PDFs for models that do not take them.
 */
function byModalities(entry: Entry): Abilities {
  const architecture = isRecord(entry["architecture"]) ? entry["architecture"] : {};
  const modalities = listWords(architecture["input_modalities"]) ?? listWords(entry["input_modalities"]);
  if (modalities === null) return {};
  return { pictures: modalities.includes("image"), ...(modalities.includes("file") && { files: true }) };
}

/**
 * Reads `supported_parameters` (OpenRouter), which is complete. `response_format` alone may mean JSON without a schema;
 * web search is also available as a plugin.
 */
function byParameters(entry: Entry): Abilities {
  const parameters = listWords(entry["supported_parameters"]);
  if (parameters === null) return {};
  const schema = parameters.includes("structured_outputs");
  return {
    tools: parameters.includes("tools"),
    ...((schema || !parameters.includes("response_format")) && { json_schema: schema }),
    ...(parameters.includes("web_search_options") && { web_search: true }),
  };
}

/** Reads `type` in LM Studio's own list, recognized by `compatibility_type`: `llm` takes only text. */
function byKind({ type, compatibility_type: format }: Entry): Abilities {
  if (typeof format !== "string" || (type !== "vlm" && type !== "llm")) return {};
  return { pictures: type === "vlm" };
}

/** `capabilities` as a list of words (Ollama, LM Studio), of switches (Mistral, LM Studio) or of objects (Anthropic). */
function byCapabilities({ capabilities }: Entry): Abilities {
  const named = listWords(capabilities);
  if (named !== null)
    return {
      ...(named.includes("vision") && { pictures: true }),
      ...((named.includes("tools") || named.includes("tool_use")) && { tools: true }),
    };
  if (!isRecord(capabilities)) return {};
  const { vision, function_calling: tools, trained_for_tool_use: trained } = capabilities;
  const supported = (name: string): unknown =>
    isRecord(capabilities[name]) ? capabilities[name]["supported"] : undefined;
  return {
    ...readAbility("pictures", vision),
    ...readAbility("pictures", supported("image_input")),
    ...readAbility("files", supported("pdf_input")),
    ...readAbility("tools", tools),
    // Models that were not trained for tools are given them all the same.
    ...(trained === true && { tools: true }),
    ...readAbility("json_schema", supported("structured_outputs")),
  };
}

function readAbility(ability: keyof Abilities, value: unknown): Abilities {
  return typeof value === "boolean" ? { [ability]: value } : {};
}

/** Null if it is not a list of strings. */
function listWords(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.filter((word) => typeof word === "string");
  return found.length === 0 ? null : found;
}
