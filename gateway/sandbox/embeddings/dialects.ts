/** In what the providers' embeddings APIs differ from each other. */
export interface EmbeddingsDialect {
  /** The path, without the provider in front. */
  readonly path: string;
  /** The most inputs of one request (docs/providers/README.md#embedding-batches), and how the provider says so. */
  readonly batch: number;
  readonly tooMany: string;
  readonly takesTokens: boolean;
  /** The name of the field for the length of vectors. */
  readonly dimensions: "dimensions" | "output_dimension";
  /** The accepted values of `encoding_format`, beside none. */
  readonly encodings: readonly string[];
  /** Names that the provider refuses. */
  readonly refused: readonly string[];
  /** The fields of `usage`; none: no usage at all. */
  readonly usage: readonly ("prompt_tokens" | "total_tokens")[];
  /** Whether a text beyond the model's context is cut instead of refused. */
  readonly cutsLongTexts: boolean;
}

const COMMON: EmbeddingsDialect = {
  path: "/v1/embeddings",
  batch: 2_048,
  tooMany: "Invalid 'input': array too long. Expected an array with maximum length 2048.",
  takesTokens: true,
  dimensions: "dimensions",
  encodings: ["float", "base64"],
  refused: [],
  usage: ["prompt_tokens", "total_tokens"],
  cutsLongTexts: false,
};

/** docs/providers/openai.md#embeddings */
export const OPENAI_EMBEDDINGS = COMMON;

/** The compatible mode (docs/providers/dashscope.md#embeddings). */
export const DASHSCOPE_EMBEDDINGS: EmbeddingsDialect = {
  ...COMMON,
  path: "/compatible-mode/v1/embeddings",
  batch: 10,
  tooMany:
    "<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger than 10.",
  takesTokens: false,
  encodings: ["float"],
};

/** The layer for OpenAI clients, which reports no usage (docs/providers/gemini.md#embeddings). */
export const GEMINI_EMBEDDINGS: EmbeddingsDialect = {
  ...COMMON,
  path: "/v1beta/openai/embeddings",
  batch: 100,
  tooMany: "BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch",
  takesTokens: false,
  refused: ["user"],
  usage: [],
  cutsLongTexts: true,
};

/** docs/providers/voyage.md#embeddings */
export const VOYAGE_EMBEDDINGS: EmbeddingsDialect = {
  ...COMMON,
  batch: 1_000,
  tooMany: "The batch size limit is 1000.",
  takesTokens: false,
  dimensions: "output_dimension",
  encodings: ["base64"],
  refused: ["dimensions", "user"],
  usage: ["total_tokens"],
  cutsLongTexts: true,
};
