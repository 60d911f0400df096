import { describe, expect, it } from "vitest";
import { listedAbilities } from "../../../../gateway/core/models/listed-abilities.ts";
import type { Abilities } from "../../../../gateway/core/models/model.ts";
import { readModels } from "../../../../gateway/providers/openai-compatible/models.ts";
import { isValidRecord } from "../../../../gateway/store/validate.ts";

const routed = (modalities: unknown, parameters: unknown) => ({
  architecture: { modality: "text->text", input_modalities: modalities, output_modalities: ["text"] },
  supported_parameters: parameters,
});
const studio = (type: string, capabilities?: unknown) => ({
  type,
  arch: "qwen2",
  compatibility_type: "gguf",
  ...(capabilities === undefined ? {} : { capabilities }),
});
const support = (supported: unknown) => ({ supported });

describe("a provider's list says of a model", () => {
  it.each<[string, Readonly<Record<string, unknown>>, Abilities | undefined]>([
    [
      "OpenRouter, of one that sees",
      routed(
        ["text", "image", "file"],
        ["max_tokens", "tools", "tool_choice", "response_format", "structured_outputs"],
      ),
      { pictures: true, files: true, tools: true, json_schema: true },
    ],
    [
      "OpenRouter, of one for words alone",
      routed(["text"], ["max_tokens", "temperature"]),
      { pictures: false, tools: false, json_schema: false },
    ],
    [
      "OpenRouter, of one that writes JSON, by a schema or not",
      routed(["text"], ["tools", "response_format"]),
      { pictures: false, tools: true },
    ],
    [
      "OpenRouter, of one that searches",
      routed(["text"], ["web_search_options", "structured_outputs"]),
      { pictures: false, tools: false, json_schema: true, web_search: true },
    ],
    ["llama.cpp", { owned_by: "llamacpp", architecture: { input_modalities: ["text"] } }, { pictures: false }],
    ["xAI", { owned_by: "xai", input_modalities: ["text", "image"] }, { pictures: true }],
    [
      "Mistral",
      { capabilities: { completion_chat: true, completion_fim: false, function_calling: true, vision: false } },
      { pictures: false, tools: true },
    ],
    [
      "Anthropic",
      {
        capabilities: {
          batch: support(true),
          image_input: support(true),
          pdf_input: support(true),
          structured_outputs: support(false),
        },
      },
      { pictures: true, files: true, json_schema: false },
    ],
    ["Anthropic, of one it says nothing of", { capabilities: null }, undefined],
    ["LM Studio, of one that sees", studio("vlm", ["tool_use"]), { pictures: true, tools: true }],
    ["LM Studio, of one for words", studio("llm"), { pictures: false }],
    ["LM Studio, of embeddings", studio("embeddings"), undefined],
    [
      "LM Studio's newer list",
      { type: "llm", capabilities: { vision: true, trained_for_tool_use: false } },
      { pictures: true },
    ],
    ["Ollama", { capabilities: ["completion", "vision", "tools", "thinking"] }, { pictures: true, tools: true }],
    ["somebody who names only what there is", { capabilities: ["completion"] }, undefined],
    ["somebody whose kinds are of their own", { type: "llm" }, undefined],
    ["vLLM, OpenAI", { object: "model", owned_by: "vllm", max_model_len: 32_768 }, undefined],
  ])("%s", (_, entry, abilities) => {
    expect(listedAbilities(entry)).toEqual(abilities);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["modalities that are no list", { architecture: { input_modalities: "text,image" } }],
    ["modalities that are no words", { architecture: { input_modalities: [1, null, {}] }, input_modalities: [] }],
    ["an architecture that is a word", { architecture: "transformer" }],
    ["parameters that are an object", { supported_parameters: { tools: true } }],
    ["switches that are words", { capabilities: { vision: "yes", function_calling: 1, trained_for_tool_use: "true" } }],
    ["support that is no switch", { capabilities: { image_input: support("true"), pdf_input: true } }],
    ["a kind that is a number", { type: 1, compatibility_type: "gguf" }],
    ["capabilities that are a word", { capabilities: "vision" }],
  ])("nothing by %s", (_, entry) => {
    expect(listedAbilities(entry)).toBeUndefined();
  });
});

it("is read with the rest of the list, and let into the store", () => {
  const list = readModels({ data: [{ id: "sees", ...routed(["text", "image"], ["tools"]) }, { id: "plain" }] });
  expect(list).toMatchObject([{ id: "sees", abilities: { pictures: true, tools: true } }, { id: "plain" }]);
  expect(list?.[1]).not.toHaveProperty("abilities");
  const stored = (abilities: unknown) => ({ id: "c", at: 1, models: [{ ...list?.[1], abilities }] });
  expect(isValidRecord("discoveries", { id: "c", at: 1, models: list })).toBe(true);
  expect(isValidRecord("discoveries", stored({ pictures: false, smells: "of a later version" }))).toBe(true);
  expect(isValidRecord("discoveries", stored({ pictures: "no" }))).toBe(false);
  expect(isValidRecord("discoveries", stored("pictures"))).toBe(false);
});
