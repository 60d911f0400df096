import { sidesOf } from "../../core/images/image-rules.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { type Exchange, sendJson } from "../exchange.ts";
import { type Fields, listOf, textOf } from "../fields.ts";
import { addressOf, imageModel, isDrawable, picturesOf } from "./picture.ts";
import { invalidParameter, type MultimodalOperation, requestIdOf } from "../multimodal.ts";
import { prepare } from "../prepare.ts";
import { seedOf } from "../seed.ts";

/** Qwen Image by messages (docs/providers/dashscope.md#images): answers name a PNG file. */
export function dashscopeImages(models: () => readonly ModelSpec[]): MultimodalOperation {
  return {
    field: "messages",
    response: async (exchange, body, input) => {
      const model = imageModel(models(), body["model"], "image");
      const { prompt, images } = messageOf(input);
      checkImages(model, images);
      const parameters = isRecord(body["parameters"]) ? body["parameters"] : {};
      const count = countOf(parameters, model);
      const [width, height] = sizeFor(parameters["size"], model);
      if ((await prepare(exchange, prompt, null)) === null) return;
      send(exchange, count, width, height);
    },
  };
}

function send(exchange: Exchange, count: number, width: number, height: number): void {
  const plan = { width, height, format: "png", transparent: false } as const;
  const pictures = picturesOf(seedOf(exchange.body), plan, count);
  const content = pictures.map((picture) => ({ image: addressOf(exchange, picture) }));
  const body = {
    output: { choices: [{ finish_reason: "stop", message: { role: "assistant", content } }] },
    usage: { height, image_count: count, width },
    request_id: requestIdOf(exchange.body),
  };
  sendJson(exchange.response, 200, JSON.stringify(body));
}

/** "`messages` must hold exactly one user message; `content` exactly one `{text}`; `{image}` items only for editing". */
function messageOf(input: Fields): { prompt: string; images: number } {
  const messages = listOf(input["messages"]);
  const [message] = messages;
  if (messages.length !== 1 || !isRecord(message) || message["role"] !== "user") {
    throw invalidParameter("input.messages must hold exactly one user message.");
  }
  const content = listOf(message["content"]).filter(isRecord);
  const texts = content.flatMap((block) => textOf(block["text"]) ?? []);
  if (texts.length !== 1) throw invalidParameter("content must hold exactly one text.");
  return { prompt: texts[0] ?? "", images: content.filter((block) => typeof block["image"] === "string").length };
}

function checkImages({ image }: ModelSpec, images: number): void {
  const { least, most } = image?.references ?? { least: 0, most: 3 };
  if (images < least || images > most) throw invalidParameter(`the model takes ${least} to ${most} images.`);
}

/** Newer models make up to six; the others one. */
function countOf(parameters: Fields, { upstreamId, id }: ModelSpec): number {
  const n = parameters["n"] ?? 1;
  const most = /-2\.0|-edit-(plus|max)/.test(upstreamId ?? id) ? 6 : 1;
  if (typeof n === "number" && Number.isInteger(n) && n >= 1 && n <= most) return n;
  throw invalidParameter(`num_images_per_prompt must be ${most === 1 ? "1" : `1 to ${most}`}`);
}

const DEFAULTS = [
  [/-2\.0/, "2048*2048"],
  [/-edit/, "1024*1024"],
] as const;

function sizeFor(size: unknown, { upstreamId, id }: ModelSpec): readonly [number, number] {
  const standard = DEFAULTS.find(([name]) => name.test(upstreamId ?? id))?.[1] ?? "1664*928";
  const asked = size ?? standard;
  const sides = typeof asked === "string" && asked.includes("*") ? sidesOf(asked) : null;
  if (sides === null || !isDrawable(...sides)) throw invalidParameter("size must be WIDTH*HEIGHT.");
  return sides;
}
