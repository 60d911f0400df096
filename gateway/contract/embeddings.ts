import * as z from "zod";

/**
 * The body of `POST /v1/embeddings`. Deliberately tolerant: unknown fields are forwarded to the provider or dropped for
 * it, and `null` means absent. The accepted `dimensions` are in core/embedding-rules.ts.
 *
 * Messages begin with "expected": core/validation.ts prepends the field and the value.
 */

/**
 * Max inputs of one request. Providers' batches are smaller, so requests are split (docs/specification.md#embeddings).
 */
export const MOST_EMBEDDING_INPUTS = 16_384;

const text = "a text that is not empty";
const tokens = "an array of token numbers that is not empty";

/**
 * Checks inputs in order and stops at the first invalid one: a body of 32 MiB can have ten million, and zod's arrays
 * would report each.
 */
const input = z
  .unknown()
  .check((context) => {
    const finding = findFirstWrong(context.value);
    if (finding !== null) context.issues.push({ ...finding, input: context.value });
  })
  .meta({
    description: `A text, or an array of at most ${MOST_EMBEDDING_INPUTS} texts. For models that take tokens, also an array of token numbers, or an array of such arrays.`,
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "array", minItems: 1, maxItems: MOST_EMBEDDING_INPUTS, items: { type: "string", minLength: 1 } },
      { type: "array", minItems: 1, items: { type: "integer", minimum: 0 } },
      {
        type: "array",
        minItems: 1,
        maxItems: MOST_EMBEDDING_INPUTS,
        items: { type: "array", minItems: 1, items: { type: "integer", minimum: 0 } },
      },
    ],
  });

interface Finding {
  readonly code: "custom";
  readonly path: (string | number)[];
  readonly message: string;
}

const wrong = (path: (string | number)[], accepted: string): Finding => ({
  code: "custom",
  path,
  message: `expected ${accepted}`,
});

function findFirstWrong(value: unknown): Finding | null {
  if (typeof value === "string") return value === "" ? wrong([], `${text}, or an array of texts`) : null;
  if (!Array.isArray(value)) return wrong([], `${text}, or an array of texts`);
  const items = value as readonly unknown[];
  if (items.length === 0) return wrong([], "an array with at least one text");
  if (typeof items[0] === "number") return firstWrongToken(items, []);
  if (items.length > MOST_EMBEDDING_INPUTS) {
    return wrong([], `at most ${MOST_EMBEDDING_INPUTS} inputs in one request, and there are ${items.length}`);
  }
  const wantsTokens = Array.isArray(items[0]);
  for (const [index, item] of items.entries()) {
    if (wantsTokens ? !Array.isArray(item) : typeof item !== "string")
      return wrong([index], wantsTokens ? tokens : text);
    if ((item as string | readonly unknown[]).length === 0) return wrong([index], wantsTokens ? tokens : text);
    const inner = wantsTokens ? firstWrongToken(item as readonly unknown[], [index]) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function firstWrongToken(items: readonly unknown[], path: readonly number[]): Finding | null {
  const index = items.findIndex((item) => !Number.isSafeInteger(item) || (item as number) < 0);
  return index < 0 ? null : wrong([...path, index], "a token number, as all items of its array are");
}

export const embeddingsRequestSchema = z.looseObject({
  model: z.string().min(1),
  input,
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z
    .number({ error: "expected a whole number" })
    .meta({
      type: "integer",
      minimum: 1,
      description: "How long the vectors shall be; what is accepted depends on the model.",
    })
    .nullish(),
});
export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;

/** The response (docs/specification.md#embedding-list-response-of-post-v1embeddings). */
export const embeddingListSchema = z.object({
  object: z.literal("list"),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal("embedding"),
      /** Position of the input. */
      index: z.int().nonnegative(),
      /** Numbers, or for `base64` the little-endian float32 values of the vector. */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int().nonnegative(), total_tokens: z.int().nonnegative() }),
});
