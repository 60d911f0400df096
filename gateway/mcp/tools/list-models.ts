import * as z from "zod";
import { getWholeBetween, wholeFrom } from "../../contract/bounds.ts";
import type { Model } from "../../contract/models.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool } from "../tool/tool.ts";
import { priceWords } from "./price-words.ts";

const USUAL_LIMIT = 50;
const MOST_MODELS = 500;

/** The capabilities that a tool uses, and its name. */
const TOOLS = {
  chat: "chat",
  embedding: "embed_text",
  speech: "synthesize_speech",
  image: "generate_image",
  image_edit: "edit_image",
  video: "generate_video",
  transcription: "transcribe_audio",
} as const;
type ToolCapability = keyof typeof TOOLS;

const capabilities = Object.keys(TOOLS) as readonly ToolCapability[];
const capability = z.enum(capabilities);
const capabilityWords = Object.entries(TOOLS)
  .map(([name, tool]) => `${name} (for the tool ${tool})`)
  .join(", ");

const input = z.strictObject({
  capability: capability.optional().describe(`Only models that can do this: ${capabilityWords}.`),
  search: z.string().max(200).optional().describe("Only models whose id or provider contains this, case-insensitive."),
  limit: getWholeBetween(1, MOST_MODELS)
    .optional()
    .describe(`Most models to return, 1 to ${MOST_MODELS}, default ${USUAL_LIMIT}.`),
  offset: wholeFrom(0).optional().describe("How many to skip: the `next` of the previous result. Default 0."),
});

const output = z.object({
  models: z.array(
    z.object({
      id: z.string().describe("Value for the argument `model`."),
      provider: z.string().describe("Provider of the model; sandbox for Postern's offline sandbox."),
      capabilities: z.array(capability).describe("What the model can do."),
      context_length: z
        .int()
        .nullable()
        .describe("Context window: input and output tokens together; null when unknown."),
      pricing: z.string().nullable().describe("Prices in US dollars, with their units; null when unknown."),
    }),
  ),
  total: z.int().nonnegative().describe("Number of models that match."),
  next: z.int().nullable().describe("The `offset` of the next page; null on the last."),
});

type Listed = z.output<typeof output>["models"][number];

/** The models that the key may use, as `GET /v1/models` lists them. */
export function listModelsTool(deps: Pick<ToolDeps, "listModels">): Tool {
  return defineTool({
    name: "list_models",
    title: "List models",
    description:
      "Lists the models that this key may use now, with the capabilities and prices of each in US dollars. Free. Call it " +
      "before a tool that takes a `model` when you do not know an id, with the `capability` that you need.",
    input,
    output,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    capability: null,
    async run(call, args) {
      const { data } = await deps.listModels.openai(call.input.key);
      const fitting = data.filter((model) => fits(model, args.capability, args.search)).map(listModel);
      const offset = args.offset ?? 0;
      const models = fitting.slice(offset, offset + (args.limit ?? USUAL_LIMIT));
      const next = offset + models.length < fitting.length && models.length > 0 ? offset + models.length : null;
      return {
        content: [{ type: "text", text: getText(models, fitting.length, next, data.length) }],
        structured: { models, total: fitting.length, next },
      };
    },
  });
}

function fits(model: Model, requested: ToolCapability | undefined, search = ""): boolean {
  if (requested !== undefined && !model.capabilities.includes(requested)) return false;
  const text = search.toLowerCase();
  return [model.id, model.provider, model.owned_by].some((name) => name.toLowerCase().includes(text));
}

function listModel({ id, provider, capabilities: all, context_length, pricing }: Model): Listed {
  const known = capabilities.filter((name) => all.includes(name));
  return { id, provider, capabilities: known, context_length, pricing: priceWords(pricing) };
}

/** Formats a line for each model. */
function getText(models: readonly Listed[], total: number, next: number | null, all: number): string {
  if (all === 0) return "No model can be used now: connect a provider in Postern, or allow this key more models.";
  if (total === 0) return `None of the ${all} models fits. Ask again without search or capability.`;
  const lines = models.map(({ id, provider, capabilities: able, context_length: context, pricing }) => {
    const facts = [`${able.join(", ")}; ${provider}`, pricing ?? "price unknown"];
    if (context !== null) facts.push(`context ${context.toLocaleString("en-US")} tokens`);
    return `${id} (${facts.join("; ")})`;
  });
  if (models.length === 0) lines.push(`There are ${total}: the offset is behind the last.`);
  else if (next !== null) lines.push(`${total} in all; the next ones with offset ${next}.`);
  return lines.join("\n");
}
