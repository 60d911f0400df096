import { isRecord } from "../../lib/records.ts";
import type { Units } from "../models/model.ts";
import { tokenCount } from "./token-count.ts";

/**
 * How a vendor counts reasoning tokens (upstreams reference 0.3).
 * `within`: they are part of `completion_tokens` (OpenAI, DashScope, Ark, DeepSeek, llama.cpp).
 * `beside`: they are not (xAI): total = prompt + completion + reasoning.
 * `detect`: beside where the total says so, or where more reasoning than completion is reported; else within.
 * `rest`: as `detect`, and what the total has beyond all that was reported is reasoning too (Gemini's layer for OpenAI
 * clients, which leaves thoughts out of `completion_tokens` and does not always report them; seen in the field).
 */
export type ReasoningCount = "within" | "beside" | "detect" | "rest";

/**
 * The `usage` object of the common chat API as disjoint classes. Cached and cache-write tokens are parts of
 * `prompt_tokens` at every vendor of this API; text, image and audio details are parts of the same sums and are not
 * counted again. Figures that are missing, negative, not numbers or absurd count as not reported, fractions are
 * rounded, and parts are never larger than their whole.
 * @returns null when no token was reported: then usage has to be counted here.
 */
export function chatUnits(usage: unknown, reasoningCount: ReasoningCount = "detect"): Units | null {
  if (!isRecord(usage)) return null;
  const promptDetails = recordOf(usage["prompt_tokens_details"]);
  const completionDetails = recordOf(usage["completion_tokens_details"]);
  const total = tokenCount(usage["total_tokens"]);
  const reportedPrompt = tokenCount(usage["prompt_tokens"]);
  const reportedCompletion = tokenCount(usage["completion_tokens"]);
  if (reportedPrompt === null && reportedCompletion === null) return null;

  const prompt = reportedPrompt ?? rest(total, reportedCompletion);
  const completion = reportedCompletion ?? rest(total, reportedPrompt);
  if (prompt === 0 && completion === 0) return null;

  const cached = Math.min(prompt, cachedOf(usage, promptDetails));
  const written = Math.min(prompt - cached, writtenOf(usage, promptDetails));
  const reasoning = tokenCount(completionDetails["reasoning_tokens"]) ?? 0;
  const beside = isBeside(reasoningCount, { prompt, completion, reasoning, total });
  const reasoningPart = beside ? reasoning : Math.min(reasoning, completion);
  const unreported = reasoningCount === "rest" ? rest(total, prompt + completion + (beside ? reasoning : 0)) : 0;

  return unitsOf({
    input: prompt - cached - written,
    cached_input: cached,
    cache_write: written,
    output: beside ? completion : completion - reasoningPart,
    reasoning: reasoningPart + unreported,
  });
}

interface Figures {
  readonly prompt: number;
  readonly completion: number;
  readonly reasoning: number;
  readonly total: number | null;
}

function isBeside(count: ReasoningCount, figures: Figures): boolean {
  if (count === "within" || count === "beside") return count === "beside";
  const { prompt, completion, reasoning, total } = figures;
  if (reasoning === 0) return false;
  return reasoning > completion || total === prompt + completion + reasoning;
}

/** OpenAI; then DeepSeek's, LiteLLM's and Moonshot's own names for the same. */
function cachedOf(usage: Record<string, unknown>, details: Record<string, unknown>): number {
  return (
    tokenCount(details["cached_tokens"]) ??
    tokenCount(usage["prompt_cache_hit_tokens"]) ??
    tokenCount(usage["cache_read_input_tokens"]) ??
    tokenCount(usage["cached_tokens"]) ??
    0
  );
}

/** OpenAI's name; DashScope's; the name that gateways in front of Anthropic use. */
function writtenOf(usage: Record<string, unknown>, details: Record<string, unknown>): number {
  return (
    tokenCount(details["cache_write_tokens"]) ??
    tokenCount(details["cache_creation_input_tokens"]) ??
    tokenCount(usage["cache_creation_input_tokens"]) ??
    0
  );
}

function rest(total: number | null, part: number | null): number {
  return Math.max(0, (total ?? 0) - (part ?? 0));
}

const NOTHING: Record<string, unknown> = {};

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : NOTHING;
}

/** Classes without a token are left out, except input and output, which every chat has. */
function unitsOf(
  counts: Required<Pick<Units, "input" | "output" | "cached_input" | "cache_write" | "reasoning">>,
): Units {
  return {
    input: counts.input,
    ...(counts.cached_input === 0 ? {} : { cached_input: counts.cached_input }),
    ...(counts.cache_write === 0 ? {} : { cache_write: counts.cache_write }),
    output: counts.output,
    ...(counts.reasoning === 0 ? {} : { reasoning: counts.reasoning }),
  };
}
