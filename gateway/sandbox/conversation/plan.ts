import type { Directives } from "../directives.ts";
import type { Seed } from "../seed.ts";
import { countTokens, tokensOf } from "../tokens.ts";
import { answerText } from "./answer.ts";
import { callsFor, type PlannedCall } from "./calls.ts";
import { logprobsOf, type Logprobs } from "./logprobs.ts";
import { reasoningOf } from "./reasoning.ts";
import type { Conversation, Tool } from "./conversation.ts";
import { calledSinceAsked, lastSpeaker, withoutSections } from "./prompt.ts";
import { countsOf, type TokenCounts } from "./usage.ts";

/** A tool call as it will be sent. */
export interface CallPlan {
  /** 24 hexadecimal digits; each dialect puts its own word in front. */
  readonly id: string;
  readonly tool: Tool;
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
  /** The stop sequence that ended the text; null where none did. */
  readonly stoppedBy: string | null;
  /** Log probabilities of a part of `content`; null when they were not asked for. */
  readonly logprobs: ((tokens: readonly string[]) => Logprobs) | null;
}

/** Everything that the answer to a request says, decided before a byte of it is sent. */
export interface Plan {
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChoicePlan[];
  readonly usage: TokenCounts;
}

/** `created` lies in the year after this moment, 2023-11-14, wherever the request's hash puts it. */
const EARLIEST_CREATED = 1_700_000_000;
const YEAR_SECONDS = 31_536_000;
/** What a tool call costs beside its name and its input. */
const CALL_TOKENS = 4;

/** Decides the answer. The same conversation, seed and directives give the same plan. */
export function planOf(conversation: Conversation, directives: Directives, seed: Seed): Plan {
  const last = lastSpeaker(conversation.messages);
  const calls = callsFor({
    tools: conversation.tools,
    choice: conversation.toolChoice,
    parallel: conversation.parallelCalls,
    prompt: last?.role === "user" ? withoutSections(last.text) : null,
    called: calledSinceAsked(conversation.messages),
    directives: directives.tools,
    textWanted: directives.count !== null,
  });
  const choices = Array.from({ length: conversation.choices }, (_, index) =>
    choiceOf(conversation, directives, calls, index, seed),
  );
  const reasoningTokens = choices.reduce((sum, choice) => sum + choice.reasoning.length, 0);
  const visibleTokens = choices.reduce((sum, choice) => sum + visibleTokensOf(choice), 0);
  return {
    created: EARLIEST_CREATED + seed.number("created", YEAR_SECONDS),
    model: conversation.model,
    choices,
    usage: countsOf(conversation, reasoningTokens + visibleTokens, reasoningTokens),
  };
}

function choiceOf(
  request: Conversation,
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
    const kept = callsWithin(calls, budget, (call) => seed.digits(`call ${index} ${call}`, 24));
    return { ...base, content: [], calls: kept.calls, finish: kept.whole ? "tool_calls" : "length", stoppedBy: null };
  }
  const { text, stoppedBy } = untilStop(answerText(request, directives.count, index), request.stop);
  const content = tokensOf(text);
  if (content.length <= budget) return { ...base, content, calls: [], finish: "stop", stoppedBy };
  return { ...base, content: content.slice(0, budget), calls: [], finish: "length", stoppedBy: null };
}

/** `text` up to the first of the stop sequences, which is left out. */
function untilStop(text: string, stops: readonly string[]): { text: string; stoppedBy: string | null } {
  let end = text.length;
  let stoppedBy: string | null = null;
  for (const stop of stops) {
    const index = text.indexOf(stop);
    if (index === -1 || index >= end) continue;
    end = index;
    stoppedBy = stop;
  }
  return { text: text.slice(0, end), stoppedBy };
}

/** As many calls as the budget holds; the one that crosses it is sent with its input cut off, as providers do. */
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
    kept.push({ id: idOf(position), tool, input: tokens.slice(0, left) });
    if (tokens.length > left) return { calls: kept, whole: false };
    left -= tokens.length;
  }
  return { calls: kept, whole: true };
}

function visibleTokensOf(choice: ChoicePlan): number {
  const called = choice.calls.map((call) => CALL_TOKENS + countTokens(call.tool.name) + call.input.length);
  return choice.content.length + called.reduce((sum, tokens) => sum + tokens, 0);
}
