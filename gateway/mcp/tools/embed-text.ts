import * as z from "zod";
import { wholeFrom } from "../../contract/bounds.ts";
import type { VectorList } from "../../services/embeddings/embedding-list.ts";
import { costLine, paidFields, getPaid } from "../tool/paid-fields.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool } from "../tool/tool.ts";

/** A result is one message: beyond this, vectors of 3,072 numbers would make it larger than a text can be. */
const MOST_TEXTS = 2_048;

const notEmpty = "expected a text that is not empty";
const text = z.string().min(1, { error: notEmpty });
const listError = `expected an array of 1 to ${MOST_TEXTS} texts; POST /v1/embeddings takes more at once`;

const input = z.strictObject({
  model: z.string().describe("Id of an embedding model: call list_models with capability embedding."),
  input: z
    .union([text, z.array(text).min(1, { error: listError }).max(MOST_TEXTS, { error: listError })])
    .describe(`The text to embed, or an array of at most ${MOST_TEXTS} texts: one vector for each, in their order.`),
  dimensions: wholeFrom(1)
    .optional()
    .describe("Numbers per vector. Accepted values depend on the model; default its own."),
  encoding_format: z
    .enum(["float", "base64"])
    .optional()
    .describe(
      "float (default): arrays of numbers. base64: the same as little-endian float32 in base64, a quarter of the size.",
    ),
});

const output = z.object({
  embeddings: z
    .array(z.union([z.array(z.number()), z.string()]))
    .describe("One vector for each text, in their order: numbers, or base64 of little-endian float32."),
  count: z.int().nonnegative().describe("Number of vectors."),
  dimensions: z.int().nonnegative().describe("Numbers per vector."),
  model: z.string().describe("Id of the model. Vectors of different models cannot be compared."),
  usage: z.object({ input_tokens: z.int().nonnegative().describe("Input tokens of all texts together.") }),
  ...paidFields,
});

const BYTES_PER_NUMBER = 4;

/** Makes vectors of texts, as `POST /v1/embeddings` does. */
export function embedTextTool(deps: Pick<ToolDeps, "runEmbeddings">): Tool {
  return defineTool({
    name: "embed_text",
    title: "Embed text",
    description:
      "Turns texts into vectors: close vectors mean similar texts, for search, clustering and comparison. The " +
      "vectors are in the structured result only, for programs: the text of the result does not repeat them. Costs " +
      "money per input token (list_models has the prices, quote estimates the most a call can cost); give many texts " +
      "in one call rather than one by one. Compare only vectors of the same model and the same dimensions.",
    input,
    output,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "embedding",
    estimate: ({ input }, args) => deps.runEmbeddings.estimate(input, args),
    async run(call, args) {
      const list = await deps.runEmbeddings.vectors(call.input, args, call.client);
      const { vectors, tokens, model } = list ?? nothing(args.model);
      const embeddings = vectors.map((vector) => (typeof vector === "string" ? vector : [...vector]));
      const dimensions = getLength(embeddings[0]);
      const many = embeddings.length === 1 ? "1 vector" : `${embeddings.length} vectors`;
      return {
        content: [
          {
            type: "text",
            text: `${many} of ${dimensions} numbers by ${model}, in the structured result. ${costLine(call)}`,
          },
        ],
        structured: {
          embeddings,
          count: embeddings.length,
          dimensions,
          model,
          usage: { input_tokens: tokens },
          ...getPaid(call),
        },
      };
    },
  });
}

/** Returns an empty list for a client that left and receives nothing of it. */
function nothing(model: string): VectorList {
  return { model, vectors: [], tokens: 0 };
}

function getLength(vector: VectorList["vectors"][number] | undefined): number {
  if (vector === undefined) return 0;
  return typeof vector === "string" ? Buffer.from(vector, "base64").length / BYTES_PER_NUMBER : vector.length;
}
