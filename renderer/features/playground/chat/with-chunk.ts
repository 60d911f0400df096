import type { Chunk } from "../../../api/v1/chat-stream.ts";
import type { Step, ToolUse } from "./conversation.ts";

/** A step with what a chunk adds to it. */
export function withChunk(step: Step, { choices }: Chunk): Step {
  const choice = choices?.[0];
  if (choice === undefined) return step;
  const { delta, finish_reason: finish } = choice;
  const tools = (delta?.tool_calls ?? []).reduce(withToolPart, step.tools);
  return {
    ...step,
    text: step.text + (delta?.content ?? "") + (delta?.refusal ?? ""),
    reasoning: step.reasoning + (delta?.reasoning_content ?? delta?.reasoning ?? ""),
    tools,
    finish: finish ?? step.finish,
  };
}

type ToolPart = NonNullable<NonNullable<NonNullable<Chunk["choices"]>[number]["delta"]>["tool_calls"]>[number];

/** The most calls at once: a provider's mistaken index must not make a million. */
const MOST_TOOLS = 128;

function withToolPart(tools: readonly ToolUse[], part: ToolPart): readonly ToolUse[] {
  const index = part.index ?? (part.id == null ? tools.length - 1 : tools.length);
  if (index < 0 || index > tools.length || index >= MOST_TOOLS) return tools;
  const known = tools[index] ?? { id: "", name: "", input: "", result: null };
  const next = {
    ...known,
    id: part.id ?? known.id,
    name: known.name + (part.function?.name ?? ""),
    input: known.input + (part.function?.arguments ?? ""),
  };
  return [...tools.slice(0, index), next, ...tools.slice(index + 1)];
}
