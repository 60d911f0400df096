import * as z from "zod";
import { reply } from "../../../support/wire-provider.ts";
import type { WireAct } from "../../../support/wire-provider.ts";
import { KEYS } from "./chat-providers.ts";
import type { Simulated } from "./simulated.ts";
import { strictly } from "./strict.ts";

/** Embeddings of DashScope, Gemini and Voyage, with the limits of docs/providers/README.md#embedding-batches. */

const texts = (most: number): z.ZodType => z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(most)]);

/** A vector that tells its text: of the length that was asked for, exact in float32. */
export function vectorOf(text: string, length: number): number[] {
  return Array.from({ length }, (_, index) => (index === 0 ? text.length : index === 1 ? text.charCodeAt(0) : 0.5));
}

/** As the common API lists them, the last first: order is told by `index` alone. */
function listed(inputs: readonly string[], length: number): object[] {
  return inputs.map((text, index) => ({ object: "embedding", embedding: vectorOf(text, length), index })).toReversed();
}

const dashscope = z.strictObject({
  model: z.enum(["text-embedding-v4", "text-embedding-v3"]),
  input: texts(10),
  dimensions: z.literal([2_048, 1_536, 1_024, 768, 512, 256, 128, 64]).optional(),
  encoding_format: z.literal("float").optional(),
});
const dashscopeAct: WireAct = (seen, outgoing) => {
  const { input, dimensions = 1_024 } = seen.json as { input: string | string[]; dimensions?: number };
  const inputs = [input].flat();
  const tokens = inputs.length * 2;
  const body = {
    data: listed(inputs, dimensions),
    model: "text-embedding-v4",
    object: "list",
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    id: "f62c2ae7-0906-9758-ab34-47c5764f07e2",
  };
  return reply(200, body)(seen, outgoing);
};

const voyage = z.strictObject({
  model: z.enum(["voyage-4-large", "voyage-4", "voyage-4-lite"]),
  input: texts(1_000),
  input_type: z.enum(["query", "document"]).nullable().optional(),
  truncation: z.boolean().optional(),
  output_dimension: z.literal([256, 512, 1_024, 2_048]).optional(),
  output_dtype: z.literal("float").optional(),
  encoding_format: z.literal("base64").nullable().optional(),
});
const voyageAct: WireAct = (seen, outgoing) => {
  const asked = seen.json as {
    model: string;
    input: string | string[];
    output_dimension?: number;
    encoding_format?: string;
  };
  const inputs = [asked.input].flat();
  const items = listed(inputs, asked.output_dimension ?? 1_024).map((item) => {
    const { embedding } = item as { embedding: number[] };
    const bytes = Buffer.from(Float32Array.from(embedding).buffer);
    return {
      ...item,
      ...(asked.encoding_format === "base64" ? { embedding: bytes.toString("base64") } : {}),
      text: null,
    };
  });
  const usage = { total_tokens: inputs.length * 2 };
  return reply(200, { object: "list", data: items, model: asked.model, usage })(seen, outgoing);
};

const GEMINI = ["gemini-embedding-001", "gemini-embedding-2", "gemini-embedding-2-preview"] as const;
const request = (model: string): z.ZodObject =>
  z.strictObject({
    model: z.literal(`models/${model}`),
    content: z.strictObject({
      parts: z.array(z.strictObject({ text: z.string().min(1) })).length(1),
      role: z.literal("user").optional(),
    }),
    taskType: z.string().optional(),
    title: z.string().optional(),
    outputDimensionality: z.int().min(128).max(3_072).optional(),
  });
interface GeminiAsked {
  readonly content: { readonly parts: readonly [{ readonly text: string }] };
  readonly outputDimensionality?: number;
}
const values = ({ content, outputDimensionality = 3_072 }: GeminiAsked): object => ({
  values: vectorOf(content.parts[0].text, outputDimensionality),
});
const embedAct: WireAct = (seen, outgoing) =>
  reply(200, { embedding: values(seen.json as GeminiAsked) })(seen, outgoing);
const batchAct: WireAct = (seen, outgoing) => {
  const { requests } = seen.json as { requests: readonly GeminiAsked[] };
  return reply(200, { embeddings: requests.map(values) })(seen, outgoing);
};
/** The compatible layer; usage is missing (docs/providers/gemini.md#embeddings). */
const compatible = z.strictObject({
  model: z.string().regex(/^(models\/)?gemini-embedding-(001|2|2-preview)$/),
  input: texts(100),
  dimensions: z.int().min(128).max(3_072).optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
});
const compatibleAct: WireAct = (seen, outgoing) => {
  const asked = seen.json as { input: string | string[]; dimensions?: number; model: string };
  return reply(200, {
    object: "list",
    data: listed([asked.input].flat(), asked.dimensions ?? 3_072),
    model: asked.model,
  })(seen, outgoing);
};

/** Puts the three providers' embeddings on their simulators. */
export function simulateEmbeddings({ providers, deviations }: Simulated): void {
  const bearer = (key: string) => ["authorization", `Bearer ${key}`] as const;
  const google = ["x-goog-api-key", KEYS.gemini] as const;
  providers.dashscope.on(
    "POST /compatible-mode/v1/embeddings",
    strictly(deviations, { auth: bearer(KEYS.dashscope), body: dashscope }, dashscopeAct),
  );
  providers.voyage.on(
    "POST /v1/embeddings",
    strictly(deviations, { auth: bearer(KEYS.voyage), body: voyage }, voyageAct),
  );
  providers.gemini.on(
    "POST /v1beta/openai/embeddings",
    strictly(deviations, { auth: bearer(KEYS.gemini), body: compatible }, compatibleAct),
  );
  for (const model of GEMINI) {
    const one = request(model);
    const batch = z.strictObject({ requests: z.array(one).min(1).max(100) });
    providers.gemini.on(
      `POST /v1beta/models/${model}:embedContent`,
      strictly(deviations, { auth: google, body: one }, embedAct),
    );
    providers.gemini.on(
      `POST /v1beta/models/${model}:batchEmbedContents`,
      strictly(deviations, { auth: google, body: batch }, batchAct),
    );
  }
}
