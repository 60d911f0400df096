import { GatewayError } from "../../core/errors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { asList } from "../../lib/records.ts";
import { IN_JSON } from "../gemini-to-chat/request.ts";
import { clampedEffort } from "../messages-to-chat/efforts.ts";
import { readNumber, readRecord, readText } from "../messages-to-chat/fields.ts";
import { buildChatRequest } from "../messages-to-chat/request.ts";
import type { RequestFacts } from "../messages-to-chat/response.ts";
import type { Document } from "../translation.ts";
import { buildPicture, buildTurns } from "./turns.ts";

/**
 * Converts a request of `/api/chat` to the chat dialect, by way of Anthropic's format, whose translation covers tools,
 * thinking, media and schemas (docs/dialects.md#ollama-request-to-chat).
 * @throws GatewayError for pictures by their address (400)
 */
export function buildChatBody(body: Document, { context, names }: RequestFacts): Document {
  const options = readRecord(body["options"]);
  const isJson = body["format"] === "json";
  const turns = buildTurns(body["messages"]);
  const first = turns.findIndex(({ role }) => role !== "system");
  const leading = turns.slice(0, first < 0 ? turns.length : first).map(({ content }) => content);
  const limit = readNumber(options["num_predict"]) ?? 0;
  const form = {
    stream: body["stream"],
    system: [...leading, ...(isJson ? [IN_JSON] : [])].filter((text) => text !== "").join("\n\n"),
    messages: turns.slice(leading.length),
    temperature: options["temperature"],
    top_p: options["top_p"],
    stop_sequences: typeof options["stop"] === "string" ? [options["stop"]] : options["stop"],
    tools: body["tools"],
    // -1 and -2 are Ollama's "no limit".
    ...(limit > 0 ? { max_tokens: limit } : {}),
    ...(isJson ? {} : { output_format: { type: "json_schema", schema: body["format"] } }),
  };
  return {
    ...buildChatRequest(form, context, names),
    ...(isJson ? { response_format: { type: "json_object" } } : {}),
    ...buildEffort(body["think"], context.model),
    ...copyNumbers(options),
    ...(body["logprobs"] === true ? { logprobs: true, ...copyTopLogprobs(body["top_logprobs"]) } : {}),
  };
}

const PENALTIES = ["presence_penalty", "frequency_penalty"] as const;

function copyNumbers(options: Document): Document {
  const seed = readNumber(options["seed"]) ?? -1;
  const penalties = PENALTIES.flatMap((name) => (readNumber(options[name]) ? [[name, options[name]] as const] : []));
  // -1 is Ollama's random seed.
  return { ...Object.fromEntries(penalties), ...(seed < 0 ? {} : { seed }) };
}

const copyTopLogprobs = (most: unknown): Document => (readNumber(most) ? { top_logprobs: most } : {});

/**
 * Builds the effort from `think`: `true` is Ollama's `medium` (api/types.go of ollama/ollama, 2026-11-30), lowered to
 * what the model takes, and omitted for models without reasoning. A model that the catalog lacks thinks by itself.
 */
function buildEffort(think: unknown, model: ModelSpec | null): Document {
  const effort = think === true ? "medium" : think === false ? "none" : readText(think);
  if (effort === null || (model === null ? think === true : model.reasoning === undefined)) return {};
  const efforts = model?.reasoning?.efforts ?? [];
  // Claude has a switch in place of such an effort (core/chat/chat-rules.ts).
  const isSwitch = effort === "none" && model?.owner === "anthropic";
  const taken = efforts.length === 0 || isSwitch ? effort : clampedEffort(effort, efforts);
  return taken === null ? {} : { reasoning_effort: taken };
}

const REFUSED: Readonly<Record<string, string>> = {
  raw: "sends a prompt in the form of one model",
  template: "replaces the form of one model",
  context: "continues a conversation that Ollama has encoded",
};

/** Converts a request of `/api/generate` with a `suffix` to one of `/v1/completions`, which fills the place between. */
export function buildCompletion(body: Document, model: string): Document {
  const { num_predict: limit, temperature, top_p, stop, ...options } = readRecord(body["options"]);
  const { prompt, suffix, stream } = body;
  const given = { temperature, top_p, stop, ...((readNumber(limit) ?? 0) > 0 ? { max_tokens: limit } : {}) };
  return {
    model,
    prompt,
    suffix,
    stream,
    ...(stream === true ? { stream_options: { include_usage: true } } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)),
    ...copyNumbers(options),
  };
}

/**
 * Converts a request of `/api/generate` to one of `/api/chat`.
 * @throws GatewayError for what needs a model's own prompt format (400)
 */
export function buildChatOfPrompt(body: Document): Document {
  for (const [param, purpose] of Object.entries(REFUSED)) {
    const given = body[param];
    if (given === true || readText(given) !== null || asList(given).length > 0)
      throw new GatewayError(
        "unsupported_parameter",
        `'${param}' ${purpose}, which providers of chat models do not take. Leave it out, or send the conversation to /api/chat.`,
        { param },
      );
  }
  const { prompt, system, images, ...rest } = body;
  const pictures = asList(images);
  for (const picture of pictures) buildPicture(picture, "images");
  return {
    ...rest,
    messages: [
      ...(readText(system) === null ? [] : [{ role: "system", content: system }]),
      { role: "user", content: prompt, ...(pictures.length === 0 ? {} : { images: pictures }) },
    ],
  };
}
