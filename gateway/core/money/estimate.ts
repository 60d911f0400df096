import { priceOf } from "../../lib/money.ts";
import { isRecord } from "../../lib/records.ts";
import type { ModelSpec, Price } from "../models/model.ts";
import { rateOf, tierFor } from "./price.ts";

/**
 * What a request may cost, before it is sent: the amount to hold. It errs on the high side where that is cheap to
 * do, needs no tokenizer, and never becomes a charge: what is charged comes from the vendor's own figures.
 */

const ASCII_CHARACTERS_PER_TOKEN = 4;
/** Role and separators of one message, and the start of the answer (OpenAI's counting recipe: 3 to 4). */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REPLY = 3;
/** A large image at OpenAI (tiles), Anthropic and Google is 765 to 1,600 tokens. */
const TOKENS_PER_IMAGE = 1_600;
/** Sound, films and documents by reference: their size is not known. Some minutes, or a dozen pages. */
const TOKENS_PER_MEDIUM = 6_000;
/** Base64 characters of one token: 64 kbit/s sound at 10 tokens a second has about 1,000; documents have more text. */
const BASE64_PER_TOKEN = 200;

/** Answer tokens to hold for a client that gave no maximum. */
const OPEN_OUTPUT = 4_096;

/**
 * Rates for the hold of a model without a known price, USD 5 and 25 per million tokens: about the dearest models that
 * are in wide use. A call without a price is never charged by it; it only has to fit into the key's limit.
 */
export const ASSUMED_PRICE: Price = {
  tiers: [{ above: 0, rates: { input: 5_000_000_000, output: 25_000_000_000 } }],
  source: "assumed for holds only",
  as_of: "2026-11-20",
};

/** Tokens of a text: about 4 ASCII characters, or 1 character of other scripts, each. */
export function estimateTextTokens(text: string): number {
  // UTF-8 takes 1 byte for ASCII and 3 for most other scripts, so lengths tell how many of each there are, much faster
  // than looking at the characters.
  const other = (Buffer.byteLength(text, "utf8") - text.length) / 2;
  return (text.length - other) / ASCII_CHARACTERS_PER_TOKEN + other;
}

/** How the tokens of a text are counted. */
type CountText = (text: string) => number;

/** Where the dialects put what a model reads; blocks and items inside are looked at one by one. */
const TURNS = ["messages", "input", "system", "instructions"] as const;
const DEFINITIONS = ["tools", "functions", "response_format", "text", "output_config"] as const;

/**
 * Tokens of a request's prompt and tools, in any dialect of conversation; a whole number.
 * @param count how texts are counted; a quick estimate unless given.
 */
export function estimatePromptTokens(
  body: Readonly<Record<string, unknown>>,
  count: CountText = estimateTextTokens,
): number {
  let tokens = TOKENS_PER_REPLY;
  for (const field of TURNS) {
    const turns = body[field];
    if (typeof turns === "string") tokens += TOKENS_PER_MESSAGE + count(turns);
    else if (Array.isArray(turns))
      for (const turn of turns as readonly unknown[]) tokens += TOKENS_PER_MESSAGE + turnTokens(turn, count);
  }
  for (const field of DEFINITIONS) tokens += dataTokens(body[field], count);
  return Math.ceil(tokens);
}

function turnTokens(turn: unknown, count: CountText): number {
  if (!isRecord(turn)) return 0;
  const content = turn["content"] ?? turn["output"];
  // A block of a system prompt, a function call or another item without content of its own.
  if (content === undefined || content === null) return blockTokens(turn, count);
  return dataTokens(turn["tool_calls"], count) + contentTokens(content, count);
}

function contentTokens(content: unknown, count: CountText): number {
  if (typeof content === "string") return count(content);
  if (!Array.isArray(content)) return dataTokens(content, count);
  return (content as readonly unknown[]).reduce<number>((sum, block) => sum + blockTokens(block, count), 0);
}

function blockTokens(block: unknown, count: CountText): number {
  if (!isRecord(block)) return typeof block === "string" ? count(block) : 0;
  switch (block["type"]) {
    case "image_url":
    case "input_image":
    case "image":
      return TOKENS_PER_IMAGE;
    case "video_url":
    case "audio_url":
      return TOKENS_PER_MEDIUM;
    case "input_audio":
    case "file":
      return mediumTokens(block[block["type"]]);
    case "input_file":
      return mediumTokens(block);
    case "document":
      return mediumTokens(block["source"]);
    case "tool_result":
      return contentTokens(block["content"], count);
    default:
      return dataTokens(block, count);
  }
}

function mediumTokens(medium: unknown): number {
  return Math.max(TOKENS_PER_MEDIUM, longestText(medium) / BASE64_PER_TOKEN);
}

function longestText(value: unknown): number {
  if (!isRecord(value)) return 0;
  return Object.values(value).reduce<number>(
    (most, item) => (typeof item === "string" ? Math.max(most, item.length) : most),
    0,
  );
}

/** Tokens of any JSON: its texts and its field names. The body's depth was limited before (core/json-depth.ts). */
function dataTokens(value: unknown, count: CountText): number {
  if (typeof value === "string") return count(value) + 1;
  if (Array.isArray(value))
    return (value as readonly unknown[]).reduce<number>((sum, item) => sum + dataTokens(item, count), 1);
  if (!isRecord(value)) return value == null ? 0 : 1;
  let tokens = 1;
  for (const key in value) tokens += 1 + key.length / ASCII_CHARACTERS_PER_TOKEN + dataTokens(value[key], count);
  return tokens;
}

export interface HoldEstimate {
  /** Prompt tokens. */
  readonly input: number;
  /** The most answer tokens, over all `n` answers. */
  readonly output: number;
  /** Whether `output` is a guess because the client gave no maximum: the answer may be longer. */
  readonly open: boolean;
  /** Nano USD to hold. */
  readonly nano: number;
  /** Nano USD below which an open request is not worth sending: its prompt and the start of an answer. */
  readonly least: number;
}

/** The shortest answer that an open request is still sent for. */
const LEAST_OUTPUT = 64;

/**
 * The most that a conversation request may cost, in any dialect.
 * @param price null (unpriced): held by `ASSUMED_PRICE`.
 */
export function estimateHold(
  body: Readonly<Record<string, unknown>>,
  price: Price | null,
  model: ModelSpec | null,
): HoldEstimate {
  const input = estimatePromptTokens(body);
  const answers = positive(body["n"]) ?? 1;
  const asked =
    positive(body["max_completion_tokens"]) ?? positive(body["max_tokens"]) ?? positive(body["max_output_tokens"]);
  const perAnswer = Math.min(asked ?? OPEN_OUTPUT, model?.maxOutput ?? Infinity);
  const output = perAnswer * answers;
  const cost = costIn(price ?? ASSUMED_PRICE, input);
  const nano = cost(output);
  return {
    input,
    output,
    open: asked === null,
    nano,
    least: asked === null ? Math.min(nano, cost(Math.min(output, LEAST_OUTPUT))) : nano,
  };
}

/** Every prompt token at the dearest kind that it can turn out to be, and every answer token likewise. */
function costIn(price: Price, input: number): (output: number) => number {
  const tier = tierFor(price, input);
  const inputRate = Math.max(
    rateOf(tier, "input") ?? 0,
    rateOf(tier, "cache_write") ?? 0,
    rateOf(tier, "cache_write_1h") ?? 0,
  );
  const outputRate = Math.max(rateOf(tier, "output") ?? 0, rateOf(tier, "reasoning") ?? 0);
  const inputNano = priceOf(input, inputRate);
  return (output) => inputNano + priceOf(output, outputRate);
}

function positive(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}
