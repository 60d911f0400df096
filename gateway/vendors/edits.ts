import type { ModelSpec } from "../core/model.ts";
import type { ImagesAdapter, ImagesAnswer } from "./images.ts";
import type { WireRequest } from "./vendor.ts";

/** A picture that the client sent. */
export interface EditImage {
  readonly bytes: Buffer;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly fileName: string;
}

/** A checked edit. */
export interface EditsCall {
  readonly images: readonly EditImage[];
  readonly mask: EditImage | null;
  /** Every other field, by its name: `prompt`, `n`, `size`, `quality`, … */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  readonly upstreamModel: string;
  readonly model: ModelSpec | null;
  readonly stream: boolean;
}

/** `edits.ts` of a vendor: `/v1/images/edits`. */
export interface EditsAdapter {
  toRequest(call: EditsCall, secret: string | null): WireRequest;
  /** @returns null when the answer holds no images. */
  fromResponse(body: unknown, call: EditsCall): ImagesAnswer | null;
  readonly toUnits: ImagesAdapter["toUnits"];
}
