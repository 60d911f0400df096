import { gammaRequest } from "./image-gamma.ts";
import { contentsRequest, geminiRequest } from "./image-gemini.ts";
import { grokRequest } from "./image-grok.ts";
import { promptRequest, unlistedInput, unlistedRequest } from "./image-prompt.ts";
import type { AskedModel, ImageBody, ImageRequest } from "./image-request.ts";
import type { ImageFamily, ImageRules } from "./image-rules.ts";
import { seedreamRequest } from "./image-seedream.ts";

const FAMILIES: Readonly<Record<ImageFamily, (asked: ImageBody, model: AskedModel) => ImageRequest>> = {
  gamma: gammaRequest,
  delta: promptRequest,
  epsilon: promptRequest,
  seedream: seedreamRequest,
  gemini: geminiRequest,
  grok: grokRequest,
};

/**
 * Checks and completes a request for images by the rules of its model's family. Never changes `asked`.
 * @param rules null for a model that only a provider's list knows.
 * @throws GatewayError naming the field that is wrong, its value and what is accepted (400).
 */
export function imageRequest(asked: ImageBody, id: string, rules: ImageRules | null): ImageRequest {
  if (rules !== null) return FAMILIES[rules.family](asked, { id, rules });
  if (asked["contents"] != null) return contentsRequest(asked);
  return asked["input"] == null ? unlistedRequest(asked) : unlistedInput(asked);
}
