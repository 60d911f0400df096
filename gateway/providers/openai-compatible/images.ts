import { imageTokenUnits } from "../../core/images/image-usage.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { ImageResult, ImagesAdapter, ProviderImages, ImagesCall } from "../images.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { WireRequest } from "../wire-request.ts";
import { routedReaches } from "./reaches.ts";

/** `POST /images/generations`, OpenAI's format, which most servers follow (docs/providers/openai.md#images). */
export const images: ImagesAdapter = {
  families: {},
  reaches: routedReaches,
  toRequest: (call, secret) => buildImagesRequest(call, secret, {}),
  fromResponse: readImages,
  toUnits: imageTokenUnits,
};

/** @param overrides fields that this provider wants otherwise; `undefined` takes one out. */
export function buildImagesRequest(
  { raw, body, upstreamModel }: ImagesCall,
  secret: string | null,
  overrides: Readonly<Record<string, unknown>>,
): WireRequest {
  const same = raw !== null && body["model"] === upstreamModel && Object.keys(overrides).length === 0;
  return {
    method: "POST",
    path: "/images/generations",
    headers: buildBearerHeaders(secret),
    body: same ? raw : JSON.stringify({ ...body, ...overrides, model: upstreamModel }),
  };
}

/** `{created,data:[{b64_json|url}],usage}`; another gateway may answer for the gamma family in its shape. */
export function readImages(body: unknown): ProviderImages | null {
  if (!isRecord(body)) return null;
  const images = Array.isArray(body["data"]) ? findImages(body["data"]) : buildChoiceImages(body);
  if (images.length === 0) return null;
  return { body, images, units: { image: images.length, ...imageTokenUnits(body["usage"]) } };
}

/** Returns the images of a list of `{b64_json}` and `{url}`; other items (e.g. an error of one image) are skipped. */
export function findImages(data: readonly unknown[]): readonly ImageResult[] {
  return data.flatMap((item): readonly ImageResult[] => {
    if (!isRecord(item)) return [];
    if (typeof item["b64_json"] === "string" && item["b64_json"] !== "")
      return [{ kind: "base64", data: item["b64_json"] }];
    const { url } = item;
    if (typeof url !== "string" || url === "") return [];
    return [url.startsWith("data:") ? { kind: "base64", data: url } : { kind: "url", url }];
  });
}

/**
 * The images of `output.choices[].message.content[]` (docs/providers/dashscope.md#images): several in one content, or
 * one in each of several choices.
 */
export function buildChoiceImages(body: Readonly<Record<string, unknown>>): readonly ImageResult[] {
  const output = isRecord(body["output"]) ? body["output"] : {};
  const choices = asList(output["choices"]);
  return choices.flatMap((choice) => {
    const message = isRecord(choice) && isRecord(choice["message"]) ? choice["message"] : {};
    const content = asList(message["content"]);
    return content.flatMap((block): readonly ImageResult[] =>
      isRecord(block) && typeof block["image"] === "string" && block["image"] !== ""
        ? [{ kind: "url", url: block["image"] }]
        : [],
    );
  });
}
