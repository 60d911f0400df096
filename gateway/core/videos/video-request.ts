import type { VideoRequest } from "../../contract/videos.ts";
import { alphaOrder } from "./video-alpha.ts";
import { betaOrder } from "./video-beta.ts";
import { grokOrder } from "./video-grok.ts";
import { legacyOrder } from "./video-legacy.ts";
import type { OrderedModel, VideoFamily, VideoOrder } from "./video-order.ts";
import { seedanceOrder } from "./video-seedance.ts";
import { soraOrder } from "./video-sora.ts";

type Rules = (request: VideoRequest, body: Readonly<Record<string, unknown>>, model: OrderedModel) => VideoOrder;

const FAMILIES: Readonly<Record<VideoFamily, Rules>> = {
  "alpha-legacy": legacyOrder,
  alpha: alphaOrder,
  beta: betaOrder,
  seedance: seedanceOrder,
  grok: grokOrder,
  sora: soraOrder,
};

/**
 * Checks and completes a request for a video by the rules of its model's family. Never changes `body`: `input` and
 * `parameters` of the alpha and beta families are the client's own objects where nothing has to be filled in.
 * @param request has passed `videoRequestSchema`. @param body the same, whole.
 * @throws GatewayError naming the field that is wrong, its value and what is accepted (400). Fields and values that
 *   nothing here depends on are the provider's to judge (docs/specification.md#post-v1videosgenerations, rule 1).
 */
export function videoOrder(
  request: VideoRequest,
  body: Readonly<Record<string, unknown>>,
  model: OrderedModel,
): VideoOrder {
  const family = model.rules?.family ?? model.providerFamily;
  return FAMILIES[family](SEEDLESS.has(family) ? request : withSeed(request, body), body, model);
}

/** Families whose providers know no seed. */
const SEEDLESS: ReadonlySet<VideoFamily> = new Set(["grok", "sora"]);

/** A seed at the top, beside `input`, is meant for the video: it goes to the provider where `parameters` have none. */
function withSeed(request: VideoRequest, { seed }: Readonly<Record<string, unknown>>): VideoRequest {
  const { input, parameters } = request;
  if (seed == null || input == null || parameters?.["seed"] != null) return request;
  return { ...request, parameters: { ...parameters, seed } };
}
