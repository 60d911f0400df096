import type { EmbeddingRules } from "../../core/embeddings/embedding-rules.ts";
import { encodeVector } from "../../core/embeddings/embedding-vectors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { namedModel } from "../conversation/openai-words.ts";
import { vectorOf } from "./vectors.ts";
import { bearerKey, type Exchange, findModel, type Protocol, type Route, sendJson, wait } from "../exchange.ts";
import { Failure, type Fields, invalidType, invalidValue, missing, parsedJson, textOf } from "../fields.ts";
import { prepare } from "../prepare.ts";
import { countTokens } from "../tokens.ts";

/** In what the providers' embeddings APIs differ from each other. */
interface EmbeddingsDialect {
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

/** docs/providers/openai.md#embeddings. */
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

/**
 * The layer for OpenAI clients, which reports no usage (docs/providers/gemini.md#embeddings and
 * docs/providers/gemini.md#layer-for-openai-clients).
 */
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

/** docs/providers/voyage.md. */
const VOYAGE_EMBEDDINGS: EmbeddingsDialect = {
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

/** Voyage's protocol: embeddings, no list of models, and errors of one field (docs/providers/voyage.md). */
export function voyageProtocol(models: () => readonly ModelSpec[]): Protocol {
  return {
    provider: "voyage",
    keyOf: bearerKey,
    routes: embeddingsRoutes(VOYAGE_EMBEDDINGS, models),
    failureBody: (failure) => JSON.stringify({ detail: failure.message }),
  };
}

/** Vectors that are made between two turns of the event loop: some milliseconds' worth. */
const AT_A_TIME = 64;

/** `POST …/embeddings` as a provider has it. */
export function embeddingsRoutes(dialect: EmbeddingsDialect, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: dialect.path,
      handle: (exchange) => respondToEmbeddings(exchange, dialect, embeddingModel(models)),
    },
  ];
}

/** A model that its owner has shut down goes on here: a client can be tried with it offline. */
function embeddingModel(models: () => readonly ModelSpec[]): (id: string) => ModelSpec {
  return (id) => {
    const model = findModel(models(), id.replace(/^models\//, ""));
    if (model.capabilities.includes("embedding")) return model;
    throw new Failure(
      404,
      `models/${model.id} is not found for API version v1beta, or is not supported for embedContent.`,
      {
        param: "model",
        code: "model_not_found",
      },
    );
  };
}

async function respondToEmbeddings(
  exchange: Exchange,
  dialect: EmbeddingsDialect,
  model: (id: string) => ModelSpec,
): Promise<void> {
  const request = embeddingsRequestOf(parsedJson(exchange.body), dialect, model);
  if ((await prepare(exchange, request.inputs.filter(isText).join("\n"), null)) === null) return;
  const data = await dataOf(exchange, request);
  const usage = Object.fromEntries(dialect.usage.map((name) => [name, request.tokens]));
  const body = { object: "list", data, model: request.model, ...(dialect.usage.length === 0 ? {} : { usage }) };
  sendJson(exchange.response, 200, JSON.stringify(body));
}

async function dataOf(exchange: Exchange, request: EmbeddingsRequest): Promise<readonly object[]> {
  const data: object[] = [];
  for (const [index, input] of request.inputs.entries()) {
    const vector = vectorOf(input, request.longest, request.dimensions);
    const embedding = request.base64 ? encodeVector(vector, "base64") : vector;
    data.push({ object: "embedding", index, embedding });
    if (index % AT_A_TIME === AT_A_TIME - 1) await wait(exchange, 0);
  }
  return data;
}

function isText(input: string | readonly number[]): input is string {
  return typeof input === "string";
}

/** One text or one array of tokens. */
type Input = string | readonly number[];

/** An embeddings request, validated as the provider would. */
interface EmbeddingsRequest {
  /** As the client wrote it, and as the response repeats it. */
  readonly model: string;
  readonly inputs: readonly Input[];
  /** Tokens of all inputs. */
  readonly tokens: number;
  /** How long vectors are wanted, and the longest that the model makes. */
  readonly dimensions: number;
  readonly longest: number;
  readonly base64: boolean;
}

/** Where a catalog entry says nothing about vectors. */
const ANY: EmbeddingRules = { dimensions: { least: 1, most: 1_024 }, standard: 1_024 };

/**
 * @param findModel the model of an id, or a Failure thrown when there is none
 * @throws Failure (400, 404)
 */
function embeddingsRequestOf(
  json: unknown,
  dialect: EmbeddingsDialect,
  findModel: (id: string) => ModelSpec,
): EmbeddingsRequest {
  const { fields: body, model, spec } = namedModel(json, findModel);
  const refused = dialect.refused.find((name) => body[name] !== undefined);
  if (refused !== undefined) throw new Failure(400, `Argument '${refused}' is not supported by our API.`);
  const inputs = inputsOf(body["input"], dialect);
  const rules = spec.embedding ?? ANY;
  return {
    model,
    inputs,
    tokens: tokensOf(inputs, spec, dialect),
    dimensions: dimensionsOf(body[dialect.dimensions], dialect.dimensions, rules),
    longest: longestOf(rules),
    base64: encodingOf(body, dialect) === "base64",
  };
}

function inputsOf(value: unknown, dialect: EmbeddingsDialect): readonly Input[] {
  if (value === undefined) throw missing("input");
  if (typeof value === "string") return checked([value], dialect);
  if (!Array.isArray(value)) throw invalidType("input", "a string or an array");
  if (value.length === 0) throw invalidValue("input", "it must not be empty.");
  return typeof value[0] === "number" ? checked([value], dialect) : checked(value, dialect);
}

function checked(values: readonly unknown[], dialect: EmbeddingsDialect): readonly Input[] {
  if (values.length > dialect.batch) throw new Failure(400, dialect.tooMany, { param: "input" });
  for (const value of values) {
    const tokens = dialect.takesTokens && Array.isArray(value) && value.every(Number.isInteger);
    if (typeof value !== "string" && !tokens) throw invalidType("input", "texts");
    if ((value as Input).length === 0) throw invalidValue("input", "texts must not be empty.");
  }
  return values as readonly Input[];
}

function tokensOf(inputs: readonly Input[], { contextLength }: ModelSpec, dialect: EmbeddingsDialect): number {
  const most = contextLength ?? Infinity;
  let sum = 0;
  for (const input of inputs) {
    const tokens = typeof input === "string" ? Math.max(1, countTokens(input)) : input.length;
    if (tokens > most && !dialect.cutsLongTexts) {
      throw new Failure(
        400,
        `This model's maximum context length is ${most} tokens, however you requested ${tokens} tokens. Please reduce your prompt.`,
        { param: "input" },
      );
    }
    sum += Math.min(tokens, most);
  }
  return sum;
}

function dimensionsOf(value: unknown, param: string, rules: EmbeddingRules): number {
  if (value === undefined || value === null) return rules.standard;
  const { dimensions } = rules;
  if (dimensions === "fixed") throw new Failure(400, "This model does not support specifying dimensions.", { param });
  const good =
    typeof value === "number" &&
    Number.isInteger(value) &&
    ("oneOf" in dimensions ? dimensions.oneOf.includes(value) : value >= dimensions.least && value <= dimensions.most);
  if (!good) throw invalidValue(param, "this model does not make vectors of that length.");
  return value;
}

function longestOf({ dimensions, standard }: EmbeddingRules): number {
  if (dimensions === "fixed") return standard;
  return "oneOf" in dimensions ? Math.max(...dimensions.oneOf) : dimensions.most;
}

function encodingOf(body: Fields, dialect: EmbeddingsDialect): string | null {
  const value = body["encoding_format"];
  if (value === undefined || value === null) return null;
  const encoding = textOf(value);
  if (encoding !== undefined && dialect.encodings.includes(encoding)) return encoding;
  throw invalidValue("encoding_format", `accepted values are ${dialect.encodings.join(", ")}.`);
}
