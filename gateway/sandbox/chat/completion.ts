import type { CallPlan, ChatPlan, ChoicePlan } from "./plan.ts";

/** The answer that is not streamed: an OpenAI `chat.completion` object. */
export function completionOf(plan: ChatPlan): object {
  return {
    id: plan.id,
    object: "chat.completion",
    created: plan.created,
    model: plan.model,
    choices: plan.choices.map(choiceBody),
    usage: plan.usage,
    service_tier: "default",
    system_fingerprint: plan.fingerprint,
  };
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
export function callBody(call: CallPlan, input: string): object {
  return call.kind === "custom"
    ? { id: call.id, type: "custom", custom: { name: call.name, input } }
    : { id: call.id, type: "function", function: { name: call.name, arguments: input } };
}
