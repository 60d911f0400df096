import { expect, it } from "vitest";
import { findModel } from "../../../gateway/catalog/lookup.ts";
import { videoRequestSchema } from "../../../gateway/contract/videos.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { validate } from "../../../gateway/core/validation.ts";
import type { OrderedModel, VideoFamily, VideoOrder } from "../../../gateway/core/videos/video-order.ts";
import { videoOrder } from "../../../gateway/providers/video-families.ts";

export type Json = Record<string, unknown>;

/** A model of the catalog as an order sees it. */
export function listed(id: string): OrderedModel {
  const rules = findModel(id)?.video;
  if (rules === undefined) throw new Error(`${id} makes no videos`);
  return { id, rules, providerFamily: rules.family };
}

export const unlisted = (providerFamily: VideoFamily): OrderedModel => ({
  id: "new-model",
  rules: null,
  providerFamily,
});

/** The order that a body makes, by the way that the service goes. */
export function orderOf(model: string | OrderedModel, body: Json): VideoOrder {
  const request = typeof model === "string" ? listed(model) : model;
  const whole = { model: request.id, ...body };
  return videoOrder(validate(videoRequestSchema, whole), whole, request);
}

/** The refusal that a body meets. */
export function refusalOf(model: string | OrderedModel, body: Json): { code: string; param: string; message: string } {
  try {
    orderOf(model, body);
  } catch (error) {
    if (error instanceof GatewayError) {
      return { code: error.code, param: error.details.param ?? "", message: error.message };
    }
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(body)}`);
}

/** Checks what a model refuses. @param rows name, body, and the field at fault with its code where that is not `unsupported_value` */
export function checkRefusals(
  model: string,
  rows: readonly (readonly [name: string, body: Json, fault: string])[],
): void {
  it.each(rows)(`${model} refuses %s`, (_name, body, fault) => {
    const [param, code = "unsupported_value"] = fault.split(" ");
    expect(refusalOf(model, body)).toMatchObject({ code, param });
  });
}

export const PROMPT = "A lighthouse at dusk.";
export const PICTURE = "https://example.com/a.png";
export const MOVIE = "https://example.com/a.mp4";
export const item = (type: string, url = PICTURE) => ({ type, url });
export const FIRST_FRAME = item("first_frame");
