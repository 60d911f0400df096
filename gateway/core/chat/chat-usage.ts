import { asRecord, isRecord } from "../../lib/records.ts";
import type { Units } from "../models/model.ts";

/** Max credible tokens of a request: a larger figure is invalid and must not be billed. */
const MOST_TOKENS = 1_000_000_000;

/**
 * Reads a count of tokens from a provider's usage; null for a missing, negative, non-numeric or absurd value. Fractions are
 * rounded. Some servers write numbers as strings.
 */
export function tokenCount(value: unknown): number | null {
  const figure = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof figure !== "number" || !(figure >= 0 && figure <= MOST_TOKENS)) return null;
  return Math.round(figure);
}

/** Searches that the provider made for a response, as Anthropic and OpenRouter report them. */
export function computeSearches(usage: Readonly<Record<string, unknown>>): number {
  const tools = usage["server_tool_use"];
  return isRecord(tools) ? (tokenCount(tools["web_search_requests"]) ?? 0) : 0;
}

/** How reasoning tokens are counted without a total: as a part of `completion_tokens`, or in addition to them (xAI). */
export type ReasoningCount = "within" | "beside";

/**
 * Reads the `usage` object of the common chat API as disjoint classes. Cached and cache-write tokens are parts of
 * `prompt_tokens`, reasoning tokens of `completion_tokens`; but some servers count one or the other in addition, and
 * then `total_tokens` is the sum of all. So the total decides per response. A remainder of the total counts as
 * reasoning: Google's OpenAI compatibility layer omits thoughts from `completion_tokens` and does not always report
 * them. Figures that are missing, negative, not numbers or absurd count as not reported, fractions are rounded, and
 * parts are never larger than their whole.
 * @returns null if no token was reported, so that usage has to be counted here.
 */
export function createChatUnits(usage: unknown, reasoningCount: ReasoningCount = "within"): Units | null {
  if (!isRecord(usage)) return null;
  const promptDetails = asRecord(usage["prompt_tokens_details"]);
  const completionDetails = asRecord(usage["completion_tokens_details"]);
  const total = tokenCount(usage["total_tokens"]);
  const reportedPrompt = tokenCount(usage["prompt_tokens"]);
  const reportedCompletion = tokenCount(usage["completion_tokens"]);
  if (reportedPrompt === null && reportedCompletion === null) return null;

  const prompt = reportedPrompt ?? rest(total, reportedCompletion);
  const completion = reportedCompletion ?? rest(total, reportedPrompt);
  if (prompt === 0 && completion === 0) return null;

  const cached = getCached(usage, promptDetails);
  const written = readCacheWrites(usage, promptDetails);
  const reasoning = tokenCount(completionDetails["reasoning_tokens"]) ?? 0;
  const figures = { prompt, completion, cache: cached + written, reasoning, total };
  const accounting = findAccounting(figures, reasoningCount === "beside");

  const words = accounting.isCacheSeparate ? prompt : Math.max(0, prompt - cached - written);
  const read = accounting.isCacheSeparate ? cached : Math.min(prompt, cached);
  const audio = tokenCount(promptDetails["audio_tokens"]) ?? 0;
  const newAudio = Math.min(words, audio);
  const cachedAudio = Math.min(read, audio - newAudio);
  const seen = Math.min(words - newAudio, tokenCount(promptDetails["image_tokens"]) ?? 0);

  const thought = accounting.isReasoningSeparate ? reasoning : Math.min(reasoning, completion);
  const response = accounting.isReasoningSeparate ? completion : completion - thought;
  const spoken = Math.min(response, tokenCount(completionDetails["audio_tokens"]) ?? 0);
  const drawn = Math.min(response - spoken, tokenCount(completionDetails["image_tokens"]) ?? 0);
  const reportedTotal = prompt + (accounting.isCacheSeparate ? cached + written : 0) + response + thought;

  const units: Units = { input: words - newAudio - seen, output: response - spoken - drawn };
  const count = (unit: keyof Units, quantity: number): void => {
    if (quantity > 0) units[unit] = quantity;
  };
  count("cached_input", read - cachedAudio);
  const stored = accounting.isCacheSeparate ? written : Math.min(prompt - read, written);
  const long = Math.min(stored, writtenLong(promptDetails));
  count("cache_write", stored - long);
  count("cache_write_1h", long);
  count("audio_input", newAudio);
  count("cached_audio_input", cachedAudio);
  count("image_input", seen);
  count("reasoning", thought + rest(total, reportedTotal));
  count("audio_output", spoken);
  count("image_output", drawn);
  // xAI's names (https://docs.x.ai/developers/tools/tool-usage-details, 2026-11-29).
  const used = asRecord(usage["server_side_tool_usage_details"]);
  const uses = (...names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (tokenCount(used[name]) ?? 0), 0);
  count("web_search", computeSearches(usage) + uses("web_search_calls", "x_search_calls"));
  count("file_search", uses("file_search_calls", "document_search_calls"));
  count("container", uses("code_interpreter_calls"));
  return units;
}

interface Figures {
  readonly prompt: number;
  readonly completion: number;
  readonly cache: number;
  readonly reasoning: number;
  readonly total: number | null;
}

interface TokenAccounting {
  readonly isReasoningSeparate: boolean;
  readonly isCacheSeparate: boolean;
}

/** How a total can be the sum of its parts, the usual accounting first. */
const ACCOUNTINGS: readonly TokenAccounting[] = [
  { isReasoningSeparate: false, isCacheSeparate: false },
  { isReasoningSeparate: true, isCacheSeparate: false },
  { isReasoningSeparate: false, isCacheSeparate: true },
  { isReasoningSeparate: true, isCacheSeparate: true },
];

/** Finds the accounting whose parts add up to the total; without a match, parts larger than their whole are separate. */
function findAccounting(
  { prompt, completion, cache, reasoning, total }: Figures,
  isReasoningSeparate: boolean,
): TokenAccounting {
  const sum = prompt + completion;
  const noPart = reasoning > completion;
  const explained = ACCOUNTINGS.find(
    (accounting) =>
      total === sum + (accounting.isReasoningSeparate ? reasoning : 0) + (accounting.isCacheSeparate ? cache : 0) &&
      (accounting.isReasoningSeparate || !noPart),
  );
  return (
    explained ?? {
      isReasoningSeparate: noPart || isReasoningSeparate,
      isCacheSeparate: cache > prompt && (total === null || total >= sum + cache),
    }
  );
}

/** OpenAI; then DeepSeek's, LiteLLM's and Moonshot's own names for the same. */
function getCached(usage: Readonly<Record<string, unknown>>, details: Readonly<Record<string, unknown>>): number {
  return (
    tokenCount(details["cached_tokens"]) ??
    tokenCount(usage["prompt_cache_hit_tokens"]) ??
    tokenCount(usage["cache_read_input_tokens"]) ??
    tokenCount(usage["cached_tokens"]) ??
    0
  );
}

/** OpenAI's name; DashScope's; the name that gateways in front of Anthropic use. */
function readCacheWrites(usage: Readonly<Record<string, unknown>>, details: Readonly<Record<string, unknown>>): number {
  return (
    tokenCount(details["cache_write_tokens"]) ??
    tokenCount(details["cache_creation_input_tokens"]) ??
    tokenCount(usage["cache_creation_input_tokens"]) ??
    0
  );
}

/** OpenAI's cache writes of 12 hours (openai-python 3.57.0, types/responses/response_usage.py, read 2026-11-28). */
function writtenLong(details: Readonly<Record<string, unknown>>): number {
  const ttl = details["cache_write_tokens_details"];
  return isRecord(ttl) ? (tokenCount(ttl["ttl_12h_tokens"]) ?? 0) : 0;
}

function rest(total: number | null, part: number | null): number {
  return Math.max(0, (total ?? 0) - (part ?? 0));
}
