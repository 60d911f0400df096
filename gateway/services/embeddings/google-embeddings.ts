import { batchEmbedContentsRequestSchema, embedContentRequestSchema } from "../../contract/gemini.ts";
import { GatewayError } from "../../core/errors.ts";
import { validate } from "../../core/validation.ts";
import { asList, asRecord } from "../../lib/records.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Max requests of one `:batchEmbedContents`, as at Google (docs/providers/gemini.md#embeddings). */
const MAX_REQUESTS = 100;

/**
 * The body of `:embedContent` or `:batchEmbedContents` as that of `/v1/embeddings`. The task type keeps Google's own
 * field names, which its folder handles.
 * @param body in camelCase
 * @throws GatewayError naming the invalid field (400)
 */
export function readGoogleEmbeddings(model: string, body: unknown, isBatch: boolean): Fields {
  const requests = isBatch
    ? validate(batchEmbedContentsRequestSchema, body).requests
    : [validate(embedContentRequestSchema, body)];
  if (requests.length > MAX_REQUESTS)
    throw invalid(
      "requests",
      `at most ${MAX_REQUESTS} requests are taken in one call, and there are ${requests.length}`,
    );
  const [first = {}] = requests.map(readWish);
  if (requests.some((request) => JSON.stringify(readWish(request)) !== JSON.stringify(first)))
    throw invalid(
      "requests",
      "'taskType', 'title' and 'outputDimensionality' must be the same in all requests of one call",
    );
  return { model, input: requests.map(({ content }) => readText(content)), encoding_format: "float", ...first };
}

const WISHES = { outputDimensionality: "dimensions", taskType: "task_type", title: "title" } as const;

function readWish(request: Fields): Fields {
  const given = { ...asRecord(request["embedContentConfig"]), ...request };
  const wishes = Object.entries(WISHES).filter(([name]) => given[name] != null);
  return Object.fromEntries(wishes.map(([name, own]) => [own, given[name]]));
}

function readText(content: Fields): string {
  const parts = asList(content["parts"]).map(asRecord);
  const texts = parts.map(({ text }) => (typeof text === "string" ? text : ""));
  if (parts.some(({ inlineData, fileData }) => inlineData != null || fileData != null))
    throw invalid("content.parts", "only texts can be embedded here");
  return texts.join("\n");
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid value for '${param}': ${what}.`, { param });
}
