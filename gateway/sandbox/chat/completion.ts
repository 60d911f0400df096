import type { ModelSpec } from "../../core/models/model.ts";
import type { Fields } from "../fields.ts";
import { type Seed, createSeed } from "../seed.ts";
import type { CallPlan, ChoicePlan, Plan, TokenCounts } from "./plan.ts";

/** The first fields of a response and of each chunk of it. */
interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly service_tier: "default";
  readonly system_fingerprint: string;
}

export function getHead(plan: Plan, seed: Seed): CompletionHead {
  return {
    id: `chatcmpl-${seed.digits("id", 29)}`,
    created: plan.created,
    model: plan.model,
    service_tier: "default",
    system_fingerprint: `fp_${createSeed(plan.model).digits("fingerprint", 10)}`,
  };
}

/** The response that is not streamed: an OpenAI `chat.completion` object. */
export function getCompletion(plan: Plan, head: CompletionHead, usage: object): Fields {
  return { ...head, object: "chat.completion", choices: plan.choices.map(choiceBody), usage };
}

function choiceBody(choice: ChoicePlan): object {
  const called = choice.calls.length > 0;
  return {
    index: choice.index,
    message: {
      role: "assistant",
      content: called ? null : choice.content.join(""),
      ...(choice.reasoning.length > 0 && { reasoning_content: choice.reasoning.join("") }),
      ...(called && { tool_calls: choice.calls.map((call) => callBody(call, call.input.join(""))) }),
      refusal: null,
      annotations: [],
    },
    logprobs: choice.logprobs && !called ? choice.logprobs(choice.content) : null,
    finish_reason: choice.finish,
    ...getStop(choice),
  };
}

/** Returns vLLM's field for the sequence that ended a text: other dialects report it. */
function getStop({ stoppedBy }: ChoicePlan): object {
  return stoppedBy === null ? {} : { stop_reason: stoppedBy };
}

/** A tool call with this input, in the shape of its kind. */
function callBody({ id, tool }: CallPlan, input: string): object {
  return tool.kind === "custom"
    ? { id: `call_${id}`, type: "custom", custom: { name: tool.name, input } }
    : { id: `call_${id}`, type: "function", function: { name: tool.name, arguments: input } };
}

/** The content of one chunk for one choice. */
interface Step {
  readonly delta: object;
  readonly logprobs: object | null;
  readonly end: object;
}

/**
 * The streamed response: OpenAI `chat.completion.chunk` objects (docs/providers/openai.md#chat), made one at a time so
 * that a long response is never in memory twice. Each choice starts with its role and ends with an empty delta and its
 * finish reason; choices are interleaved. With `usage` each chunk has `usage: null`, and an extra one has the usage.
 */
export function* getChunks(
  plan: Plan,
  completionHead: CompletionHead,
  usage: object | null,
): Generator<Fields, void, undefined> {
  const head = { ...completionHead, object: "chat.completion.chunk" };
  const noUsage = usage === null ? {} : { usage: null };
  let open = plan.choices.map((choice) => ({ index: choice.index, steps: getSteps(choice) }));
  while (open.length > 0) {
    const still: typeof open = [];
    for (const entry of open) {
      const next = entry.steps.next();
      if (next.done) continue;
      const { delta, logprobs, end } = next.value;
      yield { ...head, choices: [{ index: entry.index, delta, logprobs, finish_reason: null, ...end }], ...noUsage };
      still.push(entry);
    }
    open = still;
  }
  if (usage !== null) yield { ...head, choices: [], usage };
}

function* getSteps(choice: ChoicePlan): Generator<Step, void, undefined> {
  const called = choice.calls.length > 0;
  yield step({ role: "assistant", content: called ? null : "", refusal: null });
  for (const thought of joinTokens(choice.reasoning, REASONING_TOKENS_PER_DELTA)) {
    yield step({ reasoning_content: thought });
  }
  for (const token of choice.content) {
    yield { delta: { content: token }, logprobs: choice.logprobs?.([token]) ?? null, end: {} };
  }
  for (const [index, call] of choice.calls.entries()) {
    yield step({ tool_calls: [{ index, ...callBody(call, "") }] });
    for (const input of joinTokens(call.input, INPUT_TOKENS_PER_DELTA)) {
      const piece = call.tool.kind === "custom" ? { custom: { input } } : { function: { arguments: input } };
      yield step({ tool_calls: [{ index, ...piece }] });
    }
  }
  yield { delta: {}, logprobs: null, end: { finish_reason: choice.finish, ...getStop(choice) } };
}

/** Reasoning is sent in larger chunks than the text, because users do not read it word by word. */
const REASONING_TOKENS_PER_DELTA = 4;
/** Tool inputs likewise. */
const INPUT_TOKENS_PER_DELTA = 2;

/** The texts of `size` tokens each. */
function* joinTokens(tokens: readonly string[], size: number): Generator<string, void, undefined> {
  for (let start = 0; start < tokens.length; start += size) yield tokens.slice(start, start + size).join("");
}

function step(delta: object): Step {
  return { delta, logprobs: null, end: {} };
}

/**
 * Token counts in OpenAI's shape: cached tokens are parts of the prompt, reasoning tokens of the completion. But Grok's
 * reasoning is counted next to its completion, and the total is the sum of all three
 * (https://docs.x.ai/docs/key-information/consumption-and-rate-limits).
 */
export function getUsage(counts: TokenCounts, { owner }: Pick<ModelSpec, "owner">): object {
  return {
    prompt_tokens: counts.prompt,
    completion_tokens: owner === "xai" ? counts.completion - counts.reasoning : counts.completion,
    total_tokens: counts.prompt + counts.completion,
    prompt_tokens_details: { cached_tokens: counts.cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
