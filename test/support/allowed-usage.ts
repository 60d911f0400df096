import type { ProviderId } from "../../gateway/providers/registry.ts";

/**
 * What providers let a model write for a request that reached them, by their own documents. It shares nothing with the
 * gateway: tests measure holds by it, and providers of tests use all of it.
 */

type Json = Readonly<Record<string, unknown>>;

/** What a provider knows of the model that is asked. */
export interface AskedModel {
  /** As the provider names it. */
  readonly id: string;
  /** Its longest response, reasoning counted; null where nothing but the context bounds it. */
  readonly longest: number | null;
  readonly context: number | null;
  readonly reasons: boolean;
}

export interface AllowedUsage {
  /** Output tokens of each response, hidden reasoning counted. */
  readonly perChoice: number;
  readonly responses: number;
}

/** A request that the provider answers with a 400. */
export class Refused extends Error {
  override readonly name = "Refused";
}

const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const least = (...values: readonly (number | null)[]): number => Math.min(...values.map((value) => value ?? Infinity));

/**
 * @param path below the provider's base URL.
 * @throws Refused.
 */
export function allowedUsage(provider: ProviderId, path: string, body: Json, model: AskedModel): AllowedUsage {
  const longest = model.longest ?? model.context;
  if (path.endsWith("/messages")) return { perChoice: least(inMessages(body), longest), responses: 1 };
  if (path.endsWith("/responses"))
    return { perChoice: least(number(body["max_output_tokens"]), longest), responses: 1 };
  const whole = number(body["max_completion_tokens"]);
  const early = number(body["max_tokens"]);
  const responses = number(body["n"]) ?? 1;
  const of = (bound: number | null): AllowedUsage => ({ perChoice: least(bound, longest), responses });
  switch (provider) {
    case "openai":
      if (whole !== null && early !== null) throw new Refused("both bounds");
      if (early !== null && model.reasons) throw new Refused("max_tokens at a reasoning model");
      // Tokens of a prediction that did not come true are billed in addition.
      if (body["prediction"] !== undefined) return { perChoice: Infinity, responses };
      return of(whole ?? early);
    case "openai-compatible": {
      if (refusesEarly(model.id) && early !== null) throw new Refused("max_tokens at a reasoning model");
      // A server that knows only one of them passes over the other.
      if (refusesEarly(model.id)) return of(whole);
      const knowsOne = Math.max(least(whole, longest), least(early, longest));
      return { perChoice: knowsOne, responses };
    }
    case "xai":
      if (early !== null && model.reasons) return { perChoice: model.context ?? Infinity, responses };
      return of(least(whole, early));
    case "gemini":
      if (whole !== null && early !== null) throw new Refused("both bounds");
      return of(early ?? whole);
    case "dashscope":
      return { perChoice: atDashscope(body, model, whole, early), responses };
    case "ark":
      if (whole !== null && early !== null) throw new Refused("both bounds");
      if (whole !== null && whole > 65_536) throw new Refused("max_completion_tokens above 65,536");
      if (whole === null && model.reasons && !isOff(body["thinking"]))
        return { perChoice: model.context ?? Infinity, responses };
      return of(whole ?? early);
    default:
      return of(least(whole, early));
  }
}

function inMessages(body: Json): number {
  const bound = number(body["max_tokens"]);
  if (bound === null || bound < 1) throw new Refused("max_tokens is missing");
  const thinking = body["thinking"];
  if (typeof thinking === "object" && thinking !== null && "budget_tokens" in thinking) {
    const budget = number(thinking.budget_tokens) ?? 0;
    if (budget < 1_024) throw new Refused("a budget below 1,024");
    if (budget >= bound) throw new Refused("a budget that max_tokens leaves no room for");
  }
  return bound;
}

/** Qwen from 3.5 on and others of their time know the bound of the whole, to within 10 tokens. */
const KNOWS_WHOLE =
  /^(qwen3\.[5-9]|qwen[4-9]|kimi-k2\.[5-9]|kimi-k[3-9]|glm-[5-9]|minimax-m2\.[5-9]|minimax-m[3-9]|deepseek-)/i;

function atDashscope(body: Json, model: AskedModel, whole: number | null, early: number | null): number {
  const thinks = model.reasons && body["enable_thinking"] !== false && body["reasoning_effort"] !== "none";
  // Reasoning comes next to the longest reply.
  const reply = least(early, model.longest ?? model.context);
  if (KNOWS_WHOLE.test(model.id)) {
    const bound = /^qwen[4-9]/i.test(model.id) ? least(whole, early) : whole;
    const most = bound === null ? Infinity : bound + 10;
    return Math.min(most, thinks ? (model.context ?? Infinity) : least(reply, model.context));
  }
  if (!thinks) return least(early, model.longest ?? model.context);
  const budget = number(body["thinking_budget"]);
  return budget === null ? (model.context ?? Infinity) : least(reply + budget, model.context);
}

function refusesEarly(id: string): boolean {
  return /^(openai\/)?(gpt-[5-9]|o[134])/.test(id);
}

function isOff(thinking: unknown): boolean {
  return typeof thinking === "object" && thinking !== null && "type" in thinking && thinking.type === "disabled";
}
