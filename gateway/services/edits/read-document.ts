import { editShapeSchema } from "../../contract/image-edits.ts";
import { GatewayError } from "../../core/errors.ts";
import { validate } from "../../core/validation.ts";
import type { EditInput, SentPicture } from "./edit-input.ts";

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w.+-]+)*;base64,/i;

/**
 * Reads the JSON form of an edit: `images` of data URLs, https addresses and file ids, `mask` likewise. Inline pictures
 * are decoded here, so that they are checked like uploads.
 * @throws GatewayError for any other value.
 */
export function readDocument(body: unknown): EditInput {
  const { images, image, mask, ...fields } = validate(editShapeSchema(), body);
  const list: readonly unknown[] = images ?? (image == null ? [] : Array.isArray(image) ? image : [image]);
  const name = images == null ? "image" : "images";
  const named = (index: number): string => (Array.isArray(images ?? image) ? `${name}[${index}]` : name);
  return {
    fields,
    images: list.map((item, index) => getPicture(item, named(index))),
    mask: mask == null ? null : getPicture(mask, "mask"),
  };
}

/**
 * Reads a string, `{image_url}` with a string or a `{url}`, `{url}`, or `{file_id}`; the schema allows nothing else.
 */
function getPicture(item: unknown, field: string): SentPicture {
  if (typeof item === "string") return atAddress(item, field);
  const { image_url: image, url, file_id: file } = item as Readonly<Record<string, unknown>>;
  if (typeof file === "string") return { kind: "reference", field, value: { file_id: file } };
  const address = typeof image === "object" && image !== null ? (image as { url: unknown }).url : (image ?? url);
  return atAddress(String(address), field);
}

function atAddress(address: string, field: string): SentPicture {
  const data = DATA_URL.exec(address);
  if (data !== null) {
    return { kind: "file", field, fileName: "", bytes: Buffer.from(address.slice(data[0].length), "base64") };
  }
  if (/^https:\/\//i.test(address) && URL.canParse(address)) {
    return { kind: "reference", field, value: { image_url: address } };
  }
  throw new GatewayError(
    "invalid_value",
    `Invalid value for '${field}': expected data:image/png;base64,…, an https URL, or a file_id.`,
    { param: field },
  );
}
