import { encodeVector } from "../../core/embeddings/embedding-vectors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { parsedJson } from "../body.ts";
import { directivesOf } from "../directives.ts";
import { cutConnection, sendJson, wait, type Exchange, type Route } from "../exchange.ts";
import { Failure, requestedFailure } from "../failure.ts";
import { findModel } from "../models.ts";
import type { EmbeddingsDialect } from "./dialects.ts";
import { embeddingsRequestOf, type EmbeddingsRequest } from "./request.ts";
import { vectorOf } from "./vectors.ts";

/** Vectors that are made between two turns of the event loop: some milliseconds' worth. */
const AT_A_TIME = 64;

/** `POST …/embeddings` as a provider has it. */
export function embeddingsRoutes(dialect: EmbeddingsDialect, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: dialect.path,
      handle: (exchange) => answerEmbeddings(exchange, dialect, embeddingModel(models)),
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

async function answerEmbeddings(
  exchange: Exchange,
  dialect: EmbeddingsDialect,
  model: (id: string) => ModelSpec,
): Promise<void> {
  const request = embeddingsRequestOf(parsedJson(exchange.body), dialect, model);
  const { errorStatus, slowMs, cut } = directivesOf(request.inputs.filter(isText).join("\n"));
  await wait(exchange, slowMs ?? 0);
  if (errorStatus !== null) throw requestedFailure(errorStatus);
  if (cut) return cutConnection(exchange);
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
