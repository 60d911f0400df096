import type { FieldRules } from "../core/keys/key-reach.ts";
import type { EditRules } from "../core/edits/edit-rules.ts";
import type { ModelSpec } from "../core/models/model.ts";
import type { AllowedDrawing, ImagesAdapter, ProviderImages } from "./images.ts";
import type { WireRequest } from "./wire-request.ts";

/** A picture that the client sent. */
export interface EditImage {
  readonly kind: "file";
  readonly bytes: Buffer;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly fileName: string;
}

/** A picture that only the provider can read: at a public URL, or stored at the provider (JSON form of an edit). */
export interface EditReference {
  readonly kind: "reference";
  readonly value: { readonly image_url?: string; readonly file_id?: string };
}

export type EditPicture = EditImage | EditReference;

/** A checked edit. */
export interface EditsCall {
  readonly images: readonly EditPicture[];
  readonly mask: EditPicture | null;
  /** Every other field for the provider, by its name: `prompt`, `n`, `size`, … The model is `upstreamModel`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly upstreamModel: string;
  readonly model: ModelSpec | null;
  readonly stream: boolean;
  /** Max output tokens, like `ImagesCall.bound`. */
  readonly bound: number | null;
}

/** The request but for the key: pictures are large, so it is made once, however many keys and connections are tried. */
export interface EncodedEdit {
  readonly path: string;
  /** Headers that describe the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Buffer[] | string;
}

/** The headers of an edit that is sent as JSON. */
export const JSON_EDIT = { "content-type": "application/json" } as const;

/** `edits.ts` of a provider: `/v1/images/edits`. */
export interface EditsAdapter {
  /** Fields with effects beyond the model; absent if there are no such fields. */
  readonly reaches?: FieldRules;
  /** Pictures that the provider fetches itself: from addresses, and from its own store. Others are refused before. */
  readonly fetches: { readonly addresses: boolean; readonly files: boolean };
  /** Rules for models that only the provider's list names; null: the provider decides. */
  readonly unlisted: EditRules | null;
  /** Returns the limits of the response, like `ImagesAdapter.allows`. */
  allows?(call: EditsCall): AllowedDrawing | null;
  encode(call: EditsCall): EncodedEdit;
  toRequest(encoded: EncodedEdit, secret: string | null): WireRequest;
  /** @returns null if the response contains no images */
  fromResponse(body: unknown, call: EditsCall): ProviderImages | null;
  readonly toUnits: ImagesAdapter["toUnits"];
}
