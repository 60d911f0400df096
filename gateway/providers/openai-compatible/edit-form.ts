import type { EditImage, EditPicture } from "../edits.ts";
import { encodeMultipart } from "./form.ts";
import type { EncodedForm, FormFile } from "./form.ts";

/**
 * An edit as OpenAI takes it: one picture as `image`, several as repeated `image[]`, all values as texts
 * (docs/providers/openai.md#image-edits).
 */
export function encodeForm(
  fields: Readonly<Record<string, unknown>>,
  images: readonly EditImage[],
  mask: EditImage | null,
): EncodedForm {
  const name = images.length === 1 ? "image" : "image[]";
  const files: readonly FormFile[] = images.map((image) => ({ ...image, name }));
  return encodeMultipart(fields, mask === null ? files : [...files, { ...mask, name: "mask" }]);
}

/** Whether all of them are files, which only then fit into a form. */
export function areFiles(pictures: readonly EditPicture[]): pictures is readonly EditImage[] {
  return pictures.every((picture) => picture.kind === "file");
}
