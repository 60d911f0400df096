import { createHash } from "node:crypto";
import { GatewayError } from "../core/errors.ts";
import { boundaryOf, splitParts } from "../http/middleware/multipart-parts.ts";
import { isRecord } from "../lib/records.ts";
import type { Exchange } from "./exchange.ts";
import { Failure, type Fields, invalidType, parsedJson } from "./fields.ts";
import type { FormPart } from "../services/edits/form-part.ts";

/** A request that may come as JSON or as a form with files. */
export interface FormOrJson {
  /** Of a form: the texts in it. */
  readonly fields: Fields;
  /** Null where it came as JSON. */
  readonly parts: readonly FormPart[] | null;
  /** What of it counts as the same request. */
  readonly matter: Uint8Array;
}

/** @throws Failure (400) for neither */
export function formOrJson(exchange: Exchange): FormOrJson {
  const boundary = asProvider(() => boundaryOf(exchange.request.headers["content-type"] ?? ""));
  if (boundary === null) {
    const fields = parsedJson(exchange.body);
    if (!isRecord(fields)) throw invalidType("body", "an object");
    return { fields, parts: null, matter: exchange.body };
  }
  const parts = asProvider(() => splitParts(exchange.body, boundary));
  const texts = parts.filter(({ fileName }) => fileName === null);
  const fields = Object.fromEntries(texts.map(({ name, bytes }) => [name, bytes.toString("utf8")]));
  return { fields, parts, matter: digestOf(parts) };
}

/** Of names and contents: the boundary is another one each time, and the same request is to give the same file. */
function digestOf(parts: readonly FormPart[]): Buffer {
  const hash = createHash("sha256");
  for (const { name, bytes } of parts) hash.update(`${name}:${bytes.length}:`).update(bytes);
  return hash.digest();
}

/** The form is read by the gateway's own reader, whose errors become the provider's. */
function asProvider<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) throw new Failure(400, error.message, { code: error.code });
    throw error;
  }
}
