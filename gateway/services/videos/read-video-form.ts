import { GatewayError } from "../../core/errors.ts";
import { putField, typedText } from "../../core/form-fields.ts";
import { TYPE_BYTES, findMediaType } from "../../core/media/media-type.ts";
import { isRecord } from "../../lib/records.ts";
import type { FormPart } from "../edits/form-part.ts";

/** `POST /v1/videos` as it was sent: as a form, or as JSON. */
export interface SentVideo {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The source file. */
  readonly reference: { readonly dataUrl: string } | null;
}

const REFERENCE = "input_reference";
/** Longer texts than any prompt. */
const LONGEST_TEXT_BYTES = 1024 * 1024;
/** Max bytes of a file. Providers accept less inside a request; they refuse more themselves. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/** A JSON body; what is no object is refused by the checks that follow. */
export function sentDocument(document: unknown): SentVideo {
  return { fields: isRecord(document) ? document : {}, reference: null };
}

/**
 * A multipart form. OpenAI's clients send one even without a file, with objects in brackets: `parameters[size]`.
 * @throws GatewayError for a duplicate field, and for a file that is too large or neither a picture nor a video
 */
export function sentForm(parts: readonly FormPart[]): SentVideo {
  const fields: Record<string, unknown> = {};
  let reference: SentVideo["reference"] = null;
  for (const { name, fileName, bytes } of parts) {
    const isFile = fileName !== null && name === REFERENCE;
    // Web forms send an unselected file as an empty one without a name.
    if (isFile && bytes.length === 0) continue;
    if (isFile && reference !== null) throw givenTwice(name);
    if (isFile) reference = { dataUrl: getDataUrl(bytes) };
    else if (fileName === null && !putField(fields, name, getValue(name, bytes))) throw givenTwice(name);
  }
  return { fields, reference };
}

function givenTwice(name: string): GatewayError {
  const param = name.slice(0, 64);
  return new GatewayError("invalid_value", `The field '${param}' is given more than once. Send it once.`, { param });
}

/** Parses a provider parameter as JSON; a prompt always stays text. */
function getValue(name: string, bytes: Buffer): string | number | boolean {
  const text = getText(name, bytes);
  return name.startsWith("parameters[") ? typedText(text) : text;
}

function getText(name: string, bytes: Buffer): string {
  if (bytes.length <= LONGEST_TEXT_BYTES) return bytes.toString("utf8");
  throw new GatewayError("request_too_large", `The field '${name.slice(0, 64)}' is longer than 1 MiB.`, {
    param: name.slice(0, 64),
  });
}

/** Returns a data URL typed by the file's first bytes: the type that a client states is often wrong. */
function getDataUrl(bytes: Buffer): string {
  if (bytes.length > LARGEST_FILE_BYTES) {
    throw new GatewayError("request_too_large", `The file in '${REFERENCE}' is larger than 64 MiB.`, {
      param: REFERENCE,
    });
  }
  const type = findMediaType(bytes.subarray(0, TYPE_BYTES));
  if (type === null || type.kind === "audio") {
    throw new GatewayError(
      "invalid_value",
      `The file in '${REFERENCE}' is no picture and no video that is known here.`,
      {
        param: REFERENCE,
      },
    );
  }
  return `data:${type.type};base64,${bytes.toString("base64")}`;
}
