import { imageTokenUnits } from "../../core/images/image-usage.ts";
import { JSON_EDIT } from "../edits.ts";
import type { EditPicture, EditsAdapter, EditsCall, EditImage } from "../edits.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { readImages } from "./images.ts";
import { editReaches } from "./reaches.ts";
import { encodeMultipart } from "./form.ts";
import type { EncodedForm, FormFile } from "./form.ts";

/** `POST /images/edits` (docs/providers/openai.md#image-edits): a form, or JSON if a picture is given by URL or id. */
export const edits: EditsAdapter = {
  reaches: editReaches,
  fetches: { addresses: true, files: true },
  unlisted: null,
  encode: (call) => {
    const { images, mask, upstreamModel, fields } = call;
    const path = "/images/edits";
    const pictures = mask === null ? images : [...images, mask];
    if (!areFiles(pictures)) return { path, headers: JSON_EDIT, body: readDocument(call) };
    const files = mask === null ? pictures : pictures.slice(0, -1);
    const form = encodeForm(
      { model: upstreamModel, ...fields },
      files,
      mask === null ? null : (pictures.at(-1) ?? null),
    );
    return { path, ...form };
  },
  toRequest: ({ path, headers, body }, secret) => ({
    method: "POST",
    path,
    headers: { ...buildBearerHeaders(secret), ...headers },
    body,
  }),
  fromResponse: readImages,
  toUnits: imageTokenUnits,
};

/** The JSON form: `images` and `mask` by reference, pictures that we hold inside the text. */
function readDocument({ images, mask, fields, upstreamModel }: EditsCall): string {
  return JSON.stringify({
    model: upstreamModel,
    ...fields,
    images: images.map(referenceTo),
    ...(mask === null ? {} : { mask: referenceTo(mask) }),
  });
}

function referenceTo(picture: EditPicture): object {
  if (picture.kind === "reference") return picture.value;
  return { image_url: `data:${picture.mediaType};base64,${picture.bytes.toString("base64")}` };
}

/**
 * An edit as OpenAI takes it: one picture as `image`, several as repeated `image[]`, all values as texts
 * (docs/providers/openai.md#image-edits).
 */
function encodeForm(
  fields: Readonly<Record<string, unknown>>,
  images: readonly EditImage[],
  mask: EditImage | null,
): EncodedForm {
  const name = images.length === 1 ? "image" : "image[]";
  const files: readonly FormFile[] = images.map((image) => ({ ...image, name }));
  return encodeMultipart(fields, mask === null ? files : [...files, { ...mask, name: "mask" }]);
}

/** Tells whether all pictures are files, which a form requires. */
function areFiles(pictures: readonly EditPicture[]): pictures is readonly EditImage[] {
  return pictures.every((picture) => picture.kind === "file");
}
