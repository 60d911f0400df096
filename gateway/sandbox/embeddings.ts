import type { EmbeddingRules } from "../core/embeddings/embedding-rules.ts";
import { encodeVector } from "../core/embeddings/embedding-vectors.ts";
import { getBody, type Exchange, getModel, prepare, type Route, sendJson, wait } from "./exchange.ts";
import { Failure } from "./failure.ts";
import { getNumber } from "./fields.ts";
import { countTokens } from "./tokens.ts";
import { getVector } from "./vectors.ts";

/** The differences between providers' embeddings APIs, in requests and responses. */
interface EmbeddingsDialect {
  readonly path: string;
  /** Fields of `usage`; empty: no usage at all. */
  readonly usage: readonly ("prompt_tokens" | "total_tokens")[];
  /** Whether a text beyond the model's context is truncated instead of refused. */
  readonly cutsLongTexts?: boolean;
}

/** Vectors that are made between two turns of the event loop: some milliseconds' worth. */
const AT_A_TIME = 64;
/** Default for catalog entries without vector rules. */
const ANY: EmbeddingRules = { dimensions: { least: 1, most: 1_024 }, standard: 1_024 };

/** `POST …/embeddings` as a provider has it. */
export function embeddingsRoute(dialect: EmbeddingsDialect): Route {
  return { method: "POST", path: dialect.path, handle: (exchange) => respond(exchange, dialect) };
}

async function respond(exchange: Exchange, dialect: EmbeddingsDialect): Promise<void> {
  const { model, input, encoding_format: encoding, ...body } = getBody(exchange);
  const spec = getModel(exchange, String(model).replace(/^models\//, ""), "embedding");
  const inputs = (Array.isArray(input) && typeof input[0] !== "number" ? input : [input]) as (string | number[])[];
  const tokens = findTokens(inputs, spec.contextLength ?? Infinity, dialect);
  const texts = inputs.filter((one) => typeof one === "string");
  if ((await prepare(exchange, texts.join("\n"))) === null) return;
  const { dimensions, standard } = spec.embedding ?? ANY;
  const longest =
    dimensions === "fixed" ? standard : "oneOf" in dimensions ? Math.max(...dimensions.oneOf) : dimensions.most;
  const size = getNumber(body["dimensions"]) ?? getNumber(body["output_dimension"]) ?? standard;
  const data: object[] = [];
  for (const [index, one] of inputs.entries()) {
    const vector = getVector(one, longest, size);
    data.push({
      object: "embedding",
      index,
      embedding: encoding === "base64" ? encodeVector(vector, encoding) : vector,
    });
    if (index % AT_A_TIME === AT_A_TIME - 1) await wait(exchange, 0);
  }
  const usage = Object.fromEntries(dialect.usage.map((name) => [name, tokens]));
  sendJson(exchange, { object: "list", data, model, ...(dialect.usage.length === 0 ? {} : { usage }) });
}

/** @throws Failure (400) for a text that is longer than the model's context, where the provider does not cut it */
function findTokens(
  inputs: readonly (string | number[])[],
  most: number,
  { cutsLongTexts }: EmbeddingsDialect,
): number {
  let sum = 0;
  for (const input of inputs) {
    const tokens = typeof input === "string" ? Math.max(1, countTokens(input)) : input.length;
    if (tokens > most && cutsLongTexts !== true) {
      const sentence = `This model's maximum context length is ${most} tokens, however you requested ${tokens} tokens. Please reduce your prompt.`;
      throw new Failure(400, sentence, { param: "input" });
    }
    sum += Math.min(tokens, most);
  }
  return sum;
}
