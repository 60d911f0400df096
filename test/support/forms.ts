/** One part of a form, written exactly so. */
export interface RawPart {
  /** Lines between the boundary and the content. */
  readonly headers: readonly string[];
  readonly content: Buffer | string;
}

/** A multipart body, byte for byte. */
export function multipart(boundary: string, parts: readonly RawPart[]): Buffer {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

export function field(name: string, value: string): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content: value };
}

export function file(
  name: string,
  bytes: Buffer,
  fileName = "picture.png",
  type: string | null = "image/png",
): RawPart {
  return {
    headers: [
      `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`,
      ...(type === null ? [] : [`Content-Type: ${type}`]),
    ],
    content: bytes,
  };
}

/** A form as browsers and SDKs write it. */
export function formOf(
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [name: string, bytes: Buffer, fileName?: string])[],
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, bytes, fileName] of files) form.append(name, new Blob([new Uint8Array(bytes)]), fileName ?? "blob");
  return form;
}
