import { INPUT_TOKENS_PER_DELTA, joined, REASONING_TOKENS_PER_DELTA } from "../conversation/deltas.ts";
import type { ChoicePlan, Plan } from "../conversation/plan.ts";
import { callBody, type CompletionHead } from "./completion.ts";

/** What one chunk says about one choice. */
interface Step {
  readonly delta: object;
  readonly logprobs: object | null;
  readonly finish: ChoicePlan["finish"] | null;
}

/**
 * The streamed answer: OpenAI `chat.completion.chunk` objects (docs/providers/openai.md#chat), made one at a time so
 * that a long answer is never in memory twice. Each choice begins with its role and ends with an empty delta and its
 * finish reason; the choices take turns. With `usage` each chunk has `usage: null` and one more has the usage.
 */
export function* chunksOf(
  plan: Plan,
  completionHead: CompletionHead,
  usage: object | null,
): Generator<object, void, undefined> {
  const head = { ...completionHead, object: "chat.completion.chunk" };
  const noUsage = usage === null ? {} : { usage: null };
  let open = plan.choices.map((choice) => ({ index: choice.index, steps: stepsOf(choice) }));
  while (open.length > 0) {
    const still: typeof open = [];
    for (const entry of open) {
      const next = entry.steps.next();
      if (next.done) continue;
      const { delta, logprobs, finish } = next.value;
      yield { ...head, choices: [{ index: entry.index, delta, logprobs, finish_reason: finish }], ...noUsage };
      still.push(entry);
    }
    open = still;
  }
  if (usage !== null) yield { ...head, choices: [], usage };
}

/** How many chunks `chunksOf` makes, without making them. */
export function chunkCount(plan: Plan, includeUsage: boolean): number {
  const steps = plan.choices.map((choice) => {
    const called = choice.calls.map((call) => 1 + Math.ceil(call.input.length / INPUT_TOKENS_PER_DELTA));
    const reasoned = Math.ceil(choice.reasoning.length / REASONING_TOKENS_PER_DELTA);
    return 2 + reasoned + choice.content.length + called.reduce((sum, count) => sum + count, 0);
  });
  return steps.reduce((sum, count) => sum + count, includeUsage ? 1 : 0);
}

function* stepsOf(choice: ChoicePlan): Generator<Step, void, undefined> {
  const called = choice.calls.length > 0;
  yield step({ role: "assistant", content: called ? null : "", refusal: null });
  for (const thought of joined(choice.reasoning, REASONING_TOKENS_PER_DELTA)) {
    yield step({ reasoning_content: thought });
  }
  for (const token of choice.content) {
    yield { delta: { content: token }, logprobs: choice.logprobs?.([token]) ?? null, finish: null };
  }
  for (const [index, call] of choice.calls.entries()) {
    yield step({ tool_calls: [{ index, ...callBody(call, "") }] });
    for (const input of joined(call.input, INPUT_TOKENS_PER_DELTA)) {
      const piece = call.tool.kind === "custom" ? { custom: { input } } : { function: { arguments: input } };
      yield step({ tool_calls: [{ index, ...piece }] });
    }
  }
  yield { delta: {}, logprobs: null, finish: choice.finish };
}

function step(delta: object): Step {
  return { delta, logprobs: null, finish: null };
}
