import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { parsedJson } from "../body.ts";
import type { Exchange, Route } from "../exchange.ts";
import { invalidType } from "../failure.ts";
import { seedOf } from "../seed.ts";
import { editRequestOf } from "./edit-request.ts";
import { imageFiles } from "./files.ts";
import { answerOrder } from "./openai-answer.ts";
import { openaiOrder } from "./openai-order.ts";
import { imageModel } from "./prepare.ts";

/** A form of several files of 64 MiB. */
const LARGEST_EDIT_BYTES = 256 * 1024 * 1024;

/** `POST …/images/generations` and `…/images/edits` below `base`, and the files that dall-e's answers name. */
export function openaiImageRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [
    { method: "POST", path: `${base}/images/generations`, handle: (exchange) => generate(exchange, models()) },
    {
      method: "POST",
      path: `${base}/images/edits`,
      largestBody: LARGEST_EDIT_BYTES,
      handle: (exchange) => edit(exchange, models()),
    },
    imageFiles,
  ];
}

async function generate(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw invalidType("body", "an object");
  const order = openaiOrder(body, imageModel(models, body["model"], "image"), 0);
  await answerOrder(exchange, order, seedOf(exchange.body), "image_generation");
}

async function edit(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const request = editRequestOf(exchange);
  const order = openaiOrder(request.fields, imageModel(models, request.fields["model"], "image_edit"), request.images);
  await answerOrder(exchange, order, request.seed, "image_edit");
}
