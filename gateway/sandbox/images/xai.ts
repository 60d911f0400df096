import { GROK_RATIOS } from "../../contract/images.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { type Exchange, type Route, sendJson } from "../exchange.ts";
import {
  Failure,
  type Fields,
  integerOf,
  invalidType,
  invalidValue,
  listOf,
  missing,
  parsedJson,
  textOf,
} from "../fields.ts";
import { addressOf, drawn, imageFiles, imageModel, picturesOf, sidesOfRatio } from "./picture.ts";
import { prepare } from "../prepare.ts";
import { seedOf } from "../seed.ts";

const SIDES: Readonly<Record<string, number>> = { "1k": 1_024, "2k": 2_048 };
const MOST_REFERENCES = 5;
/** $0.02 an image; a tick is 10⁻¹⁰ USD. */
const TICKS_PER_IMAGE = 200_000_000;

/** Grok Imagine (docs/providers/xai.md#images): JSON both for making and for editing, JPEG files, no `size`. */
export function xaiImageRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: `${base}/images/generations`,
      handle: (exchange) => respond(exchange, imageBody(exchange, models(), "image")),
    },
    {
      method: "POST",
      path: `${base}/images/edits`,
      handle: (exchange) => {
        const body = imageBody(exchange, models(), "image_edit");
        checkReferences(body);
        return respond(exchange, body);
      },
    },
    imageFiles,
  ];
}

function imageBody(exchange: Exchange, models: readonly ModelSpec[], capability: "image" | "image_edit"): Fields {
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw invalidType("body", "an object");
  imageModel(models, body["model"], capability);
  if (body["size"] !== undefined) throw new Failure(400, "Argument not supported: size");
  if (typeof body["prompt"] !== "string") throw missing("prompt");
  return body;
}

async function respond(exchange: Exchange, body: Fields): Promise<void> {
  const count = integerOf(body, "n", 1, 10) ?? 1;
  const ratio = textOf(body["aspect_ratio"]) ?? "1:1";
  if (!GROK_RATIOS.some((known) => known === ratio) && ratio !== "auto") {
    throw invalidValue("aspect_ratio", `expected one of ${GROK_RATIOS.join(", ")}.`);
  }
  const side = SIDES[textOf(body["resolution"]) ?? "1k"];
  const sides = side === undefined ? null : sidesOfRatio(ratio === "auto" ? "1:1" : ratio, side);
  if (sides === null) throw invalidValue("resolution", "expected 1k or 2k.");
  const [width, height] = sides;
  if ((await prepare(exchange, textOf(body["prompt"]) ?? "", null)) === null) return;
  const asUrl = body["response_format"] !== "b64_json";
  const data: object[] = [];
  for (const picture of picturesOf(
    seedOf(exchange.body),
    { width, height, format: "jpeg", transparent: false },
    count,
  )) {
    const image = asUrl
      ? { url: addressOf(exchange, picture) }
      : { b64_json: (await drawn(picture)).toString("base64") };
    data.push({ ...image, revised_prompt: "", respect_moderation: true, mime_type: "image/jpeg" });
  }
  const usage = { cost_in_usd_ticks: TICKS_PER_IMAGE * count };
  sendJson(exchange.response, 200, JSON.stringify({ data, usage }));
}

/** `image:{url,type}` or `images:[{url,type}]`. */
function checkReferences(body: Fields): void {
  const images = body["images"] === undefined ? [body["image"]] : listOf(body["images"]);
  const good = images.every((image) => isRecord(image) && /^(https:|data:image\/)/.test(textOf(image["url"]) ?? ""));
  if (images.length === 0 || images.length > MOST_REFERENCES || !good) {
    throw invalidValue("image", `expected 1 to ${MOST_REFERENCES} of {url, type: "image_url"}.`);
  }
}
