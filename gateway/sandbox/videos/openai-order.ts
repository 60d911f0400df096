import { readPicture } from "../../core/media/picture-type.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import type { Exchange } from "../exchange.ts";
import { Failure, invalidType, invalidValue, missing, modelNotFound, textOf } from "../fields.ts";
import { type FormOrJson, formOrJson } from "../forms.ts";
import { sizeByPixels } from "./sizes.ts";
import { providersId, videoModel } from "./task.ts";

/** A checked `POST /v1/videos` (docs/providers/openai.md#videos). */
export interface SoraOrder {
  readonly model: ModelSpec;
  readonly prompt: string;
  readonly seconds: number;
  /** Place in `FILM_SIZES`. */
  readonly size: number;
  /** What of the request its colours come from. */
  readonly matter: Uint8Array;
}

const USUAL_MODEL = "sora-2";
const SIZES = ["720x1280", "1280x720"];
const PRO_SIZES = [...SIZES, "1024x1792", "1792x1024"];
const SECONDS = ["4", "8", "12"];
/** Of models that are not OpenAI's: a guess. */
const MOST_SECONDS = 60;

/** @throws Failure in OpenAI's envelope for what is no such request. */
export function soraOrder(exchange: Exchange, models: readonly ModelSpec[]): SoraOrder {
  const { fields, matter } = requestOf(exchange);
  const { prompt } = fields;
  if (prompt === undefined || prompt === null || prompt === "") throw missing("prompt");
  if (typeof prompt !== "string") throw invalidType("prompt", "a string");
  const id = fields["model"] ?? USUAL_MODEL;
  const model = videoModel(models, id);
  if (model === undefined) throw modelNotFound(textOf(id)?.slice(0, 200) ?? "");
  const sora = providersId(model).startsWith("sora-");
  const seconds = fields["seconds"] ?? "4";
  if (sora) oneOf(seconds, "seconds", SECONDS);
  const length = typeof seconds === "string" && /^\d{1,2}$/.test(seconds) ? Number(seconds) : seconds;
  if (typeof length !== "number" || !Number.isInteger(length) || length < 1 || length > MOST_SECONDS) {
    throw invalidValue("seconds", `expected 1 to ${MOST_SECONDS}.`);
  }
  const size = fields["size"] ?? "720x1280";
  if (sora) oneOf(size, "size", providersId(model).startsWith("sora-2-pro") ? PRO_SIZES : SIZES);
  const place = typeof size === "string" && size.includes("x") ? sizeByPixels(size) : -1;
  if (place < 0) throw invalidValue("size", "expected WIDTHxHEIGHT of a known size.");
  return { model, prompt, seconds: length, size: place, matter };
}

function oneOf(value: unknown, param: string, words: readonly string[]): void {
  if (typeof value !== "string") throw invalidType(param, "a string");
  if (!words.includes(value)) throw invalidValue(param, `supported values are ${words.join(", ")}.`);
}

/** JSON, or a form with a file. */
function requestOf(exchange: Exchange): FormOrJson {
  const request = formOrJson(exchange);
  const file = request.parts?.find(({ name, fileName }) => name === "input_reference" && fileName !== null);
  if (file !== undefined && readPicture(file.bytes) === null) {
    throw new Failure(400, "Invalid file 'input_reference': unsupported mimetype.", {
      param: "input_reference",
      code: "unsupported_file_mimetype",
    });
  }
  const reference = request.parts === null ? request.fields["input_reference"] : null;
  if (reference != null && !(isRecord(reference) && (textOf(reference["image_url"]) ?? textOf(reference["file_id"])))) {
    throw invalidType("input_reference", "an object with image_url or file_id");
  }
  return request;
}
