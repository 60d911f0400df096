import { randomBytes } from "node:crypto";
import type { EditImage, EditPicture } from "../edits.ts";

/** A multipart body and its type. */
export interface EncodedForm {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * An edit as OpenAI takes it: one picture as `image`, several as repeated `image[]`, all values as texts (upstreams
 * reference 1.3). Each picture is copied once, into the body.
 */
export function encodeForm(
  fields: Readonly<Record<string, unknown>>,
  images: readonly EditImage[],
  mask: EditImage | null,
): EncodedForm {
  // 128 random bits: no picture holds them.
  const boundary = `postern-${randomBytes(16).toString("hex")}`;
  const pieces: Buffer[] = [];
  const begin = (header: string): void => {
    pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`));
  };
  const addFile = (name: string, { fileName, mediaType, bytes }: EditImage): void => {
    begin(`name="${name}"; filename="${escaped(fileName)}"\r\nContent-Type: ${mediaType}`);
    pieces.push(bytes, LINE_BREAK);
  };
  for (const [name, value] of Object.entries(fields)) {
    for (const text of textsOf(value)) {
      begin(`name="${escaped(name)}"`);
      pieces.push(Buffer.from(text), LINE_BREAK);
    }
  }
  for (const image of images) addFile(images.length === 1 ? "image" : "image[]", image);
  if (mask !== null) addFile("mask", mask);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(pieces) };
}

const LINE_BREAK = Buffer.from("\r\n");

/** Whether all of them are files, which only then fit into a form. */
export function areFiles(pictures: readonly EditPicture[]): pictures is readonly EditImage[] {
  return pictures.every((picture) => picture.kind === "file");
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(textOf);
  return value == null ? [] : [textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** As browsers escape names (HTML, "multipart/form-data encoding algorithm"). */
function escaped(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
