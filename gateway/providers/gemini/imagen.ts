import { isRecord } from "../../lib/records.ts";
import type { ImageResult, ImagesCall } from "../images.ts";
import { imageConfig } from "./image-config.ts";

/** Imagen models have an operation of their own, `:predict` (docs/providers/gemini.md#images). */
export function isImagen(upstreamModel: string): boolean {
  return /(^|\/)imagen-/.test(upstreamModel);
}

export function predictBody({ body, upstreamModel }: ImagesCall): Readonly<Record<string, unknown>> {
  const config = imageConfig(body["size"], upstreamModel);
  // What is undefined does not reach the wire.
  return {
    instances: [{ prompt: body["prompt"] }],
    parameters: {
      sampleCount: typeof body["n"] === "number" ? body["n"] : 1,
      aspectRatio: config?.["aspectRatio"],
      sampleImageSize: config?.["imageSize"],
    },
  };
}

/** The pictures of `predictions[].bytesBase64Encoded`; what was filtered has none. */
export function predictedImages(body: Readonly<Record<string, unknown>>): readonly ImageResult[] {
  const predictions: readonly unknown[] = Array.isArray(body["predictions"]) ? body["predictions"] : [];
  return predictions.flatMap((prediction): readonly ImageResult[] => {
    const data = isRecord(prediction) ? prediction["bytesBase64Encoded"] : null;
    return typeof data === "string" && data !== "" ? [{ kind: "base64", data }] : [];
  });
}
