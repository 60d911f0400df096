import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { decoded, type Exchange, type Route, sendJson } from "../exchange.ts";
import { Failure, type Fields, invalidType, listOf, parsedJson, textOf } from "../fields.ts";
import { drawn, imageModel, picturesOf, sidesOfRatio } from "./picture.ts";
import { prepare } from "../prepare.ts";
import { seedOf } from "../seed.ts";
import { countTokens } from "../tokens.ts";

const GENERATE = /^\/v1beta\/models\/([^/:]+):generateContent$/;
/** Tokens of a picture in the prompt, and of one that is made at 1K (docs/providers/gemini.md#images). */
const TOKENS_SEEN = 258;
const TOKENS_MADE = 1_290;
const SIDES: Readonly<Record<string, number>> = { "512": 512, "1K": 1_024, "2K": 2_048, "4K": 4_096 };

/** Gemini's own protocol for models that draw (docs/providers/gemini.md#images): pictures are parts of the response. */
export function geminiImageRoutes(models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: GENERATE,
      failureBody: geminiFailureBody,
      handle: (exchange) => generate(exchange, models()),
    },
  ];
}

async function generate(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const model = imageModel(models, decoded(GENERATE.exec(exchange.path)?.[1] ?? ""), "image");
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw invalidType("body", "an object");
  const parts = partsOf(body);
  const prompt = parts.flatMap((part) => textOf(part["text"]) ?? []).join("\n");
  const seen = parts.filter((part) => part["inlineData"] !== undefined || part["inline_data"] !== undefined).length;
  const [width, height] = sizeFor(isRecord(body["generationConfig"]) ? body["generationConfig"] : {});
  const seed = seedOf(exchange.body);
  const [picture] = picturesOf(seed, { width, height, format: "png", transparent: false }, 1);
  if ((await prepare(exchange, prompt, null)) === null || picture === undefined) return;
  const data = (await drawn(picture)).toString("base64");
  const words = countTokens(prompt);
  const response = {
    candidates: [
      {
        content: { parts: [{ inlineData: { mimeType: "image/png", data } }], role: "model" },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: words + seen * TOKENS_SEEN,
      candidatesTokenCount: TOKENS_MADE,
      totalTokenCount: words + seen * TOKENS_SEEN + TOKENS_MADE,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: words },
        ...(seen === 0 ? [] : [{ modality: "IMAGE", tokenCount: seen * TOKENS_SEEN }]),
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: TOKENS_MADE }],
    },
    modelVersion: model.id,
    responseId: seed.digits("response", 22),
  };
  sendJson(exchange.response, 200, JSON.stringify(response));
}

function partsOf(body: Fields): readonly Fields[] {
  const contents = listOf(body["contents"]).filter(isRecord);
  if (contents.length === 0) throw new Failure(400, "* GenerateContentRequest.contents: contents is not specified");
  return contents.flatMap((content) => listOf(content["parts"]).filter(isRecord));
}

function sizeFor(config: Fields): readonly [number, number] {
  const image = isRecord(config["imageConfig"]) ? config["imageConfig"] : {};
  const side = SIDES[textOf(image["imageSize"]) ?? "1K"];
  const sides = side === undefined ? null : sidesOfRatio(textOf(image["aspectRatio"]) ?? "1:1", side);
  if (sides === null) throw new Failure(400, "Invalid value at 'generation_config.image_config'.");
  return sides;
}

/** Google's status words (docs/providers/gemini.md#errors). */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** `{error:{code,message,status,details}}`; a 429 says when to come back, because it has no header for it. */
function geminiFailureBody({ status, message }: Failure): string {
  const details =
    status === 429 ? [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }] : undefined;
  const word = STATUSES[status] ?? (status < 500 ? "FAILED_PRECONDITION" : "INTERNAL");
  return JSON.stringify({ error: { code: status, message, status: word, details } });
}
