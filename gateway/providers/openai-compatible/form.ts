import { randomBytes } from "node:crypto";

/** A multipart body in pieces, and the headers that belong to it. */
export interface EncodedForm {
  readonly headers: { readonly "content-type": string; readonly "content-length": string };
  readonly body: readonly Buffer[];
}

/** A file in a form. */
export interface FormFile {
  /** Name of the field. */
  readonly name: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

const LINE_BREAK = Buffer.from("\r\n");

/** Encodes fields as strings (a list: the field repeated), then files, which are not copied. */
export function encodeMultipart(fields: Readonly<Record<string, unknown>>, files: readonly FormFile[]): EncodedForm {
  // 128 random bits, which occur in no file.
  const boundary = `postern-${randomBytes(16).toString("hex")}`;
  const pieces: Buffer[] = [];
  const begin = (header: string): void => {
    pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`));
  };
  for (const [name, value] of Object.entries(fields)) {
    for (const text of readTexts(value)) {
      begin(`name="${escapeName(name)}"`);
      pieces.push(Buffer.from(text), LINE_BREAK);
    }
  }
  for (const { name, fileName, mediaType, bytes } of files) {
    begin(`name="${escapeName(name)}"; filename="${escapeName(fileName)}"\r\nContent-Type: ${mediaType}`);
    pieces.push(bytes, LINE_BREAK);
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(length) },
    body: pieces,
  };
}

function readTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(readText);
  return value == null ? [] : [readText(value)];
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Escapes names like browsers (HTML, "multipart/form-data encoding algorithm"). */
function escapeName(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
