import { GatewayError } from "../../core/errors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import { readItems, withKnownItems, type ResponsesContext } from "./item-memory.ts";
import { readMessages } from "./messages.ts";
import { readToolIndex, type ToolIndex } from "./tools.ts";
import { toolSettings } from "./tool-choice.ts";

/** A request translated to the chat API, with its tools for translating the response. */
export interface ChatRequest {
  readonly body: Document;
  readonly toolIndex: ToolIndex;
}

/**
 * Converts a body of `/v1/responses` to one of `/chat/completions`. OpenAI-specific fields (storage, tiers, cache
 * retention, encrypted reasoning) are omitted; `metadata` is returned to the client.
 * @throws GatewayError for features that need storage or have no equivalent (400).
 */
export function readRequest(body: Document, context: ResponsesContext): ChatRequest {
  refuseStored(body);
  const items = withKnownItems(readItems(body["input"]), context.items);
  const toolIndex = readToolIndex([...asList(body["tools"]), ...items.flatMap(findTools)]);
  const messages = readMessages(body["instructions"], items, toolIndex);
  if (messages.length === 0) {
    throw new GatewayError("invalid_value", "'input' holds nothing that can be given to this model: send a message.", {
      param: "input",
    });
  }
  const chat = {
    model: body["model"],
    messages,
    stream: body["stream"] === true ? true : undefined,
    ...toolSettings(body, toolIndex),
    max_tokens: body["max_output_tokens"],
    temperature: body["temperature"],
    top_p: body["top_p"],
    presence_penalty: body["presence_penalty"],
    frequency_penalty: body["frequency_penalty"],
    ...textSettings(body["text"]),
    ...logprobSettings(body),
    reasoning_effort: readEffort(body["reasoning"], context.model),
    user: body["user"],
    prompt_cache_key: body["prompt_cache_key"],
  };
  return { body: Object.fromEntries(Object.entries(chat).filter(([, value]) => value != null)), toolIndex };
}

/** Tools that come with the conversation: Codex's "lite" requests, and what its tool search found. */
function findTools(item: unknown): readonly unknown[] {
  const carries = isRecord(item) && (item["type"] === "additional_tools" || item["type"] === "tool_search_output");
  return carries ? asList(item["tools"]) : [];
}

/** Fields that continue a conversation stored at OpenAI. */
const STORED = ["previous_response_id", "conversation", "prompt"] as const;

/** @throws GatewayError for what is stored at OpenAI (400) */
export function refuseStored(body: Document): void {
  for (const field of STORED) {
    if (body[field] == null) continue;
    const value = typeof body[field] === "string" ? ` (${JSON.stringify(body[field].slice(0, 60))})` : "";
    const why =
      field === "previous_response_id"
        ? "is not known here: a response is remembered for an hour, unless 'store' is false or Postern was restarted. Send"
        : "refers to something stored, but nothing is stored here: send";
    throw new GatewayError("invalid_value", `'${field}'${value} ${why} the whole conversation in 'input'.`, {
      param: field,
    });
  }
}

function textSettings(text: unknown): Document {
  if (!isRecord(text)) return {};
  return { response_format: readFormat(text["format"]), verbosity: text["verbosity"] };
}

function readFormat(format: unknown): Document | undefined {
  if (!isRecord(format)) return undefined;
  if (format["type"] === "json_object") return { type: "json_object" };
  if (format["type"] !== "json_schema") return undefined;
  const { name, description, schema, strict } = format;
  return {
    type: "json_schema",
    json_schema: {
      name: typeof name === "string" && name !== "" ? name : "response",
      ...(typeof description === "string" ? { description } : {}),
      schema,
      ...(typeof strict === "boolean" ? { strict } : {}),
    },
  };
}

function logprobSettings(body: Document): Document {
  const wantsLogprobs = asList(body["include"]).includes("message.output_text.logprobs");
  const top = body["top_logprobs"];
  if (!wantsLogprobs && (typeof top !== "number" || top === 0)) return {};
  return { logprobs: true, ...(typeof top === "number" ? { top_logprobs: top } : {}) };
}

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * Returns the nearest supported effort: clients of this API send one to every model (Codex: from its settings). Omitted
 * for models without reasoning; unchanged if the accepted values are unknown.
 */
function readEffort(reasoning: unknown, model: ModelSpec | null): string | undefined {
  const effort = isRecord(reasoning) ? reasoning["effort"] : undefined;
  if (typeof effort !== "string") return undefined;
  if (model === null) return effort;
  const accepted = model.reasoning?.efforts;
  if (accepted === undefined) return undefined;
  if (accepted.length === 0 || accepted.includes(effort) || (effort === "none" && model.owner === "anthropic"))
    return effort;
  const rank = EFFORTS.indexOf(effort);
  const known = accepted.filter((effort) => EFFORTS.includes(effort));
  if (rank === -1 || known.length === 0) return undefined;
  const distance = (effort: string): number => Math.abs(EFFORTS.indexOf(effort) - rank);
  return known.reduce((nearest, effort) => (distance(effort) < distance(nearest) ? effort : nearest));
}
