import { sidesOf } from "../../core/images/image-rules.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { arkFailureBody, invalidParameter } from "../ark-failure.ts";
import { type Exchange, type Route, sendJson } from "../exchange.ts";
import { type Fields, invalidType, missing, parsedJson } from "../fields.ts";
import { sendEvents } from "./openai.ts";
import { addressOf, drawn, imageFiles, imageModel, isDrawable, picturesOf, type PlannedPicture } from "./picture.ts";
import { prepare } from "../prepare.ts";
import { createdOf, type Seed, seedOf } from "../seed.ts";

/** Seedream (docs/providers/ark.md#images): an address or base64, one picture or a series, whole or streamed. */
export function arkImageRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: `${base}/images/generations`,
      failureBody: arkFailureBody,
      handle: (exchange) => generate(exchange, models()),
    },
    imageFiles,
  ];
}

async function generate(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw invalidType("body", "an object");
  const model = imageModel(models, body["model"], "image");
  const { prompt } = body;
  if (typeof prompt !== "string") throw missing("prompt");
  const [width, height] = sizeFor(body["size"]);
  const format = body["output_format"] === "png" ? "png" : "jpeg";
  const seed = seedOf(exchange.body);
  const pictures = picturesOf(seed, { width, height, format, transparent: false }, countOf(body));
  const stream = body["stream"] === true;
  const manner = await prepare(exchange, prompt, stream ? pictures.length + 1 : null);
  if (manner === null) return;
  const asUrl = body["response_format"] !== "b64_json";
  const data: object[] = [];
  for (const picture of pictures) data.push(await shown(exchange, picture, asUrl));
  const head = { model: model.upstreamId ?? model.id, created: createdOf(seed) };
  const usage = usageOf(pictures);
  if (!stream) return sendJson(exchange.response, 200, JSON.stringify({ ...head, data, usage }), headersOf(seed));
  const frames = data.map((item, index) =>
    event("image_generation.partial_succeeded", { ...head, image_index: index, ...item }),
  );
  frames.push(event("image_generation.completed", { ...head, usage }), "data: [DONE]\n\n");
  await sendEvents(exchange, frames, manner, headersOf(seed));
}

async function shown(exchange: Exchange, picture: PlannedPicture, asUrl: boolean): Promise<object> {
  const size = `${picture.width}x${picture.height}`;
  if (asUrl) return { url: addressOf(exchange, picture), size };
  return { b64_json: (await drawn(picture)).toString("base64"), size };
}

/** A token for each 256 pixels, as the provider's own figures have it. */
function usageOf(pictures: readonly PlannedPicture[]): object {
  const tokens = pictures.reduce((sum, { width, height }) => sum + Math.ceil((width * height) / 256), 0);
  return { generated_images: pictures.length, output_tokens: tokens, total_tokens: tokens };
}

/** A series where it is asked for: as many as are allowed, four otherwise. */
function countOf(body: Fields): number {
  if (body["sequential_image_generation"] !== "auto") return 1;
  const options = isRecord(body["sequential_image_generation_options"])
    ? body["sequential_image_generation_options"]
    : {};
  const most = options["max_images"] ?? 4;
  if (typeof most === "number" && Number.isInteger(most) && most >= 1 && most <= 15) return most;
  throw invalidParameter("sequential_image_generation_options.max_images", "expected 1 to 15.");
}

const SIDES: Readonly<Record<string, number>> = { "1K": 1_024, "2K": 2_048, "3K": 3_072, "4K": 4_096 };

function sizeFor(size: unknown): readonly [number, number] {
  const asked = size ?? "2K";
  const side = typeof asked === "string" ? SIDES[asked] : undefined;
  if (side !== undefined) return [side, side];
  const sides = typeof asked === "string" ? sidesOf(asked) : null;
  if (sides !== null && isDrawable(...sides)) return sides;
  throw invalidParameter("size", "expected 1K, 2K, 3K, 4K or WIDTHxHEIGHT.");
}

function headersOf(seed: Seed): Record<string, string> {
  return { "x-request-id": seed.digits("request", 32) };
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
