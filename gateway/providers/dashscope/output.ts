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
 * How long a response of DashScope may be. `max_tokens` bounds the reply and leaves reasoning out; `max_completion_tokens`
 * bounds both, to within 10 tokens, and only models from Qwen 3.5 on and others of their time know it; earlier ones bound
 * reasoning by `thinking_budget` (help.aliyun.com/zh/model-studio, reference of the compatible mode). From qwen4-max-preview
 * on both names mean the same (alibabacloud.com/help/en/model-studio/api-compatibility-upgrade-notice, 2026-11-02).
 */

type Fields = Readonly<Record<string, unknown>>;

const KNOWS_WHOLE =
  /^(?:qwen(?:3\.[5-9]|[4-9])|kimi-k(?:2\.[5-9]|[3-9])|glm-[5-9]|minimax-m(?:2\.[5-9]|[3-9])|deepseek-)/i;
const ONE_MEANING = /^qwen(?:[4-9]|\d\d)/i;
const IMPRECISION = 10;

const WHOLE: readonly BoundField[] = ["max_completion_tokens"];
const REPLY: readonly BoundField[] = ["max_tokens"];

/** Fields to change. Where no limit of money applies, only a name that the model does not know is put right. */
export function buildBounds(call: DialectCall): Fields {
  const { body } = call;
  const sentBy = (name: BoundField): boolean => isGiven(body, name);
  const money = finite(call.bound);
  if (KNOWS_WHOLE.test(call.upstreamModel)) {
    const most = money === null ? null : precise(money);
    // A bound of the reply alone stays, in addition to that of the whole.
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

/** Reasoning comes next to the model's longest reply: what is asked for beyond that is not bounded by it. */
function withReasoning({ model }: DialectCall, tokens: number): number {
  return tokens <= (model?.maxOutput ?? 0) ? tokens : Infinity;
}

/**
 * Whether the model may think before it replies. Those that only the provider's list knows may. The client's own word in
 * DashScope's terms goes before an effort, as it does in what is sent.
 */
function thinks({ body, model }: DialectCall): boolean {
  const setting = body["enable_thinking"];
  if (typeof setting === "boolean") return setting;
  return body["reasoning_effort"] !== "none" && (model === null || model.reasoning !== undefined);
}

const precise = (bound: number): number => Math.max(1, bound - IMPRECISION);

const NONE: Fields = {};
