import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import { recordOf } from "./fields.ts";

/** `output_config.format`, or the beta's `output_format`, as `response_format`. */
export function responseFormat(body: Document): Document {
  const format = recordOf(recordOf(body["output_config"])["format"] ?? body["output_format"]);
  const schema = format["schema"];
  if (format["type"] !== "json_schema" || !isRecord(schema)) return {};
  // OpenAI answers 400 to a strict schema that leaves anything open; the same schema works without the flag.
  const strict = isClosed(schema) ? { strict: true } : {};
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema, ...strict } } };
}

/** Whether every object in a schema takes no further properties and requires all that it has. */
function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isRecord(schema)) return true;
  const properties = schema["properties"];
  if (isRecord(properties)) {
    const required = schema["required"];
    if (schema["additionalProperties"] !== false || !Array.isArray(required)) return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
    if (!Object.values(properties).every(isClosed)) return false;
  } else if (schema["type"] === "object") return false;
  return Object.entries(schema).every(([name, value]) => name === "properties" || isClosed(value));
}
