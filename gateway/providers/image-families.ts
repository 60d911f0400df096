import { unlistedInput, unlistedRequest } from "../core/images/image-prompt.ts";
import type { ImageBody, ImageRequest } from "../core/images/image-request.ts";
import type { ImageRules } from "../core/images/image-rules.ts";
import type { ImageFamilyRules } from "./images.ts";
import { providers } from "./registry.ts";
import type { Provider } from "./provider.ts";

const adapters = Object.values<Provider>(providers).flatMap(({ images }) => images ?? []);

const FAMILIES: ReadonlyMap<string, ImageFamilyRules> = new Map(
  adapters.flatMap(({ families }) => Object.entries(families)),
);
/** OpenAI's families, whose shape all compatible servers have. */
const PROMPT_SHAPED: ReadonlySet<string> = new Set(["delta", "epsilon"]);
const OWN_SHAPES = adapters.flatMap(({ ownShape }) => ownShape ?? []);

/**
 * Checks and completes a request for images by the rules of its model's family. Never changes the body.
 * @param rules null for a model that only a provider's list names.
 * @param isOwned whether the owner serves it: OpenAI's limits do not apply to other servers with its models' names
 * @throws GatewayError naming the invalid field, its value and the accepted values (400).
 */
export function buildImageRequest(body: ImageBody, id: string, rules: ImageRules | null, isOwned = true): ImageRequest {
  if (rules !== null && (isOwned || !PROMPT_SHAPED.has(rules.family)))
    return buildFamilyRules(rules)(body, { id, rules });
  const own = OWN_SHAPES.find(({ field }) => body[field] != null);
  if (own !== undefined) return own.read(body);
  return body["input"] == null ? unlistedRequest(body, rules) : unlistedInput(body);
}

function buildFamilyRules({ family }: ImageRules): ImageFamilyRules {
  const rules = FAMILIES.get(family);
  if (rules === undefined) throw new Error(`no provider has the image family ${family}`);
  return rules;
}
