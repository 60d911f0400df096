import type { OrderedModel } from "../../core/videos/video-order.ts";
import type { Route } from "../models/routes.ts";

/** A model with the rules that its requests are checked by. Nobody's are asked in OpenAI's words. */
export function orderedModelOf({ id, spec, candidates }: Route): OrderedModel {
  const providerFamily = candidates[0]?.connection.provider.videos?.unlisted ?? "sora";
  return { id, rules: spec?.video ?? null, providerFamily };
}
