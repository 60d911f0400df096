import type { ModelSpec } from "../../core/models/model.ts";
import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";

/**
 * Refuses a prompt that is longer than the model's context, in OpenAI's words.
 * @param param the field that holds the prompt
 * @throws Failure (400)
 */
export function checkContext(spec: ModelSpec, plan: Plan, param: string): void {
  const limit = spec.contextLength;
  const { prompt } = plan.usage;
  if (limit === null || prompt <= limit) return;
  throw new Failure(
    400,
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${prompt} tokens.`,
    { param, code: "context_length_exceeded" },
  );
}
