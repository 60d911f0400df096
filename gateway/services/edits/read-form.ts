import { typedFields } from "../../core/edits/edit-fields.ts";
import { GatewayError } from "../../core/errors.ts";
import type { EditInput, SentFile } from "./edit-input.ts";
import type { FormPart } from "./form-part.ts";

/** `image`, `image[]` as SDKs repeat it, `image[0]` as some number it. */
const IMAGE_FIELD = /^image(\[\d{0,4}\])?$/;
/** Longer texts than any prompt. */
const LONGEST_TEXT_BYTES = 1024 * 1024;
/** docs/specification.md#keys-bodies-timeouts: 64 MiB a file. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a multipart form as an edit request. The field name decides the role of a picture, with or without a file name
 * or a type; everything else is text. Fields may come before, between and after the files. Files in unknown fields are
 * dropped, because as text they would be corrupt.
 * @throws GatewayError for a file or a text that is too large, and for a field that is given twice.
 */
export function readForm(parts: readonly FormPart[]): EditInput {
  const fields = new Map<string, unknown>();
  const images: SentFile[] = [];
  const masks: SentFile[] = [];
  for (const part of parts) {
    if (IMAGE_FIELD.test(part.name) || part.name === "mask") {
      // Web forms send a file that no one chose as an empty one without a name.
      if (part.bytes.length === 0 && !part.fileName) continue;
      const list = part.name === "mask" ? masks : images;
      list.push(getFile(part, part.name === "image[]" ? `image[${images.length}]` : part.name));
    } else if (part.fileName === null) {
      addField(fields, part);
    }
  }
  if (masks.length > 1) throw twice("mask");
  return { fields: typedFields(Object.fromEntries(fields)), images, mask: masks[0] ?? null };
}

function getFile({ bytes, fileName }: FormPart, field: string): SentFile {
  if (bytes.length > LARGEST_FILE_BYTES) {
    throw new GatewayError("request_too_large", `The file in '${field}' is larger than 64 MiB.`, { param: field });
  }
  return { kind: "file", field, fileName: fileName ?? "", bytes };
}

/** A list (`include[]`) stays one; anything else is given once. */
function addField(fields: Map<string, unknown>, { name, bytes }: FormPart): void {
  if (bytes.length > LONGEST_TEXT_BYTES) {
    throw new GatewayError("request_too_large", `The field '${name.slice(0, 64)}' is longer than 1 MiB.`, {
      param: name.slice(0, 64),
    });
  }
  const value = bytes.toString("utf8");
  const before = fields.get(name);
  if (before === undefined) fields.set(name, name.endsWith("[]") ? [value] : value);
  else if (Array.isArray(before)) before.push(value);
  else throw twice(name.slice(0, 64));
}

function twice(name: string): GatewayError {
  return new GatewayError("invalid_value", `The field '${name}' is given more than once. Send it once.`, {
    param: name,
  });
}
