import { checkEdit } from "../../core/edits/edit-checks.ts";
import type { PictureFacts } from "../../core/edits/edit-checks.ts";
import type { EditRules } from "../../core/edits/edit-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import { plainFileName } from "../../core/media/file-name.ts";
import type { PictureHeader } from "../../core/media/picture-header.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import type { EditImage, EditPicture } from "../../providers/edits.ts";
import type { EditInput, SentFile, SentPicture } from "./edit-input.ts";

/** Max pixels of a picture that is forwarded; no photograph has more. */
const MOST_PIXELS = 64_000_000;

/** An edit's pictures after inspection. */
export interface CheckedPictures {
  readonly images: readonly EditPicture[];
  readonly mask: EditPicture | null;
}

/**
 * Types each picture by its bytes and checks the edit by its model's rules.
 * @param model as messages name it.
 * @throws GatewayError (400) for what is no PNG, JPEG or WebP, moves, is a bomb, or is not for this model.
 */
export function checkPictures(edit: EditInput, model: string, rules: EditRules | null): CheckedPictures {
  const images = edit.images.map(look);
  const mask = edit.mask === null ? null : look(edit.mask);
  checkEdit({ model, fields: edit.fields, images: images.map(({ facts }) => facts), mask: mask?.facts ?? null }, rules);
  return { images: images.map(({ picture }) => picture), mask: mask?.picture ?? null };
}

interface Looked {
  readonly facts: PictureFacts;
  readonly picture: EditPicture;
}

function look(sent: SentPicture): Looked {
  const { field } = sent;
  if (sent.kind === "reference") {
    return { facts: { field, bytes: 0, header: null }, picture: { kind: "reference", value: sent.value } };
  }
  const header = getHeader(sent);
  return { facts: { field, bytes: sent.bytes.length, header }, picture: getImage(sent, header) };
}

function getHeader({ field, bytes }: SentFile): PictureHeader {
  const header = readPicture(bytes);
  if (header === null) {
    throw createRefusal(field, bytes.length === 0 ? "is empty" : "is no PNG, JPEG or WebP file, or is damaged");
  }
  const { width, height } = header;
  if (header.animated) throw createRefusal(field, "is animated");
  if (width * height > MOST_PIXELS) {
    throw createRefusal(field, `is ${width}x${height}, and at most ${MOST_PIXELS / 1e6} million pixels are accepted`);
  }
  return header;
}

const EXTENSIONS = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp" } as const;

function getImage({ field, bytes, fileName }: SentFile, { mediaType }: PictureHeader): EditImage {
  return {
    kind: "file",
    bytes,
    mediaType,
    fileName: plainFileName(fileName, field.split(/\W/, 1)[0] ?? "", EXTENSIONS[mediaType]),
  };
}

function createRefusal(field: string, why: string): GatewayError {
  return new GatewayError(
    "invalid_value",
    `Unsupported image format: the file in '${field}' ${why}. Send a still PNG, JPEG or WebP image.`,
    { param: field },
  );
}
