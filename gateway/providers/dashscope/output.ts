import {
  LEAST_OUTPUT,
  readAllowed,
  readChatBounds,
  readBound,
  setBound,
  finite,
  isGiven,
  lower,
} from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { AllowedOutput, DialectCall } from "../wire-request.ts";

/**
 * Output bounds at DashScope. `max_tokens` bounds the reply without reasoning; `max_completion_tokens` bounds both, to
 * within 10 tokens, but only for models from about Qwen 3.5 on; earlier ones bound reasoning by `thinking_budget`
 * (help.aliyun.com/zh/model-studio, reference of the compatible mode). From qwen4-max-preview on both names are
 * equivalent (alibabacloud.com/help/en/model-studio/api-compatibility-upgrade-notice, 2026-11-02).
 */

type Fields = Readonly<Record<string, unknown>>;

const KNOWS_WHOLE =
  /^(?:qwen(?:3\.[5-9]|[4-9])|kimi-k(?:2\.[5-9]|[3-9])|glm-[5-9]|minimax-m(?:2\.[5-9]|[3-9])|deepseek-)/i;
const ONE_MEANING = /^qwen(?:[4-9]|\d\d)/i;
const IMPRECISION = 10;

const WHOLE: readonly BoundField[] = ["max_completion_tokens"];
const REPLY: readonly BoundField[] = ["max_tokens"];

/** Returns the fields to change. Without a money limit only an unsupported name is replaced. */
export function buildBounds(call: DialectCall): Fields {
  const { body } = call;
  const sentBy = (name: BoundField): boolean => isGiven(body, name);
  const money = finite(call.bound);
  if (KNOWS_WHOLE.test(call.upstreamModel)) {
    const most = money === null ? null : precise(money);
    // A bound on the reply alone is kept, in addition to the total bound.
    if (!boundsWhole(call)) return most === null ? NONE : { max_completion_tokens: most };
    return most === null && !sentBy("max_completion_tokens") ? NONE : setBound({ body, bound: most }, WHOLE);
  }
  if (!thinks(call)) return sentBy("max_completion_tokens") || money !== null ? setBound(call, REPLY) : NONE;
  const reply = readChatBounds(body).bound;
  const renamed = sentBy("max_completion_tokens") ? setBound({ body, bound: null }, REPLY) : NONE;
  if (money === null) return renamed;
  const budget = readBound(body["thinking_budget"]);
  if (reply !== null && budget !== null && reply + budget <= money) return renamed;
  const shortened = lower(reply, Math.ceil(money / 2)) ?? 0;
  return {
    ...setBound({ body, bound: shortened }, REPLY),
    thinking_budget: lower(budget, money - shortened),
  };
}

export function allows(call: DialectCall): AllowedOutput {
  const { choices: responses, bound: requested } = readChatBounds(call.body);
  const money = finite(call.bound);
  const least = LEAST_OUTPUT + IMPRECISION;
  const reasons = thinks(call);
  if (KNOWS_WHOLE.test(call.upstreamModel)) {
    const whole = boundsWhole(call) && requested !== null ? requested + IMPRECISION : null;
    if (whole !== null)
      return readAllowed(lower(reasons ? withReasoning(call, whole) : whole, money), responses, whole, least);
    return readAllowed(lower(reasons ? Infinity : requested, money), responses, reasons ? null : requested, least);
  }
  if (!reasons) return readAllowed(lower(requested, money), responses, requested);
  const budget = readBound(call.body["thinking_budget"]);
  const both = requested === null || budget === null ? Infinity : withReasoning(call, requested + budget);
  return readAllowed(lower(both, money), responses, both === Infinity ? null : both);
}

/** Whether the client's bound counts the whole response. */
const boundsWhole = ({ body, upstreamModel }: DialectCall): boolean =>
  isGiven(body, "max_completion_tokens") || (ONE_MEANING.test(upstreamModel) && isGiven(body, "max_tokens"));

/** Adds reasoning to the model's max reply, because the reply's bound does not cover it. */
function withReasoning({ model }: DialectCall, tokens: number): number {
  return tokens <= (model?.maxOutput ?? 0) ? tokens : Infinity;
}

/**
 * Tells whether the model may reason before replying. Models that only the provider's list names may. DashScope's own
 * field overrides an effort, as in the sent request.
 */
function thinks({ body, model }: DialectCall): boolean {
  const setting = body["enable_thinking"];
  if (typeof setting === "boolean") return setting;
  return body["reasoning_effort"] !== "none" && (model === null || model.reasoning !== undefined);
}

const precise = (bound: number): number => Math.max(1, bound - IMPRECISION);

const NONE: Fields = {};
