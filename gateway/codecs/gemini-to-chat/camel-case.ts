import { GatewayError } from "../../core/errors.ts";
import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/** Fields whose content is the client's own: arguments, results, schemas and labels. */
const OPAQUE: ReadonlySet<string> = new Set([
  "args",
  "response",
  "parameters",
  "parametersJsonSchema",
  "responseSchema",
  "responseJsonSchema",
  "labels",
  "metadata",
]);

const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

const toCamelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Converts all fields of a Google request to camelCase: Google also accepts snake_case, as protocol buffers do
 * (protobuf.dev, ProtoJSON, 2026-11-29), and samples of its REST interface use both.
 * @returns the same object if nothing changes
 * @throws GatewayError for a field in both spellings, as it is unknown which one the provider uses (400)
 */
export function writeCamelCase(body: Document): Document {
  let renamed: (readonly [name: string, value: unknown])[] | null = null;
  let count = 0;
  for (const name in body) {
    const camel = getCamelCase(name);
    if (camel !== name && Object.hasOwn(body, camel)) throw createDoubledError(camel, name);
    const value = renameWithin(camel, body[name]);
    if (renamed === null && (camel !== name || value !== body[name])) renamed = Object.entries(body).slice(0, count);
    renamed?.push([camel, value]);
    count += 1;
  }
  // An own `__proto__` stays data.
  return renamed === null ? body : Object.fromEntries(renamed);
}

const getCamelCase = (name: string): string => (name.includes("_") && SNAKE.test(name) ? toCamelCase(name) : name);

/** @param name of the field that has the value */
function renameWithin(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || OPAQUE.has(name)) return value;
  if (isRecord(value)) return writeCamelCase(value);
  const items = (value as readonly unknown[]).map((item) => renameWithin("", item));
  return items.some((item, index) => item !== (value as readonly unknown[])[index]) ? items : value;
}

function createDoubledError(camel: string, snake: string): GatewayError {
  return new GatewayError("invalid_value", `'${camel}' is also given as '${snake}'. Send one of them.`, {
    param: camel,
  });
}
