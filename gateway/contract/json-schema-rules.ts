import type * as z from "zod";

/** JSON Schema equivalents of zod's custom checks, so that the OpenAPI document includes them. */

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A field that is there and not null. */
export const given = (field: string): JsonSchema => ({
  required: [field],
  properties: { [field]: { not: { type: "null" } } },
});

/** Builds a rule that applies if a field has a value. */
export const where = (field: string, value: string, rule: JsonSchema): JsonSchema => ({
  anyOf: [{ not: { required: [field], properties: { [field]: { const: value } } } }, rule],
});

/** The field that objects of a known `type` cannot be without. */
export const givenByType = (fields: Readonly<Record<string, string>>): readonly JsonSchema[] =>
  Object.entries(fields).map(([type, field]) => where("type", type, given(field)));
