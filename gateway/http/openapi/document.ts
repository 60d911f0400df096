import * as z from "zod";
import {
  anthropicErrorSchema,
  flatErrorSchema,
  googleErrorSchema,
  nestedErrorSchema,
  ollamaErrorSchema,
} from "../../contract/errors.ts";
import { publicOperations } from "../../contract/operations.ts";
import type { PublicOperation } from "../../contract/operation.ts";
import { asList } from "../../lib/records.ts";

/** A JSON object of the OpenAPI document. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

const ERRORS = {
  nested: nestedErrorSchema,
  flat: flatErrorSchema,
  anthropic: anthropicErrorSchema,
  google: googleErrorSchema,
  ollama: ollamaErrorSchema,
} as const;
const ERROR_NAMES = {
  nested: "Error",
  flat: "FlatError",
  anthropic: "AnthropicError",
  google: "GoogleError",
  ollama: "OllamaError",
} as const;

/**
 * The public API as an OpenAPI 3.1 document, made from the very schemas that check requests (contract/operations.ts).
 * @param version of the service's interface (docs/specification.md#versioning).
 */
export function openApiDocument(version: string): OpenApiObject {
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const operation of publicOperations) {
    (paths[operation.path] ??= {})[operation.method] = createOperationObject(operation);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Postern", version, description: "One local key and one base URL for every AI model." },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A local key: `sk-…`." } },
      schemas: Object.fromEntries(
        (Object.keys(ERRORS) as (keyof typeof ERRORS)[]).map((family) => [
          ERROR_NAMES[family],
          createJsonSchema(ERRORS[family], "output"),
        ]),
      ),
    },
  };
}

function createOperationObject(operation: PublicOperation): OpenApiObject {
  const parameters = [...listPathParameters(operation.path), ...listQueryParameters(operation.query)];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.request === undefined
      ? {}
      : { requestBody: { required: true, content: createRequestContent(operation.request) } }),
    responses: {
      ...Object.fromEntries(
        (operation.statuses ?? ["200"]).map((status) => [
          status,
          { description: "The response.", content: createResponseContent(operation.responses) },
        ]),
      ),
      default: {
        description: "What went wrong and what to do about it; the codes are in docs/errors.md.",
        content: { "application/json": { schema: joinSchemas(operation.errors.map(createErrorReference)) } },
      },
    },
  };
}

function createRequestContent(request: NonNullable<PublicOperation["request"]>): OpenApiObject {
  return Object.fromEntries(
    Object.entries(request).map(([type, schema]) => [type, { schema: createJsonSchema(schema, "input") }]),
  );
}

function createResponseContent(responses: PublicOperation["responses"]): OpenApiObject {
  return Object.fromEntries(
    Object.entries(responses).map(([type, schemas]) => [
      type,
      {
        schema:
          schemas === null
            ? createBytesOrEvents(type)
            : joinSchemas(schemas.map((schema) => createJsonSchema(schema, "output"))),
      },
    ]),
  );
}

function createBytesOrEvents(type: string): OpenApiObject {
  return type === "text/event-stream"
    ? { type: "string", description: "Server-sent events." }
    : { type: "string", format: "binary" };
}

function joinSchemas(schemas: readonly OpenApiObject[]): OpenApiObject {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
}

function createErrorReference(family: keyof typeof ERRORS): OpenApiObject {
  return { $ref: `#/components/schemas/${ERROR_NAMES[family]}` };
}

function listPathParameters(path: string): readonly OpenApiObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function listQueryParameters(query: z.ZodObject | undefined): readonly OpenApiObject[] {
  if (query === undefined) return [];
  const { properties, required } = createJsonSchema(query, "input");
  const needed = asList(required);
  return Object.entries((properties ?? {}) as OpenApiObject).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.includes(name),
    schema,
  }));
}

/** OpenAPI 3.1 embeds JSON Schema 2020-12 unchanged. */
function createJsonSchema(schema: z.ZodType, io: "input" | "output"): OpenApiObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
