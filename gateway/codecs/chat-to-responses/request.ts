import { GatewayError } from "../../core/errors.ts";
import { readNumber, readRecord, readText } from "../messages-to-chat/fields.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { buildInputItems } from "./input-items.ts";
import { buildToolFields } from "./tools.ts";

/** Fields that mean the same in both dialects. */
const SHARED = [
  "temperature",
  "top_p",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "metadata",
  "service_tier",
] as const;

/**
 * Converts a chat request to OpenAI's Responses dialect (docs/dialects.md#chat-request-to-responses). Nothing is
 * stored, and reasoning is returned encrypted, so that the next turn can include it.
 *
 * Dropped, because the dialect has no equivalent: `stop`, penalties, `seed`, `logit_bias`, `logprobs`, `prediction`,
 * and unknown fields.
 * @throws GatewayError for `n` above 1, `functions`, audio, and content that the dialect does not take (400).
 */
export function buildResponsesRequest(body: Document, context: TranslationContext): Document {
  refuseUnsayable(body);
  return {
    model: context.publicModel,
    input: buildInputItems(body["messages"]),
    ...(body["stream"] === true ? { stream: true } : {}),
    store: false,
    include: ["reasoning.encrypted_content"],
    ...buildBound(body),
    ...buildReasoning(body["reasoning_effort"]),
    ...buildText(body),
    ...buildToolFields(body),
    ...Object.fromEntries(SHARED.filter((field) => body[field] != null).map((field) => [field, body[field]])),
  };
}

function refuseUnsayable(body: Document): void {
  const responses = readNumber(body["n"]) ?? 1;
  if (responses > 1) {
    throw createRefusal(
      "n",
      `This model gives one response: 'n' is ${responses}; expected 1 with stream: true. Send one request for each response, or use no stream.`,
    );
  }
  if (Array.isArray(body["functions"]) && body["functions"].length > 0) {
    throw createRefusal(
      "functions",
      "'functions' is deprecated, and this model does not take it: use 'tools' instead.",
    );
  }
  if (Array.isArray(body["modalities"]) && body["modalities"].includes("audio")) {
    throw createRefusal(
      "modalities",
      `This model responds in text only: 'modalities' holds "audio"; expected ["text"].`,
    );
  }
}

function createRefusal(param: string, sentence: string): GatewayError {
  return new GatewayError("unsupported_value", sentence, { param });
}

/**
 * "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16"
 * (https://github.com/earendil-works/pi/issues/6265, read 2026-11-28).
 */
const MIN_OUTPUT_TOKENS = 16;

function buildBound(body: Document): Document {
  const given = [readNumber(body["max_completion_tokens"]), readNumber(body["max_tokens"])].filter(
    (most) => most !== null,
  );
  return given.length === 0 ? {} : { max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, Math.min(...given)) };
}

/** Reasoning is only shown as summaries, which must be requested. */
function buildReasoning(given: unknown): Document {
  const effort = readText(given);
  if (effort === "none") return { reasoning: { effort } };
  return { reasoning: { ...(effort === null ? {} : { effort }), summary: "auto" } };
}

function buildText(body: Document): Document {
  const format = buildTextFormat(readRecord(body["response_format"]));
  const verbosity = readText(body["verbosity"]);
  if (format === null && verbosity === null) return {};
  return { text: { ...(format === null ? {} : { format }), ...(verbosity === null ? {} : { verbosity }) } };
}

function buildTextFormat({ type, json_schema: declared }: Document): Document | null {
  if (type === "json_object") return { type };
  if (type !== "json_schema") return null;
  const { name, description, schema, strict } = readRecord(declared);
  return {
    type,
    name: readText(name) ?? "response",
    ...(readText(description) === null ? {} : { description }),
    schema: readRecord(schema),
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
}
