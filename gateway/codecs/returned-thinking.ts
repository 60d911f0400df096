import type { ModelSpec } from "../core/models/model.ts";

/**
 * Whether the thinking of earlier turns may go back to a model's vendor, as `reasoning_content` of its messages. OpenAI
 * and Google answer 400 to fields that they do not know, and know no such one; vendors that think between calls want it.
 */
export function takesThinkingBack(model: ModelSpec | null): boolean {
  return model?.owner !== "openai" && model?.owner !== "google";
}
