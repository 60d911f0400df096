import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

const NO_PROPERTIES: Document = { type: "object", properties: {} };

/**
 * A tool's JSON schema as providers want it: of type `object`, with `properties`
 * (docs/dialects.md#messages-request-to-chat). Everything else in it stays as it is.
 */
export function buildObjectSchema(schema: unknown): Document {
  if (!isRecord(schema)) return NO_PROPERTIES;
  if (schema["type"] === "object" && isRecord(schema["properties"])) return schema;
  return { ...schema, type: "object", properties: isRecord(schema["properties"]) ? schema["properties"] : {} };
}
