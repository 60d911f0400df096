import { ownEntry } from "../fields.ts";
import { responseText, getCalls, structuredText, type PlannedCall } from "./words.ts";
import type { ChatRequest, Tool } from "./request.ts";
import { listCallsSincePrompt, lastTurn, withoutSections } from "./prompt.ts";
import type { Directives } from "../directives.ts";
import { deriveCreated, type Seed } from "../seed.ts";
import { countTokens, getTokens } from "../tokens.ts";

/** A tool call as it will be sent. */
export interface CallPlan {
  /** 24 hexadecimal digits; each dialect adds its prefix. */
  readonly id: string;
  readonly tool: Tool;
  /** Input in tokens: JSON text, or free text for custom tools. */
  readonly input: readonly string[];
}

/** A choice in tokens; both streamed and complete responses are built from it. */
export interface ChoicePlan {
  readonly index: number;
  readonly reasoning: readonly string[];
  readonly content: readonly string[];
  readonly calls: readonly CallPlan[];
  readonly finish: "stop" | "length" | "tool_calls";
  /** Stop sequence that ended the text; null if none did. */
  readonly stoppedBy: string | null;
  /** Returns log probabilities of a part of `content`; null if not requested. */
  readonly logprobs: ((tokens: readonly string[]) => Logprobs) | null;
}

/** Everything that the response to a request says, decided before a byte of it is sent. */
export interface Plan {
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChoicePlan[];
  readonly usage: TokenCounts;
}

/** Tokens of a tool call in addition to its name and its input. */
const CALL_TOKENS = 4;

/** Decides the response. The same request, seed and directives give the same plan. */
export async function getPlan(request: ChatRequest, directives: Directives, seed: Seed): Promise<Plan> {
  const last = lastTurn(request.messages);
  const calls = await getCalls({
    tools: request.tools,
    choice: request.toolChoice,
    parallel: request.parallelCalls,
    prompt: last?.role === "user" ? withoutSections(last.text) : null,
    called: listCallsSincePrompt(request.messages),
    directives: directives.tools,
    isTextRequested: directives.count !== null,
  });
  const structured = calls.length > 0 ? null : await structuredText(request);
  const choices = Array.from({ length: request.choices }, (_, index) => {
    const text = structured ?? responseText(request, directives.count, index);
    return getChoice(request, text, calls, index, seed);
  });
  const reasoning = choices.reduce((sum, choice) => sum + choice.reasoning.length, 0);
  const visible = choices.reduce((sum, choice) => sum + getVisibleTokens(choice), 0);
  const prompt = promptTokens(request);
  return {
    created: deriveCreated(seed),
    model: request.model,
    choices,
    usage: { prompt, cached: cachedTokens(request, prompt), completion: reasoning + visible, reasoning },
  };
}

function getChoice(
  request: ChatRequest,
  reply: string,
  calls: readonly PlannedCall[],
  index: number,
  seed: Seed,
): ChoicePlan {
  const reasoning = getReasoning(request);
  const budget = request.maxTokens === null ? Infinity : request.maxTokens - reasoning.length;
  const { topLogprobs } = request;
  const base = {
    index,
    reasoning,
    logprobs: topLogprobs === null ? null : (tokens: readonly string[]) => getLogprobs(tokens, topLogprobs, seed),
  };
  if (calls.length > 0) {
    const fitting = callsWithin(calls, budget, (call) => seed.digits(`call ${index} ${call}`, 24));
    return {
      ...base,
      content: [],
      calls: fitting.calls,
      finish: fitting.whole ? "tool_calls" : "length",
      stoppedBy: null,
    };
  }
  const { text, stoppedBy } = untilStop(reply, request.stop);
  const content = getTokens(text);
  if (content.length <= budget) return { ...base, content, calls: [], finish: "stop", stoppedBy };
  return { ...base, content: content.slice(0, budget), calls: [], finish: "length", stoppedBy: null };
}

/** Returns `text` up to the first stop sequence, excluding it. */
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

/**
 * Returns as many calls as the budget allows; the one that exceeds it is sent with truncated input, as at providers.
 */
function callsWithin(
  calls: readonly PlannedCall[],
  budget: number,
  idOf: (call: number) => string,
): { calls: CallPlan[]; whole: boolean } {
  const fitting: CallPlan[] = [];
  let left = budget;
  for (const [position, { tool, input }] of calls.entries()) {
    left -= CALL_TOKENS + countTokens(tool.name);
    if (left < 0) return { calls: fitting, whole: false };
    const tokens = getTokens(input);
    fitting.push({ id: idOf(position), tool, input: tokens.slice(0, left) });
    if (tokens.length > left) return { calls: fitting, whole: false };
    left -= tokens.length;
  }
  return { calls: fitting, whole: true };
}

function getVisibleTokens(choice: ChoicePlan): number {
  const called = choice.calls.map((call) => CALL_TOKENS + countTokens(call.tool.name) + call.input.length);
  return choice.content.length + called.reduce((sum, tokens) => sum + tokens, 0);
}

interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

/** Log probabilities of some tokens, in OpenAI's shape. */
interface Logprobs {
  readonly content: readonly (TokenLogprob & { readonly top_logprobs: readonly TokenLogprob[] })[];
  readonly refusal: null;
}

/**
 * Invented log probabilities: the chosen token is the likeliest, its alternatives follow in falling order.
 * @param top how many to list for each token, the chosen one among them
 */
function getLogprobs(tokens: readonly string[], top: number, seed: Seed): Logprobs {
  const content = tokens.map((token) => {
    const chosen = getEntry(token, -seed.number(`likely ${token}`, 500) / 1_000);
    const others = Array.from({ length: Math.max(0, top - 1) }, (_, index) =>
      getEntry(alternativeTo(token, index), chosen.logprob - (index + 1) * 0.75),
    );
    return { ...chosen, top_logprobs: top === 0 ? [] : [chosen, ...others] };
  });
  return { content, refusal: null };
}

function getEntry(token: string, logprob: number): TokenLogprob {
  return { token, logprob: Math.round(logprob * 1e6) / 1e6, bytes: [...Buffer.from(token)] };
}

function alternativeTo(token: string, index: number): string {
  return `${token.startsWith(" ") ? " " : ""}alternative${index + 1}`;
}

/** Reasoning tokens by effort. Low figures, so that small limits are enough to see a response and to see none. */
const TOKENS_BY_EFFORT: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 16,
  low: 32,
  medium: 128,
  high: 256,
  xhigh: 512,
  max: 768,
};
const DEFAULT_EFFORT = "medium";

const THOUGHT = [
  "The sandbox does not think; this text only takes the place of a model's reasoning.",
  "First the request is read as a whole.",
  "Then each parameter is looked at, and what it asks of the response is noted.",
  "Then the response is put together from the request alone.",
  "",
].join(" ");

/**
 * Returns a model's reasoning as tokens: empty for models that do not reason, and for Claude models only when the request
 * asks. A token limit cuts it short, and then no tokens are left for the response (specification, chat rule 2).
 */
function getReasoning({ spec, reasons, effort, maxTokens }: ChatRequest): string[] {
  if (!spec.reasoning || !(reasons ?? spec.owner !== "anthropic")) return [];
  const requestedTokens = ownEntry(TOKENS_BY_EFFORT, effort ?? DEFAULT_EFFORT) ?? 0;
  const thought = getTokens(THOUGHT);
  return Array.from(
    { length: Math.min(requestedTokens, maxTokens ?? requestedTokens) },
    (_, index) => thought[index % thought.length] ?? "",
  );
}

/** Token counts; cached tokens are part of the prompt, reasoning is part of the completion. */
export interface TokenCounts {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  readonly reasoning: number;
}

/** Tokens that the chat format adds to prime the response. */
const PRIMING_TOKENS = 3;
/** OpenAI caches prefixes of at least 1,024 tokens in steps of 128. */
export const LEAST_CACHED = 1_024;
export const CACHE_STEP = 128;

/** The tokens of all messages and tools. */
export function promptTokens(request: ChatRequest): number {
  return PRIMING_TOKENS + request.toolTokens + computeSum(request, request.messages.length);
}

/**
 * The sandbox is stateless, so that the same request always gets the same response. Cached tokens are derived from the
 * request: with a cache key all of the prompt counts as cached; otherwise what the previous turn sent, the tools and
 * all messages before the last assistant's.
 */
function cachedTokens(request: ChatRequest, prompt: number): number {
  const lastResponse = request.messages.findLastIndex((message) => message.role === "assistant");
  const previousTurn = lastResponse > 0 ? request.toolTokens + computeSum(request, lastResponse) : 0;
  const repeated = request.isRepeated ? prompt - 1 : previousTurn;
  return repeated < LEAST_CACHED ? 0 : repeated - (repeated % CACHE_STEP);
}

function computeSum(request: ChatRequest, messages: number): number {
  return request.messages.slice(0, messages).reduce((sum, message) => sum + message.tokens, 0);
}
