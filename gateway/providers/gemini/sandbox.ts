import { writeCamelCase } from "../../codecs/gemini-to-chat/camel-case.ts";
import { buildMessagesForm } from "../../codecs/gemini-to-chat/request.ts";
import { geminiToChat } from "../../codecs/gemini-to-chat/translate.ts";
import { chatRoute, converse } from "../../sandbox/chat/converse.ts";
import { promptTokens, type TokenCounts } from "../../sandbox/chat/plan.ts";
import { getChatRequest } from "../../sandbox/chat/request.ts";
import { translateExchange } from "../../sandbox/chat/translated.ts";
import { embeddingsRoute } from "../../sandbox/embeddings.ts";
import {
  getBody,
  type Exchange,
  getModel,
  prepare,
  type Protocol,
  type Route,
  sendJson,
} from "../../sandbox/exchange.ts";
import type { Failure } from "../../sandbox/failure.ts";
import { type Fields, ownEntry, getNumber, getRecord, getRecords, getText } from "../../sandbox/fields.ts";
import { drawPicture, planPictures, sidesOfRatio } from "../../sandbox/images/picture.ts";
import { createSeed } from "../../sandbox/seed.ts";
import { countTokens } from "../../sandbox/tokens.ts";
import { getVector } from "../../sandbox/vectors.ts";

/** The sandbox as Google, natively and by its layer for OpenAI clients (docs/providers/gemini.md). */
export const sandbox: Protocol = {
  keyHeader: "x-goog-api-key",
  routes: [
    chatRoute("/v1beta/openai"),
    // Google's layer for OpenAI clients reports no usage (docs/providers/gemini.md#layer-for-openai-clients).
    embeddingsRoute({ path: "/v1beta/openai/embeddings", usage: [], cutsLongTexts: true }),
    native("generateContent", (exchange) => (isDrawing(exchange) ? draw(exchange) : converseNatively(exchange, false))),
    native("streamGenerateContent", (exchange) => converseNatively(exchange, true)),
    native("countTokens", countNatively),
    native("batchEmbedContents", embedNatively),
  ],
};

/** Tokens of a picture in the prompt, and of a generated one at 1K (docs/providers/gemini.md#images). */
const TOKENS_SEEN = 258;
const TOKENS_MADE = 1_290;
const SIDES: Readonly<Record<string, number>> = { "512": 512, "2K": 2_048, "4K": 4_096 };
const USUAL_SIDE = 1_024;
/** Default vector length for models outside the catalog. */
const USUAL_DIMENSIONS = 3_072;

function native(operation: string, handle: Route["handle"]): Route {
  return { method: "POST", path: `/v1beta/models/:id:${operation}`, failureBody: getGeminiFailureBody, handle };
}

/** The sandbox as Google in a conversation: its native dialect, translated into the chat dialect and back. */
async function converseNatively(exchange: Exchange, stream: boolean): Promise<void> {
  const translation = translateExchange(exchange, geminiToChat, readForm(exchange, getBody(exchange), stream));
  await converse(exchange, translation.body, {
    translation,
    hidesReasoning: false,
    units: readUnits,
    tooLong: (tokens, limit) =>
      `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`,
  });
}

/** Counts the tokens of contents, or of a whole request. */
function countNatively(exchange: Exchange): void {
  const body = getBody(exchange);
  const whole = body["generateContentRequest"] ?? body["generate_content_request"];
  const form = readForm(exchange, whole === undefined ? body : getRecord(whole), false);
  const { body: chat } = translateExchange(exchange, geminiToChat, form);
  sendJson(exchange, { totalTokens: promptTokens(getChatRequest(chat, exchange)) });
}

function readForm({ id }: Exchange, body: Fields, stream: boolean): Fields {
  return buildMessagesForm({ ...writeCamelCase(body), model: id, stream });
}

function readUnits({ prompt, cached, completion, reasoning }: TokenCounts) {
  return { input: prompt - cached, cached_input: cached, output: completion - reasoning, reasoning };
}

function isDrawing({ models, id }: Exchange): boolean {
  const spec = models.find((model) => model.id === id || model.upstreamId === id || model.aliases.includes(id));
  return spec?.capabilities.includes("image") === true;
}

async function embedNatively(exchange: Exchange): Promise<void> {
  const requests = getRecords(getBody(exchange)["requests"]);
  const { standard } = getModel(exchange, exchange.id, "embedding").embedding ?? { standard: USUAL_DIMENSIONS };
  const texts = requests.map(({ content }) =>
    getRecords(getRecord(content)["parts"])
      .map(({ text }) => getText(text) ?? "")
      .join("\n"),
  );
  if ((await prepare(exchange, texts.join("\n"))) === null) return;
  const embeddings = texts.map((text, index) => ({
    values: getVector(text, standard, getNumber(requests[index]?.["outputDimensionality"]) ?? standard),
  }));
  sendJson(exchange, { embeddings });
}

/** Pictures are parts of the response. */
async function draw(exchange: Exchange): Promise<void> {
  const body = getBody(exchange);
  const model = getModel(exchange, exchange.id, "image");
  const parts = getRecords(body["contents"]).flatMap((content) => getRecords(content["parts"]));
  const prompt = parts.flatMap(({ text }) => getText(text) ?? []).join("\n");
  const seen = parts.filter((part) => (part["inlineData"] ?? part["inline_data"]) !== undefined).length;
  const { aspectRatio, imageSize } = getRecord(getRecord(body["generationConfig"])["imageConfig"]);
  const sides = sidesOfRatio(getText(aspectRatio) ?? "1:1", ownEntry(SIDES, getText(imageSize) ?? "") ?? USUAL_SIDE);
  const seed = createSeed(exchange.body);
  const [picture] = planPictures(seed, { ...sides, format: "png" }, 1);
  if ((await prepare(exchange, prompt)) === null || picture === undefined) return;
  const inlineData = { mimeType: "image/png", data: drawPicture(picture).toString("base64") };
  const words = countTokens(prompt);
  const looked = seen * TOKENS_SEEN;
  sendJson(exchange, {
    candidates: [{ content: { parts: [{ inlineData }], role: "model" }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: words + looked,
      candidatesTokenCount: TOKENS_MADE,
      totalTokenCount: words + looked + TOKENS_MADE,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: words },
        ...(seen === 0 ? [] : [{ modality: "IMAGE", tokenCount: looked }]),
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: TOKENS_MADE }],
    },
    modelVersion: model.id,
    responseId: seed.digits("response", 22),
  });
}

/** Google's status names (docs/providers/gemini.md#errors). */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** `{error:{code,message,status,details}}`; a 429 has its retry delay in the details, because there is no header. */
function getGeminiFailureBody({ status, message }: Failure): string {
  const details =
    status === 429 ? [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }] : undefined;
  const word = STATUSES[status] ?? (status < 500 ? "FAILED_PRECONDITION" : "INTERNAL");
  return JSON.stringify({ error: { code: status, message, status: word, details } });
}
