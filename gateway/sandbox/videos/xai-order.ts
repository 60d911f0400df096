import { isRecord } from "../../lib/records.ts";
import { Failure } from "../failure.ts";
import { textOf, type Fields } from "../fields.ts";
import { sizeByRatio } from "./sizes.ts";

/** The three things that xAI does with a prompt, by the end of their paths. */
export type GrokOperation = "generations" | "edits" | "extensions";

/** A checked body (docs/providers/xai.md#videos). */
export interface GrokOrder {
  readonly prompt: string;
  readonly seconds: number;
  /** Place in `FILM_SIZES`. */
  readonly size: number;
}

const RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"];
const RESOLUTIONS = ["480p", "720p", "1080p"];
const MOST_SECONDS = 15;
/** Unless asked for otherwise, and of a film that is edited, which nobody here looks into: a guess. */
const USUAL_SECONDS = 6;
const MOST_IMAGES = 7;
const MOST_AUDIOS = 3;

/** @throws Failure 422 for what is no such body, 400 for values that xAI does not take. */
export function grokOrder(body: Fields, operation: GrokOperation, model: string): GrokOrder {
  const prompt = textOf(body["prompt"]);
  if (prompt === undefined) throw unreadable("missing field `prompt`");
  if (operation === "generations") return generation(body, prompt, model);
  addressIn(body, "video");
  if (operation === "edits") {
    for (const name of ["duration", "aspect_ratio", "resolution"]) {
      if (body[name] != null) throw invalidArgument(`Argument not supported: ${name}`);
    }
  }
  return { prompt, seconds: secondsIn(body), size: sizeByRatio("480p", "16:9") };
}

function generation(body: Fields, prompt: string, model: string): GrokOrder {
  if (body["image"] != null) addressIn(body, "image");
  const images = listIn(body, "reference_images", MOST_IMAGES);
  listIn(body, "reference_audios", MOST_AUDIOS);
  const resolution = wordIn(body, "resolution", RESOLUTIONS) ?? "480p";
  if (resolution === "1080p" && (images > 0 || !model.includes("1.5"))) {
    throw invalidArgument("Resolution 1080p is not supported for this request.");
  }
  return {
    prompt,
    seconds: secondsIn(body),
    size: sizeByRatio(resolution, wordIn(body, "aspect_ratio", RATIOS) ?? "16:9"),
  };
}

function secondsIn(body: Fields): number {
  const seconds = body["duration"] ?? USUAL_SECONDS;
  if (typeof seconds !== "number" || !Number.isInteger(seconds)) {
    throw unreadable("duration: invalid type, expected an integer");
  }
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  throw invalidArgument(`duration must be between 1 and ${MOST_SECONDS}`);
}

function wordIn(body: Fields, name: string, words: readonly string[]): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined) throw unreadable(`${name}: unknown variant, expected one of ${words.join(", ")}`);
  return found;
}

function addressIn(body: Fields, name: string): void {
  const place = body[name];
  const url = isRecord(place) ? textOf(place["url"]) : undefined;
  if (url === undefined) throw unreadable(`missing field \`${name}.url\``);
  if (!/^(https?:\/\/|data:\w+\/)/i.test(url)) throw invalidArgument(`${name}.url is not a valid URL`);
}

function listIn(body: Fields, name: string, most: number): number {
  const list = body[name] ?? [];
  if (!Array.isArray(list)) throw unreadable(`${name}: invalid type, expected a sequence`);
  if (list.length > most) throw invalidArgument(`${name} takes at most ${most}`);
  return list.length;
}

function invalidArgument(sentence: string): Failure {
  return new Failure(400, sentence);
}

/** "422 body" (docs/providers/xai.md#errors); the words are a guess. */
export function unreadable(sentence: string): Failure {
  return new Failure(422, `Failed to deserialize the JSON body into the target type: ${sentence}`);
}
