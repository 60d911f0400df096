import { GatewayError } from "../../core/errors.ts";
import type { FormPart } from "../../services/edits/form-part.ts";

/** The parameters of a part's `Content-Disposition`. */
interface Disposition {
  readonly name: string | null;
  /** Null for parts that are no files. */
  readonly fileName: string | null;
}

/** An unclosed quote extends to the end, so that every byte is read once. */
const PARAMETER = /;\s*(name|filename)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^;"\s]+))/gi;

/**
 * Reads `form-data; name="image[]"; filename="a \"b\".png"` as clients write it: quoted with backslashes (curl) or with
 * `%22` (browsers), not quoted at all, or `filename*=UTF-8''…` (RFC 5987), which wins over its plain twin.
 */
export function readDisposition(header: string): Disposition {
  const found = new Map<string, string>();
  for (const [, parameter = "", star, quoted, plain = ""] of header.matchAll(PARAMETER)) {
    const key = parameter.toLowerCase();
    if (star === "*") found.set(`${key}*`, decodeExtended(quoted ?? plain));
    else if (!found.has(key)) found.set(key, quoted === undefined ? plain : unquote(quoted));
  }
  return {
    name: found.get("name*") ?? found.get("name") ?? null,
    fileName: found.get("filename*") ?? found.get("filename") ?? null,
  };
}

function unquote(text: string): string {
  return text.replaceAll(/\\(["\\])/g, "$1").replaceAll(/%22/g, '"');
}

/** Decodes `UTF-8''na%C3%AFve.png`; unchanged if its percent-encoding is invalid. */
function decodeExtended(text: string): string {
  const value = text.slice(text.lastIndexOf("'") + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** More parts than any form of this API has. */
const MOST_PARTS = 128;
/** Max false boundaries in one part: random bytes have none, and checking millions of them takes seconds. */
const MOST_LOOKALIKES = 10_000;
const LONGEST_HEADERS = 16 * 1024;
const BLANK_LINE = Buffer.from("\r\n\r\n");
const CR = 13;
const LF = 10;
const DASH = 45;

/** The boundary that a `Content-Type: multipart/form-data` names; null when the type is another one. */
export function getBoundary(contentType: string): string | null {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) return null;
  const named = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i.exec(contentType);
  const boundary = named?.[1] ?? named?.[2];
  if (boundary === undefined) throw broken("its Content-Type names no boundary");
  return boundary;
}

/**
 * Returns the parts of a multipart body (RFC 7578) in order. Their bytes are views into `body`: nothing is copied, and
 * nothing is written to disk.
 * @throws GatewayError invalid_body if it is truncated or not multipart.
 */
export function splitParts(body: Buffer, boundary: string): FormPart[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  // The first boundary may be at the very start, without the preceding line break.
  const opening = delimiter.subarray(2);
  const atStart = body.subarray(0, opening.length).equals(opening);
  let found = atStart ? getDelimiter(body, 0, opening.length) : nextDelimiter(body, delimiter, 0);
  if (found === null) throw broken("its boundary is nowhere in it");
  while (!found.last) {
    if (parts.length === MOST_PARTS) throw broken(`it has more than ${MOST_PARTS} parts`);
    const headersEnd = body.subarray(found.end - 2, found.end + LONGEST_HEADERS).indexOf(BLANK_LINE);
    if (headersEnd < 0) throw broken("the headers of a part do not end");
    const from = found.end - 2 + headersEnd + BLANK_LINE.length;
    // A part without content may lack its own line break.
    const next = nextDelimiter(body, delimiter, from - 2);
    if (next === null) throw broken("it ended before its closing boundary");
    parts.push(getPart(body.toString("utf8", found.end, from - 2), body.subarray(from, Math.max(from, next.start))));
    found = next;
  }
  return parts;
}

interface Delimiter {
  readonly start: number;
  /** Offset after its line break: the start of the next part's headers. */
  readonly end: number;
  /** Whether it closes the body. */
  readonly last: boolean;
}

/** Bytes that only start like the boundary belong to the content. */
function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): Delimiter | null {
  let lookalikes = 0;
  for (let start = body.indexOf(delimiter, from); start >= 0; start = body.indexOf(delimiter, start + 1)) {
    const found = getDelimiter(body, start, delimiter.length);
    if (found !== null) return found;
    lookalikes += 1;
    if (lookalikes > MOST_LOOKALIKES) throw broken(`more than ${MOST_LOOKALIKES} lines begin like its boundary`);
  }
  return null;
}

function getDelimiter(body: Buffer, start: number, length: number): Delimiter | null {
  let end = start + length;
  if (body[end] === DASH && body[end + 1] === DASH) return { start, end, last: true };
  while (body[end] === 32 || body[end] === 9) end += 1;
  return body[end] === CR && body[end + 1] === LF ? { start, end: end + 2, last: false } : null;
}

function getPart(headers: string, bytes: Buffer): FormPart {
  let disposition = "";
  for (const line of headers.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "content-disposition") disposition = value;
    else if (name === "content-transfer-encoding" && !/^(binary|8bit|7bit)$/i.test(value)) {
      throw broken(`a part has the Content-Transfer-Encoding ${value.slice(0, 40)}; send files as they are`);
    }
  }
  const { name, fileName } = readDisposition(disposition);
  if (name === null) throw broken("a part has no name");
  return { name, fileName, bytes };
}

function broken(why: string): GatewayError {
  return new GatewayError("invalid_body", `The body is not a valid multipart form: ${why}.`);
}
