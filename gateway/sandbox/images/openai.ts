import { GatewayError } from "../../core/errors.ts";
import { checkSize, sidesOf } from "../../core/images/image-rules.ts";
import { imageTokens } from "../../core/images/image-tokens.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { cutConnection, type Exchange, type Route, sendFrames, sendJson } from "../exchange.ts";
import { Failure, type Fields, integerOf, invalidType, invalidValue, missing, parsedJson } from "../fields.ts";
import { editRequestOf } from "./edit-request.ts";
import {
  addressOf,
  drawn,
  imageFiles,
  imageModel,
  isDrawable,
  PICTURE_FORMATS,
  type PictureFormat,
  type PicturePlan,
  picturesOf,
  type PlannedPicture,
} from "./picture.ts";
import { type Manner, prepare } from "../prepare.ts";
import { createdOf, type Seed, seedOf } from "../seed.ts";
import { countTokens } from "../tokens.ts";

/** A form of several files of 64 MiB. */
const LARGEST_EDIT_BYTES = 256 * 1024 * 1024;

/** `POST …/images/generations` and `…/images/edits` below `base`, and the files that dall-e's responses name. */
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
  await responseOrder(exchange, order, seedOf(exchange.body), "image_generation");
}

async function edit(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const request = editRequestOf(exchange);
  const order = openaiOrder(request.fields, imageModel(models, request.fields["model"], "image_edit"), request.images);
  await responseOrder(exchange, order, request.seed, "image_edit");
}

/**
 * Answers an order as OpenAI does (docs/providers/openai.md#images): whole or streamed.
 * @param event `image_generation` or `image_edit`.
 */
async function responseOrder(exchange: Exchange, order: OpenaiOrder, seed: Seed, event: string): Promise<void> {
  const { stream, partials, count } = order;
  const manner = await prepare(exchange, order.prompt, stream ? partials + count : null);
  if (manner === null) return;
  const headers = { "x-request-id": `req_${seed.digits("request", 32)}`, "openai-version": "2020-10-01" };
  const pictures = picturesOf(seed, order.plan, count);
  if (stream) return sendEvents(exchange, await eventsOf(order, pictures, seed, event), manner, headers);
  const data: object[] = [];
  for (const picture of pictures) data.push(await shownPicture(exchange, order, picture));
  const { echo, usage } = order;
  const body = echo === null ? { created: createdOf(seed), data } : { created: createdOf(seed), ...echo, data, usage };
  sendJson(exchange.response, 200, JSON.stringify(body), headers);
}

async function shownPicture(
  exchange: Exchange,
  { model, asUrl, prompt }: OpenaiOrder,
  picture: PlannedPicture,
): Promise<object> {
  const revised = model.upstreamId === "dall-e-3" ? { revised_prompt: `${prompt} (drawn by the sandbox)` } : {};
  if (asUrl) return { ...revised, url: addressOf(exchange, picture) };
  return { ...revised, b64_json: (await drawn(picture)).toString("base64") };
}

/** Unfinished pictures are of other colours. Usage is in the last closing event. */
async function eventsOf(
  { partials, plan, echo, usage }: OpenaiOrder,
  pictures: readonly PlannedPicture[],
  seed: Seed,
  event: string,
): Promise<string[]> {
  const created = { created_at: createdOf(seed), ...echo };
  const frames: string[] = [];
  const add = (type: string, fields: object): void => {
    frames.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  for (let index = 0; index < partials; index += 1) {
    const unfinished = await drawn({ ...plan, digits: seed.digits(`partial ${index}`, 32) });
    add(`${event}.partial_image`, { b64_json: unfinished.toString("base64"), ...created, partial_image_index: index });
  }
  for (const [index, picture] of pictures.entries()) {
    const last = index === pictures.length - 1 ? { usage } : {};
    add(`${event}.completed`, { b64_json: (await drawn(picture)).toString("base64"), ...created, ...last });
  }
  return frames;
}

/** Sends events in the manner that the prompt asked for. */
export async function sendEvents(
  exchange: Exchange,
  frames: readonly string[],
  { gapMs, cutAfter }: Manner,
  headers: Record<string, string>,
): Promise<void> {
  await sendFrames(exchange, cutAfter === null ? frames : frames.slice(0, cutAfter), gapMs, headers);
  if (cutAfter === null) exchange.response.end();
  else cutConnection(exchange);
}

/** A checked request for images in OpenAI's shape (docs/providers/openai.md#images), made or edited. */
interface OpenaiOrder {
  readonly model: ModelSpec;
  readonly prompt: string;
  readonly count: number;
  readonly plan: PicturePlan;
  /** Settings that gpt-image echoes; null at dall-e, which echoes nothing and has no usage. */
  readonly echo: Readonly<Record<string, string>> | null;
  readonly asUrl: boolean;
  readonly stream: boolean;
  readonly partials: number;
  readonly usage: object;
}

/** Input tokens of a picture to edit. */
const TOKENS_PER_IMAGE = 323;

/**
 * Checks a request as OpenAI does, the fields that it refuses among them.
 * @param images how many pictures the request refers to.
 * @throws Failure (400) in OpenAI's envelope.
 */
function openaiOrder(body: Fields, model: ModelSpec, images: number): OpenaiOrder {
  const delta = !(model.upstreamId ?? model.id).startsWith("dall-e");
  const { prompt } = body;
  if (typeof prompt !== "string") throw prompt === undefined ? missing("prompt") : invalidType("prompt", "a string");
  if (delta && body["response_format"] !== undefined) throw unknownField("response_format");
  if (!delta) for (const name of DELTA_FIELDS) if (body[name] !== undefined) throw unknownField(name);
  const count = integerOf(body, "n", 1, 10) ?? 1;
  const [width, height] = sidesFor(body["size"], model, images > 0);
  const format = wordOf(body, "output_format", PICTURE_FORMATS) ?? "png";
  const background = wordOf(body, "background", ["transparent", "opaque", "auto"]) ?? "auto";
  if (background === "transparent" && format === "jpeg") {
    throw invalidValue("background", "transparent backgrounds need output_format png or webp.");
  }
  const quality = wordOf(body, "quality", delta ? ["low", "medium", "high", "auto"] : ["standard", "hd"]);
  const made = quality === undefined || quality === "auto" ? "high" : quality;
  const stream = body["stream"] === true;
  const partials = stream ? (integerOf(body, "partial_images", 0, 3) ?? 0) : 0;
  const size = `${width}x${height}`;
  return {
    model,
    prompt,
    count,
    plan: { width, height, format: format as PictureFormat, transparent: background === "transparent" },
    echo: delta
      ? { background: background === "auto" ? "opaque" : background, output_format: format, quality: made, size }
      : null,
    asUrl: !delta && wordOf(body, "response_format", ["url", "b64_json"]) !== "b64_json",
    stream,
    partials,
    usage: usageOf(countTokens(prompt), images, count * imageTokens(size, made, partials)),
  };
}

/** Fields that dall-e does not have. */
const DELTA_FIELDS = [
  "background",
  "output_format",
  "output_compression",
  "moderation",
  "input_fidelity",
  "stream",
  "partial_images",
];

function usageOf(words: number, images: number, output: number): object {
  const seen = images * TOKENS_PER_IMAGE;
  return {
    total_tokens: words + seen + output,
    input_tokens: words + seen,
    output_tokens: output,
    input_tokens_details: { text_tokens: words, image_tokens: seen },
    output_tokens_details: { text_tokens: 0, image_tokens: output },
  };
}

function sidesFor(size: unknown, model: ModelSpec, edits: boolean): readonly [number, number] {
  if (size === undefined || size === null || size === "auto") return [1_024, 1_024];
  if (typeof size !== "string") throw invalidType("size", "a string");
  const { image, edit, id } = model;
  if (edits) {
    if (edit !== undefined && !edit.sizes.includes(size))
      throw invalidValue("size", `expected one of ${edit.sizes.join(", ")}.`);
  } else if (image !== undefined) {
    refuseSize(() => checkSize(size, image.sizes, id, "size"));
  }
  const sides = sidesOf(size);
  if (sides === null || !isDrawable(...sides)) throw invalidValue("size", "expected WIDTHxHEIGHT.");
  return sides;
}

function refuseSize(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof GatewayError) throw new Failure(400, error.message, { param: "size", code: "invalid_value" });
    throw error;
  }
}

function wordOf(body: Fields, param: string, words: readonly string[]): string | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && words.includes(value)) return value;
  throw invalidValue(param, `expected one of ${words.join(", ")}.`);
}

function unknownField(param: string): Failure {
  return new Failure(400, `Unknown parameter: '${param}'.`, { param, code: "unknown_parameter" });
}
