import type { ModelSpec } from "../../core/models/model.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { buildChatMessages } from "./conversation.ts";
import { readNumber, readRecord, readText } from "./fields.ts";
import type { ToolNames } from "./tool-names.ts";
import { chatTools } from "./tools.ts";
import { clampedEffort, getEffortOfBudget } from "./efforts.ts";
import { isRecord } from "../../lib/records.ts";

/** The effort of adaptive thinking by default (Anthropic's documentation of `output_config.effort`). */
const DEFAULT_EFFORT = "high";

/** Likely reasoning efforts of a model that the catalog lacks. A guess: the model may not take efforts at all. */
const COMMON_EFFORTS = ["low", "medium", "high"] as const;

/**
 * Translates `thinking` and `output_config.effort` into `reasoning_effort`, limited to the model's efforts: an effort
 * is never the reason for a 400. An empty list means unknown efforts: the server's row decides (providers/own-chat.ts).
 * Omitted for models without reasoning.
 *
 * Claude Code requests thinking from every unknown model by default, and servers such as Ollama refuse an effort for a
 * model without it. So a model outside the catalog only gets an effort chosen by the user, not Claude Code's defaults
 * medium and high. Disabled thinking is always the user's choice.
 */
function buildReasoningEffort(body: Document, model: ModelSpec | null): Document {
  const requestedEffort = model === null ? chosenEffort(body) : readRequestedEffort(body);
  if (requestedEffort === null || (model !== null && model.reasoning === undefined)) return {};
  const efforts = model === null ? COMMON_EFFORTS : (model.reasoning?.efforts ?? []);
  const isRequested = efforts.length === 0 || (model === null && requestedEffort === "none");
  const effort = isRequested ? requestedEffort : clampedEffort(requestedEffort, efforts);
  return effort === null ? {} : { reasoning_effort: effort };
}

function chosenEffort(body: Document): string | null {
  if (readRecord(body["thinking"])["type"] === "disabled") return "none";
  const effort = readText(readRecord(body["output_config"])["effort"]);
  return effort === "medium" || effort === "high" ? null : effort;
}

function readRequestedEffort(body: Document): string | null {
  const thinking = readRecord(body["thinking"]);
  if (thinking["type"] === "disabled") return "none";
  const effort = readText(readRecord(body["output_config"])["effort"]);
  if (effort !== null) return effort;
  if (thinking["type"] === "adaptive") return DEFAULT_EFFORT;
  const budget = thinking["type"] === "enabled" ? readNumber(thinking["budget_tokens"]) : null;
  return budget === null ? null : getEffortOfBudget(budget);
}

/**
 * A Messages request in the chat dialect (docs/dialects.md#messages-request-to-chat). The rules of that dialect for its
 * model (core/chat-rules.ts) come after it.
 *
 * Dropped, because no other provider has them: `top_k`, `context_management`, `container`, `mcp_servers`, `service_tier`,
 * `cache_control`, and fields that are not known.
 * @throws GatewayError for media that only Anthropic can read (400).
 */
export function buildChatRequest(body: Document, context: TranslationContext, names: ToolNames): Document {
  return {
    model: context.publicModel,
    messages: buildChatMessages(body, names),
    ...limit(body["max_tokens"], context.model),
    ...(body["stream"] === true ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...buildSampling(body),
    ...stops(body["stop_sequences"]),
    ...chatTools(body, names),
    ...buildReasoningEffort(body, context.model),
    ...buildResponseFormat(body),
    ...buildUser(body["metadata"]),
  };
}

/** Anthropic's 0 (fill the cache without a response) becomes 1, the minimum of other providers. */
function limit(given: unknown, model: ModelSpec | null): Document {
  const most = readNumber(given);
  return most === null ? {} : { max_tokens: Math.max(1, Math.min(most, model?.maxOutput ?? most)) };
}

/** Only one of the two, as providers advise; `top_k` is not part of the chat dialect. */
function buildSampling(body: Document): Document {
  const temperature = readNumber(body["temperature"]);
  if (temperature !== null) return { temperature };
  const topP = readNumber(body["top_p"]);
  return topP === null ? {} : { top_p: topP };
}

function stops(given: unknown): Document {
  const sequences = Array.isArray(given) ? (given as readonly unknown[]).filter((stop) => readText(stop) !== null) : [];
  return sequences.length === 0 ? {} : { stop: sequences };
}

const LONGEST_USER = 64;

/**
 * Longer ids than OpenAI takes are dropped. Cutting them could make one user of two; and a fingerprint would be of no
 * use, because what Claude Code sends is a JSON text with the id of its session, another one each time.
 */
function buildUser(metadata: unknown): Document {
  const id = readText(readRecord(metadata)["user_id"]);
  return id === null || id.length > LONGEST_USER ? {} : { user: id };
}

/** `output_config.format`, or the beta's `output_format`, as `response_format`. */
function buildResponseFormat(body: Document): Document {
  const format = readRecord(readRecord(body["output_config"])["format"] ?? body["output_format"]);
  const schema = format["schema"];
  if (format["type"] !== "json_schema" || !isRecord(schema)) return {};
  // OpenAI answers 400 to a strict schema that leaves anything open; the same schema works without the flag.
  const strict = isClosed(schema) ? { strict: true } : {};
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema, ...strict } } };
}

/** Tells whether every object in a schema forbids further properties and requires all of its own. */
function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isRecord(schema)) return true;
  const properties = schema["properties"];
  if (isRecord(properties)) {
    const required = schema["required"];
    if (schema["additionalProperties"] !== false || !Array.isArray(required)) return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
    if (!Object.values(properties).every(isClosed)) return false;
  } else if (schema["type"] === "object") return false;
  return Object.entries(schema).every(([name, value]) => name === "properties" || isClosed(value));
}
