import type { OrderedModel, VideoFamily } from "../../core/videos/video-order.ts";
import type { Route } from "../models/routes.ts";

/** How models that no catalog knows are asked, by whose they are; others speak OpenAI's dialect. */
const FAMILIES: Readonly<Record<string, VideoFamily>> = { dashscope: "alpha", ark: "seedance", xai: "grok" };

/** A model with the rules that its requests are checked by. */
export function orderedModelOf({ id, spec, candidates }: Route): OrderedModel {
  const provider = candidates[0]?.connection.provider.id;
  const providerFamily = (provider === undefined ? undefined : FAMILIES[provider]) ?? "sora";
  return { id, rules: spec?.video ?? null, providerFamily };
}
