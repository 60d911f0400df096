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
 * A request of Google's with all its fields in camelCase: Google takes them in snake_case too, as protocol buffers do
 * (protobuf.dev, ProtoJSON, 2026-11-29), and samples of its REST interface use both.
 * @returns the same object where nothing changes
 * @throws GatewayError for a field that is there in both spellings: which one the provider takes is not known (400)
 */
export function writeCamelCase(body: Document): Document {
  return renameFields(body, "");
}

function renameFields(record: Document, path: string): Document {
  let changed = false;
  const renamed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const camel = SNAKE.test(name) ? toCamelCase(name) : name;
    if (camel !== name && Object.hasOwn(record, camel)) throw createDoubledError(path + camel, path + name);
    const inner = OPAQUE.has(camel) ? value : renameWithin(value, `${path}${camel}`);
    changed ||= camel !== name || inner !== value;
    // An own `__proto__` stays data.
    Object.defineProperty(renamed, camel, { value: inner, enumerable: true, writable: true, configurable: true });
  }
  return changed ? renamed : record;
}

function renameWithin(value: unknown, path: string): unknown {
  if (isRecord(value)) return renameFields(value, `${path}.`);
  if (!Array.isArray(value)) return value;
  const items = value.map((item: unknown, index) =>
    typeof item === "object" ? renameWithin(item, `${path}[${index}]`) : item,
  );
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function createDoubledError(camel: string, snake: string): GatewayError {
  return new GatewayError("invalid_value", `'${camel}' is also given as '${snake}'. Send one of them.`, {
    param: camel,
  });
}
