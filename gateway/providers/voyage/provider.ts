import type { Provider } from "../provider.ts";
import { normalizeVersioned } from "../openai-compatible/base-url.ts";
import { catalog } from "./catalog.ts";
import { errors } from "./errors.ts";
import { profile } from "./profile.ts";
import type { EmbeddingsAdapter } from "../embeddings.ts";
import { readEmbeddings } from "../openai-compatible/embeddings.ts";
import { buildBearerHeaders } from "../wire-request.ts";

const BATCH = 1_000;

/** Tokens of one request by model (docs/providers/voyage.md#embeddings). */
const TOTALS: readonly (readonly [RegExp, number])[] = [
  [/-lite$/, 1_000_000],
  [/^voyage-(4|3\.5)$/, 320_000],
];
const SMALLEST_TOTAL = 120_000;

/** Voyage's fields in addition to model, input and dimensions. It refuses names that it does not know. */
const OWN_FIELDS = ["input_type", "truncation", "output_dtype", "output_dimension"] as const;

/**
 * Voyage AI (docs/providers/voyage.md): `output_dimension` instead of `dimensions`, no `user`, and no `encoding_format`
 * `float`: lists are its default.
 */
export const embeddings: EmbeddingsAdapter = {
  takesTokens: false,
  readLimits: (upstreamModel) => ({
    inputs: BATCH,
    tokens: TOTALS.find(([name]) => name.test(upstreamModel))?.[1] ?? SMALLEST_TOTAL,
  }),
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/embeddings",
    headers: buildBearerHeaders(secret),
    body: JSON.stringify({
      model: call.upstreamModel,
      input: call.inputs,
      ...Object.fromEntries(OWN_FIELDS.flatMap((name) => (name in call.extra ? [[name, call.extra[name]]] : []))),
      ...(call.dimensions === null ? {} : { output_dimension: call.dimensions }),
    }),
  }),
  fromResponse: readEmbeddings,
};

/** Voyage AI (docs/providers/voyage.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl: normalizeVersioned,
  // Voyage documents no model list, and an unknown request could only fail.
  models: null,
  errors,
  rateScope: "model",
  chat: null,
  messages: null,
  responses: null,
  embeddings,
  speech: null,
  images: null,
  edits: null,
  videos: null,
  transcriptions: null,
  moderations: null,
};
