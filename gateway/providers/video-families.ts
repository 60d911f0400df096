import type { VideoRequest } from "../contract/videos.ts";
import type { OrderedModel, VideoOrder } from "../core/videos/video-order.ts";
import { providers } from "./registry.ts";
import type { Provider } from "./provider.ts";
import type { VideoFamilyRules } from "./videos.ts";

const FAMILIES: ReadonlyMap<string, VideoFamilyRules> = new Map(
  Object.values<Provider>(providers).flatMap(({ videos }) => Object.entries(videos?.families ?? {})),
);

/**
 * Checks and completes a request for a video by the rules of its model's family. Never changes `body`: `input` and
 * `parameters` of the alpha and beta families are the client's own objects if nothing is filled in.
 * @param request has passed `videoRequestSchema`. @param body the original body.
 * @throws GatewayError naming the invalid field, its value and the accepted values (400). Fields that nothing here
 * depends on are checked by the provider (docs/specification.md#post-v1videosgenerations, rule 1).
 */
export function videoOrder(
  request: VideoRequest,
  body: Readonly<Record<string, unknown>>,
  model: OrderedModel,
): VideoOrder {
  const family = model.rules?.family ?? model.providerFamily;
  const rules = FAMILIES.get(family);
  if (rules === undefined) throw new Error(`no provider has the video family ${family}`);
  return rules.order(rules.hasSeed ? withSeed(request, body) : request, body, model);
}

/** A top-level seed is meant for the video: it is moved to `parameters` if they have none. */
function withSeed(request: VideoRequest, { seed }: Readonly<Record<string, unknown>>): VideoRequest {
  const { input, parameters } = request;
  if (seed == null || input == null || parameters?.["seed"] != null) return request;
  return { ...request, parameters: { ...parameters, seed } };
}
