import { gammaRequest } from "./image-gamma.ts";
import { geminiRequest } from "./image-gemini.ts";
import { grokRequest } from "./image-grok.ts";
import { promptRequest, unlistedRequest } from "./image-prompt.ts";
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
 * @param rules null for a model that only a vendor's list knows.
 * @throws GatewayError naming the field that is wrong, its value and what is accepted (400).
 */
export function imageRequest(asked: ImageBody, id: string, rules: ImageRules | null): ImageRequest {
  return rules === null ? unlistedRequest(asked) : FAMILIES[rules.family](asked, { id, rules });
}
