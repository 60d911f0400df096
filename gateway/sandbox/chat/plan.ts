import type { Directives } from "../directives.ts";
import { Failure } from "../failure.ts";
import { seedOf, type Seed } from "../seed.ts";
import { countTokens, tokensOf } from "../tokens.ts";
import { answerText } from "./answer.ts";
import { callsFor, type PlannedCall } from "./calls.ts";
import { logprobsOf, type Logprobs } from "./logprobs.ts";
import { reasoningOf } from "./reasoning.ts";
import type { ChatRequest } from "./request.ts";
import { usageOf, type ChatUsage } from "./usage.ts";

/** A tool call as it will be sent. */
export interface CallPlan {
  readonly id: string;
  readonly kind: "function" | "custom";
  readonly name: string;
  /** Its input in tokens: JSON text, or free text for custom tools. */
  readonly input: readonly string[];
}

/** One choice, in tokens; both ways of sending it, whole and streamed, start from here. */
export interface ChoicePlan {
  readonly index: number;
  readonly reasoning: readonly string[];
  readonly content: readonly string[];
  readonly calls: readonly CallPlan[];
  readonly finish: "stop" | "length" | "tool_calls";
  /** Log probabilities of a part of `content`; null when they were not asked for. */
  readonly logprobs: ((tokens: readonly string[]) => Logprobs) | null;
}

/** Everything that the answer to a request says, decided before a byte of it is sent. */
export interface ChatPlan {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
  readonly choices: readonly ChoicePlan[];
  readonly usage: ChatUsage;
  readonly includeUsage: boolean;
}

/** `created` lies in the year after this moment, 2023-11-14, wherever the request's hash puts it. */
const EARLIEST_CREATED = 1_700_000_000;
const YEAR_SECONDS = 31_536_000;
/** What a tool call costs beside its name and its input. */
const CALL_TOKENS = 4;

/**
 * Decides the answer. The same request, seed and directives give the same plan.
 * @throws Failure (400) when the prompt is longer than the model's context
 */
export function planOf(request: ChatRequest, directives: Directives, seed: Seed): ChatPlan {
  const last = request.messages.at(-1);
  const calls = callsFor({
    tools: request.tools,
    choice: request.toolChoice,
    parallel: request.parallelCalls,
    prompt: last?.role === "user" ? last.text : null,
    directives: directives.tools,
    textWanted: directives.count !== null,
  });
  const choices = Array.from({ length: request.choices }, (_, index) =>
    choiceOf(request, directives, calls, index, seed),
  );
  const reasoningTokens = choices.reduce((sum, choice) => sum + choice.reasoning.length, 0);
  const visibleTokens = choices.reduce((sum, choice) => sum + visibleTokensOf(choice), 0);
  const usage = usageOf(request, reasoningTokens + visibleTokens, reasoningTokens);
  checkContext(request, usage.prompt_tokens);
  return {
    id: `chatcmpl-${seed.digits("id", 29)}`,
    created: EARLIEST_CREATED + seed.number("created", YEAR_SECONDS),
    model: request.model,
    fingerprint: `fp_${seedOf(request.model).digits("fingerprint", 10)}`,
    choices,
    usage,
    includeUsage: request.includeUsage,
  };
}

function checkContext(request: ChatRequest, promptTokens: number): void {
  const limit = request.spec.contextLength;
  if (limit === null || promptTokens <= limit) return;
  throw new Failure(
    400,
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${promptTokens} tokens.`,
    { param: "messages", code: "context_length_exceeded" },
  );
}

function choiceOf(
  request: ChatRequest,
  directives: Directives,
  calls: readonly PlannedCall[],
  index: number,
  seed: Seed,
): ChoicePlan {
  const reasoning = reasoningOf(request.spec, request.reasoning, request.maxTokens);
  const budget = request.maxTokens === null ? Infinity : request.maxTokens - reasoning.length;
  const { topLogprobs } = request;
  const base = {
    index,
    reasoning,
    logprobs: topLogprobs === null ? null : (tokens: readonly string[]) => logprobsOf(tokens, topLogprobs, seed),
  };
  if (calls.length > 0) {
    const kept = callsWithin(calls, budget, (call) => `call_${seed.digits(`call ${index} ${call}`, 24)}`);
    return { ...base, content: [], calls: kept.calls, finish: kept.whole ? "tool_calls" : "length" };
  }
  const content = tokensOf(untilStop(answerText(request, directives.count, index), request.stop));
  const fits = content.length <= budget;
  return { ...base, content: fits ? content : content.slice(0, budget), calls: [], finish: fits ? "stop" : "length" };
}

/** `text` up to the first of the stop sequences, which is left out. */
function untilStop(text: string, stops: readonly string[]): string {
  const found = stops.map((stop) => text.indexOf(stop)).filter((index) => index !== -1);
  return found.length === 0 ? text : text.slice(0, Math.min(...found));
}

/** As many calls as the budget holds; the one that crosses it is sent with its input cut off, as vendors do. */
function callsWithin(
  calls: readonly PlannedCall[],
  budget: number,
  idOf: (call: number) => string,
): { calls: CallPlan[]; whole: boolean } {
  const kept: CallPlan[] = [];
  let left = budget;
  for (const [position, { tool, input }] of calls.entries()) {
    left -= CALL_TOKENS + countTokens(tool.name);
    if (left < 0) return { calls: kept, whole: false };
    const tokens = tokensOf(input);
    kept.push({ id: idOf(position), kind: tool.kind, name: tool.name, input: tokens.slice(0, left) });
    if (tokens.length > left) return { calls: kept, whole: false };
    left -= tokens.length;
  }
  return { calls: kept, whole: true };
}

function visibleTokensOf(choice: ChoicePlan): number {
  const called = choice.calls.map((call) => CALL_TOKENS + countTokens(call.name) + call.input.length);
  return choice.content.length + called.reduce((sum, tokens) => sum + tokens, 0);
}
