import type { CallPlan, ChoicePlan, Plan } from "../conversation/plan.ts";
import { seedOf, type Seed } from "../seed.ts";

/** What an answer and each chunk of it begin with. */
export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly service_tier: "default";
  readonly system_fingerprint: string;
}

export function headOf(plan: Plan, seed: Seed): CompletionHead {
  return {
    id: `chatcmpl-${seed.digits("id", 29)}`,
    created: plan.created,
    model: plan.model,
    service_tier: "default",
    system_fingerprint: `fp_${seedOf(plan.model).digits("fingerprint", 10)}`,
  };
}

/** The answer that is not streamed: an OpenAI `chat.completion` object. */
export function completionOf(plan: Plan, head: CompletionHead, usage: object): object {
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
  };
}

/** A tool call with this input, in the shape of its kind. */
export function callBody({ id, tool }: CallPlan, input: string): object {
  return tool.kind === "custom"
    ? { id: `call_${id}`, type: "custom", custom: { name: tool.name, input } }
    : { id: `call_${id}`, type: "function", function: { name: tool.name, arguments: input } };
}
