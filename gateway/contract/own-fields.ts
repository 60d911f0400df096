import * as z from "zod";
import { fieldsFromText } from "./telemetry.ts";

/** Header and body fields that a connection's owner adds to each request to its provider. */

/** Display text of a stored value, which is never shown. */
export const HIDDEN_VALUE = "***";

/** The protocol sets key headers; Postern sets the others for each request. */
const RESERVED_HEADERS =
  /^(?:authorization|proxy-.*|x-api-key|api-key|x-goog-api-key|cookie|accept-encoding|x-postern-.*)$/;

/**
 * Reads header fields from lines `Name: value`. Names become lower case.
 * @returns null if a line is not a header field, or is a reserved one
 */
export function readOwnHeaders(text: string): Readonly<Record<string, string>> | null {
  const fields = fieldsFromText(text);
  return fields === null || Object.keys(fields).some((name) => RESERVED_HEADERS.test(name)) ? null : fields;
}

/** Lines `Name: value`; empty: none. `***` keeps the stored value. */
export const ownHeadersSchema = z
  .string()
  .max(8_000)
  .refine(
    (text) => readOwnHeaders(text) !== null,
    "expected lines of the form Name: value; the provider's key is not given as a header",
  );

/** Fields that a request itself decides, or that its price depends on. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "input",
  "system",
  "instructions",
  "prompt",
  "stream",
  "n",
  "service_tier",
  "speed",
  "inference_geo",
]);
const MAX_BODY_CHARACTERS = 8_000;

/** Top-level fields added to chat requests that do not have them. */
export const ownBodySchema = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((fields) => JSON.stringify(fields).length <= MAX_BODY_CHARACTERS, "expected at most 8,000 characters of JSON")
  .refine(
    (fields) => !Object.keys(fields).some((name) => RESERVED_FIELDS.has(name)),
    `expected none of ${[...RESERVED_FIELDS].join(", ")}`,
  );

/** Most requests per minute and at the same time; null: as many as come. */
export const paceSchema = {
  rpm: z.number().int().min(1).max(100_000),
  concurrency: z.number().int().min(1).max(10_000),
};
