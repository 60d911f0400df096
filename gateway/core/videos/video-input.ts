import type { VideoRequest } from "../../contract/videos.ts";
import { isRecord } from "../../lib/records.ts";
import { missing, readPlace, createUnsupported, wrongType, wrongValue } from "./video-refusal.ts";
import type { VideoOrder } from "./video-order.ts";
import type { Fields } from "./video-terms.ts";

/** Reading `input` of a video request. Places in messages are those of the client's body: `input.media[1].url`. */

export interface MediaItem {
  readonly type: string;
  readonly url: string;
}

/** Returns the input. @throws GatewayError when it is missing. */
export function requiredInput({ input }: VideoRequest): Fields {
  if (input != null) return input;
  throw missing("input", "expected an object with what the model takes, at least a prompt");
}

/**
 * Reads the prompt; empty if it is missing.
 * @throws GatewayError when it is no text, or `required` and not there.
 */
export function readPrompt(input: Fields, required: boolean, place = "input.prompt"): string {
  const prompt = input["prompt"];
  const accepted = "expected a text that says what to film";
  if (prompt != null && typeof prompt !== "string") throw wrongType(place, accepted, prompt);
  if (!required) return prompt ?? "";
  if (prompt == null) throw missing(place, accepted);
  if (prompt.trim() === "") throw wrongValue(place, prompt, accepted);
  return prompt;
}

/** @throws GatewayError when it is there and no text, or `required` and not there. */
export function readUrl(input: Fields, name: string, required: boolean, within = "input"): string | null {
  const place = readPlace(within, name);
  const accepted = "expected the address of a file";
  const url = input[name];
  if (url == null) {
    if (required) throw missing(place, accepted);
    return null;
  }
  if (typeof url !== "string") throw wrongType(place, accepted, url);
  if (url.trim() === "") throw wrongValue(place, url, accepted);
  return url;
}

/** Reads a list of addresses; empty if it is missing. @throws GatewayError when it is something else */
export function readUrls(input: Fields, name: string, within = "input"): readonly string[] {
  const urls = input[name];
  const place = readPlace(within, name);
  const accepted = "expected an array of addresses";
  if (urls == null) return [];
  if (!Array.isArray(urls)) throw wrongType(place, accepted, urls);
  return urls.map((url: unknown, index) => {
    if (typeof url !== "string") throw wrongType(`${place}[${index}]`, "expected the address of a file", url);
    return url;
  });
}

/**
 * Reads `media`: `[{type, url}]`; empty if it is missing.
 * @param types accepted by the model; null: any.
 * @throws GatewayError naming the invalid item and the accepted ones.
 */
export function readMedia(
  input: Fields,
  types: readonly string[] | null,
  model: string,
  place = "input.media",
): readonly MediaItem[] {
  const media = input["media"];
  if (media == null) return [];
  if (!Array.isArray(media)) throw wrongType(place, 'expected an array of {"type": …, "url": …}', media);
  return media.map((item: unknown, index) => {
    const at = `${place}[${index}]`;
    if (!isRecord(item)) throw wrongType(at, 'expected an object with "type" and "url"', item);
    const { type } = item;
    const known = types === null ? "expected what the file is" : `expected one of ${types.join(", ")}`;
    if (type == null) throw missing(`${at}.type`, known);
    if (typeof type !== "string") throw wrongType(`${at}.type`, known, type);
    if (types !== null && !types.includes(type)) {
      throw createUnsupported(`${at}.type`, type, model, `takes ${types.join(", ")}`);
    }
    return { type, url: readUrl(item, "url", true, at) ?? "" };
  });
}

export const countItems = (media: readonly MediaItem[], type: string): number =>
  media.filter((item) => item.type === type).length;

/** Returns the same object if nothing is to be added. `null` counts as not given. */
export function withAdded(fields: Fields | null | undefined, added: Fields): Fields {
  const needed = Object.entries(added).filter(([name, value]) => value !== undefined && fields?.[name] == null);
  if (needed.length === 0 && fields != null) return fields;
  return { ...fields, ...Object.fromEntries(needed) };
}

/** Returns a setting that differs from the provider's default; undefined for the default, unless the client wrote null. */
export function unlessUsual<T>(fields: Fields | null | undefined, name: string, value: T, usual: T): T | undefined {
  return value === usual && fields?.[name] !== null ? undefined : value;
}

/** Parts of an order that the families build; the rest is derived here. */
export type OrderParts = Omit<VideoOrder, "holdSeconds" | "parameters" | "timeoutMs"> &
  Partial<Pick<VideoOrder, "holdSeconds" | "timeoutMs">> & {
    /** Sources of the settings that the library shows; later ones win. */
    readonly settings: readonly (Fields | null | undefined)[];
  };

export function orderFrom({ settings, ...parts }: OrderParts): VideoOrder {
  const fields: Fields = Object.assign(Object.create(null), ...settings.map((one) => one ?? {}));
  return {
    ...parts,
    holdSeconds: parts.holdSeconds ?? parts.seconds,
    parameters: Object.fromEntries(
      Object.entries(fields)
        .filter(([name, value]) => isShort(name, value))
        .slice(0, MOST_SETTINGS),
    ),
    timeoutMs: parts.timeoutMs ?? null,
  };
}

/** Longer texts, and addresses, are not shown among settings. */
const LONGEST_SETTING = 500;
const LONGEST_NAME = 100;
/** More than any provider has. */
const MOST_SETTINGS = 100;

function isShort(name: string, value: unknown): boolean {
  if (name === "prompt" || name.length > LONGEST_NAME) return false;
  if (typeof value === "string")
    return value.length <= LONGEST_SETTING && !/^(data|https?|oss|asset|file|blob):/i.test(value.trim());
  return typeof value === "number" || typeof value === "boolean";
}
