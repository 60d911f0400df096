import type { ModelSpec } from "../core/models/model.ts";

/**
 * Whether the thinking of earlier turns may go back to a model's provider, as `reasoning_content` of its messages. OpenAI
 * and Google answer 400 to fields that they do not know, and know no such one; providers that think between calls want it.
 */
export function takesThinkingBack(model: ModelSpec | null): boolean {
  return model?.owner !== "openai" && model?.owner !== "google";
}
