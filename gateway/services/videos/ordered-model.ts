import type { VendorId } from "../../contract/connection.ts";
import type { OrderedModel, VideoFamily } from "../../core/videos/video-order.ts";
import type { Route } from "../models/routes.ts";

/** How models that no catalog knows are asked, by whose they are; others speak OpenAI's dialect. */
const FAMILIES: Partial<Record<VendorId, VideoFamily>> = { dashscope: "alpha", ark: "seedance", xai: "grok" };

/** A model with the rules that its requests are checked by. */
export function orderedModelOf({ id, spec, candidates }: Route): OrderedModel {
  const vendor = candidates[0]?.connection.vendor.id;
  const vendorFamily = (vendor === undefined ? undefined : FAMILIES[vendor]) ?? "sora";
  return { id, rules: spec?.video ?? null, vendorFamily };
}
