import { splitWords } from "../../contract/key.ts";
import { Masks, compileWords } from "../../lib/masks.ts";
import type { MaskSource } from "../../lib/masks.ts";
import { maskJson, maskLong } from "../../lib/mask-json.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import type { PrepareRequest } from "../calls/attempts.ts";
import type { RingKey } from "./key-ring.ts";

/** Max secrets of one key that can be restored in responses to later requests. */
const MOST_KNOWN = 1_000;

interface KeptSource extends MaskSource {
  readonly text: string;
}

/** Keyed by the hash of a key, which calls within a request share. */
const sources = new WeakMap<Buffer, KeptSource>();

/** Returns the masks for one request; null if its key does not mask secrets. */
export function openMasks({ record, hash }: Pick<RingKey, "record" | "hash">): Masks | null {
  if (record.mask_secrets !== true) return null;
  const text = record.mask_words ?? "";
  let source = sources.get(hash);
  if (source === undefined || source.text !== text) {
    const known = source?.known ?? new BoundedMap<string, string>(MOST_KNOWN);
    source = { secret: record.hash, text, words: compileWords(splitWords(text)), known };
    sources.set(hash, source);
  }
  return new Masks(source);
}

/** Returns what masks a request after it is made; null if nothing is masked. */
export function createMasker(masks: Masks | null): PrepareRequest | null {
  return masks === null ? null : (request) => maskRequest(request, masks);
}

/** Masks the secrets in the body of a request: in the texts of JSON, and in the fields of a form that are no files. */
async function maskRequest(request: UpstreamRequest, masks: Masks): Promise<UpstreamRequest> {
  const { body, headers } = request;
  if (body === null) return request;
  if (!isForm(body)) {
    const text = typeof body === "string" ? body : body.toString("utf8");
    const masked = await maskJson(text, masks);
    return masked === text ? request : { ...request, body: masked };
  }
  const pieces = await maskForm(body, masks);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { ...request, body: pieces, headers: { ...headers, "content-length": String(length) } };
}

type Form = readonly Buffer[];

function isForm(body: NonNullable<UpstreamRequest["body"]>): body is Form {
  return Array.isArray(body);
}

/** Pieces alternate as the form's encoder makes them: the header of a part, its content, a line break. */
async function maskForm(pieces: Form, masks: Masks): Promise<Form> {
  const masked: Buffer[] = [];
  let isText = false;
  for (const piece of pieces) {
    const header = readHeader(piece);
    const text = isText ? piece.toString("utf8") : (header ?? "");
    const shown = isText ? await maskLong(text, masks) : text.replace(FILE_NAME, (name) => masks.mask(name));
    masked.push(shown === text ? piece : Buffer.from(shown, "utf8"));
    isText = header !== null && !FILE_NAME.test(header);
  }
  return masked;
}

function readHeader(piece: Buffer): string | null {
  if (piece.length > 2_000 || !piece.subarray(0, 2).equals(DASHES)) return null;
  const header = piece.toString("utf8");
  return header.includes("Content-Disposition") ? header : null;
}

const DASHES = Buffer.from("--");
const FILE_NAME = /(?<=; filename=")[^"]*/;
