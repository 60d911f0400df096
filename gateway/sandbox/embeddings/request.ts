import type { EmbeddingRules } from "../../core/embeddings/embedding-rules.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { Failure, invalidType, invalidValue, missing } from "../failure.ts";
import { textOf, type Fields } from "../fields.ts";
import { countTokens } from "../tokens.ts";
import type { EmbeddingsDialect } from "./dialects.ts";

/** One text or one array of tokens. */
export type Input = string | readonly number[];

/** An embeddings request, validated as the provider would. */
export interface EmbeddingsRequest {
  /** As the client wrote it, and as the answer repeats it. */
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
export function embeddingsRequestOf(
  body: unknown,
  dialect: EmbeddingsDialect,
  findModel: (id: string) => ModelSpec,
): EmbeddingsRequest {
  if (!isRecord(body)) throw invalidType("body", "a JSON object");
  if (body["model"] === undefined) throw missing("model");
  const model = textOf(body["model"]);
  if (model === undefined) throw invalidType("model", "a string");
  const spec = findModel(model);
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
