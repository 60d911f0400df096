import type { OllamaModel, OllamaShow } from "../../contract/ollama.ts";
import { sha256 } from "../../lib/ids.ts";
import { getAbilities } from "./served-model.ts";
import type { ServedModel } from "./served-model.ts";

/** Facts of an entry of the model list. */
export interface OllamaFacts {
  readonly name: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owner: string;
  /** Tokens; 0 if unknown. */
  readonly contextLength: number;
  /** The model, or those of a route. */
  readonly models: readonly ServedModel[];
}

type OllamaCapability = OllamaModel["capabilities"][number];

/** Whether Ollama's API has an operation for the model. */
export function isForOllama({ models }: OllamaFacts): boolean {
  return models.some(({ capabilities }) => capabilities.includes("chat") || capabilities.includes("embedding"));
}

/** Returns what all models of the entry can do; an ability that is unknown is tried. */
function listCapabilities({ models }: OllamaFacts): OllamaCapability[] {
  if (models.every(({ capabilities }) => !capabilities.includes("chat"))) return ["embedding"];
  const hasAll = (name: "tools" | "pictures"): boolean => models.every((model) => getAbilities(model)[name] !== false);
  return [
    "completion",
    ...(hasAll("tools") ? (["tools"] as const) : []),
    ...(hasAll("pictures") ? (["vision"] as const) : []),
    ...(models.some(({ spec }) => spec?.reasoning !== undefined) ? (["thinking"] as const) : []),
  ];
}

function buildDetails({ owner, contextLength }: OllamaFacts): OllamaModel["details"] {
  return {
    parent_model: "",
    format: "",
    family: owner,
    families: [owner],
    parameter_size: "",
    quantization_level: "",
    ...(contextLength === 0 ? {} : { context_length: contextLength }),
  };
}

const getDate = ({ created }: OllamaFacts): string => new Date(created * 1_000).toISOString();

/** An entry of `/api/tags`. Its digest is that of its name: `ollama list` shows the first characters. */
export function buildOllamaModel(facts: OllamaFacts): OllamaModel {
  const { name } = facts;
  return {
    name,
    model: name,
    modified_at: getDate(facts),
    size: 0,
    digest: sha256(name),
    details: buildDetails(facts),
    capabilities: listCapabilities(facts),
  };
}

/** The response of `/api/show`. Clients look up the context by the architecture (API document of ollama/ollama, 2026-11-30). */
export function buildOllamaShow(facts: OllamaFacts): OllamaShow {
  const { name, owner, contextLength } = facts;
  return {
    modelfile: "",
    parameters: "",
    template: "",
    details: buildDetails(facts),
    model_info: {
      "general.architecture": owner,
      "general.basename": name,
      ...(contextLength === 0 ? {} : { [`${owner}.context_length`]: contextLength }),
    },
    capabilities: listCapabilities(facts),
    modified_at: getDate(facts),
  };
}
