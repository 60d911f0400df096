import * as z from "zod";
import { between, getWholeBetween, wholeFrom } from "./bounds.ts";
import { addFirstIssue, addIssue } from "./first-issue.ts";
import { given } from "./json-schema-rules.ts";

/**
 * The body of `POST /v1/responses` (docs/providers/openai.md#responses; what Codex and the AI SDK send:
 * docs/clients.md#codex).
 *
 * Deliberately tolerant: unknown fields at any level and unknown types of items, content and tools are allowed, and
 * `null` means absent. Only fields that the gateway reads are checked. Use it for checking only.
 *
 * Messages begin with "expected": core/validation.ts prepends the field and the value.
 */

const text = z.string();
const name = text.min(1, { error: "expected a name" });
const callId = text.min(1, { error: "expected the id that ties a call to its output" });
const looseRecord = z.looseObject({});
const flag = z.boolean().nullish();

type Schemas = ReadonlyMap<string, z.ZodType>;

/** Checks an object's other fields by its `type`, if known. `fallback`: the type of objects without one. */
const matchByType = (schemas: Schemas, fallback: string | null) =>
  z
    .looseObject({ type: fallback === null ? text : text.nullish() })
    .check((context) => {
      const schema = schemas.get(context.value.type ?? fallback ?? "");
      if (schema !== undefined) addFirstIssue(context, schema, context.value, []);
    })
    .meta({ description: `Types with fields that are checked: ${[...schemas.keys()].join(", ")}. Others pass.` });

/** Requires any of `fields`. */
const requireAny = (schema: z.ZodObject, fields: readonly string[]) =>
  schema.check((context) => {
    const value: Readonly<Record<string, unknown>> = context.value;
    if (fields.some((field) => value[field] != null)) return;
    const [first = ""] = fields;
    const others = fields.slice(1).map((field) => `'${field}'`);
    const message = `expected a value, or one in ${others.join(" or ")}`;
    addIssue(context, [first], value[first], message);
  });

const textPart = z.looseObject({ text });
const imagePart = z.looseObject({ image_url: text.nullish(), file_id: text.nullish(), detail: text.nullish() });
const filePart = z.looseObject({
  file_data: text.nullish(),
  file_id: text.nullish(),
  file_url: text.nullish(),
  filename: text.nullish(),
});

const PART_SCHEMAS: Schemas = new Map<string, z.ZodType>([
  ["input_text", textPart],
  ["output_text", textPart],
  ["text", textPart],
  ["refusal", z.looseObject({ refusal: text })],
  ["input_image", requireAny(imagePart, ["image_url", "file_id"])],
  ["input_file", requireAny(filePart, ["file_data", "file_id", "file_url"])],
]);

const content = z.union([text, z.array(matchByType(PART_SCHEMAS, null))], {
  error: "expected a string or an array of content parts",
});

const RESPONSES_ROLES = ["user", "assistant", "system", "developer"] as const;

const callOutput = z.looseObject({ call_id: callId, output: content });

const ITEM_SCHEMAS: Schemas = new Map<string, z.ZodType>([
  ["message", z.looseObject({ role: z.enum(RESPONSES_ROLES), content })],
  ["function_call", z.looseObject({ call_id: callId, name, arguments: text, namespace: text.nullish() })],
  ["function_call_output", callOutput],
  ["custom_tool_call", z.looseObject({ call_id: callId, name, input: text, namespace: text.nullish() })],
  ["custom_tool_call_output", callOutput],
  ["item_reference", z.looseObject({ id: text.min(1, { error: "expected the id of an item" }) })],
]);

/** An item without a type is a message: the short form that the SDKs' examples use. */
export const responsesItemSchema = matchByType(ITEM_SCHEMAS, "message");

const functionTool = z.looseObject({
  name,
  description: text.nullish(),
  parameters: looseRecord.nullish(),
  strict: flag,
});
const customTool = z.looseObject({ name, description: text.nullish(), format: looseRecord.nullish() });
const PLAIN_TOOL_SCHEMAS: Schemas = new Map<string, z.ZodType>([
  ["function", functionTool],
  ["custom", customTool],
]);
const TOOL_SCHEMAS: Schemas = new Map<string, z.ZodType>([
  ...PLAIN_TOOL_SCHEMAS,
  ["namespace", z.looseObject({ name, tools: z.array(matchByType(PLAIN_TOOL_SCHEMAS, null)) })],
]);

const TEXT_FORMAT_SCHEMAS: Schemas = new Map<string, z.ZodType>([
  ["json_schema", z.looseObject({ name: text.nullish(), schema: looseRecord, strict: flag })],
]);

const fields = {
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists it" }),
  input: z
    .union([text, z.array(responsesItemSchema).min(1, { error: "expected an array with at least one item" })])
    .nullish(),
  instructions: z.union([text, z.array(responsesItemSchema)]).nullish(),
  stream: flag,
  stream_options: looseRecord.nullish(),
  tools: z.array(matchByType(TOOL_SCHEMAS, null)).nullish(),
  tool_choice: z.union([text, looseRecord]).nullish(),
  parallel_tool_calls: flag,
  max_tool_calls: wholeFrom(1).nullish(),
  max_output_tokens: wholeFrom(1).nullish(),
  temperature: between(0, 2).nullish(),
  top_p: between(0, 1).nullish(),
  top_logprobs: getWholeBetween(0, 20).nullish(),
  reasoning: z.looseObject({ effort: text.nullish(), summary: text.nullish() }).nullish(),
  text: z
    .looseObject({
      format: matchByType(TEXT_FORMAT_SCHEMAS, null).nullish(),
      verbosity: z.enum(["low", "medium", "high"]).nullish(),
    })
    .nullish(),
  truncation: text.nullish(),
  include: z.array(text).nullish(),
  store: flag,
  // A polling client would find nothing, because responses are not stored, and cannot be billed unattended.
  background: z.literal(false, { error: "expected false: responses are not stored here, use 'stream'" }).nullish(),
  previous_response_id: text.nullish(),
  conversation: z.union([text, looseRecord]).nullish(),
  prompt: looseRecord.nullish(),
  metadata: looseRecord.nullish(),
  user: text.nullish(),
  safety_identifier: text.nullish(),
  prompt_cache_key: text.nullish(),
  prompt_cache_retention: text.nullish(),
  service_tier: text.nullish(),
};

/** `POST /v1/responses/input_tokens`: a request whose input may be missing. */
export const responsesCountRequestSchema = z.looseObject(fields);

export const responsesRequestSchema = z
  .looseObject(fields)
  .check((context) => {
    const { input, prompt } = context.value;
    if (input != null || prompt != null) return;
    addIssue(context, ["input"], input, "expected a string or an array of items");
  })
  .meta({ allOf: [{ anyOf: [given("input"), given("prompt")] }] });
