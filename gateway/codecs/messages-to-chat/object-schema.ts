import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

const NO_PROPERTIES: Document = { type: "object", properties: {} };

/**
 * Normalizes a tool's JSON schema: of type `object`, with `properties` (docs/dialects.md#messages-request-to-chat).
 * Everything else is unchanged.
 */
export function buildObjectSchema(schema: unknown): Document {
  if (!isRecord(schema)) return NO_PROPERTIES;
  if (schema["type"] === "object" && isRecord(schema["properties"])) return schema;
  return { ...schema, type: "object", properties: isRecord(schema["properties"]) ? schema["properties"] : {} };
}
