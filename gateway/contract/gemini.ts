import * as z from "zod";
import { between, wholeFrom } from "./bounds.ts";

/**
 * The bodies of `/v1beta/models/{model}:generateContent`, `:streamGenerateContent`, `:countTokens`, `:embedContent` and
 * `:batchEmbedContents`: Google's formats (ai.google.dev/api/generate-content, discovery document of v1beta and
 * google-genai 3.3.0 `types`, 2026-11-29).
 *
 * Deliberately tolerant: unknown fields and parts are allowed, and `null` means absent. Names in snake_case are
 * converted to camelCase first (codecs/gemini-to-chat/camel-case.ts). Model-specific limits are checked by the
 * provider.
 */

const text = z.string();
const record = z.looseObject({});

const partSchema = z.looseObject({
  text: text.nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: text.nullish(),
  inlineData: z.looseObject({ mimeType: text.nullish(), data: text.nullish() }).nullish(),
  fileData: z.looseObject({ mimeType: text.nullish(), fileUri: text.nullish() }).nullish(),
  functionCall: z.looseObject({ id: text.nullish(), name: text, args: record.nullish() }).nullish(),
  functionResponse: z
    .looseObject({
      id: text.nullish(),
      name: text.nullish(),
      response: record.nullish(),
      parts: z.array(record).nullish(),
    })
    .nullish(),
});

const contentSchema = z.looseObject({ role: text.nullish(), parts: z.array(partSchema).nullish() });

const toolSchema = z.looseObject({
  functionDeclarations: z
    .array(
      z.looseObject({
        name: text.min(1, { error: "expected a name" }),
        description: text.nullish(),
        parameters: record.nullish(),
        parametersJsonSchema: z.unknown().optional(),
      }),
    )
    .nullish(),
});

const generationConfigSchema = z.looseObject({
  candidateCount: wholeFrom(1).nullish(),
  maxOutputTokens: wholeFrom(1).nullish(),
  temperature: between(0, 2).nullish(),
  topP: between(0, 1).nullish(),
  topK: z.number().nullish(),
  seed: z.number().int().nullish(),
  presencePenalty: z.number().nullish(),
  frequencyPenalty: z.number().nullish(),
  stopSequences: z.array(text).nullish(),
  responseMimeType: text.nullish(),
  responseSchema: record.nullish(),
  responseJsonSchema: z.unknown().optional(),
  responseModalities: z.array(text).nullish(),
  thinkingConfig: z
    .looseObject({
      includeThoughts: z.boolean().nullish(),
      thinkingBudget: z.number().int().nullish(),
      thinkingLevel: text.nullish(),
    })
    .nullish(),
});

const prompt = {
  contents: z.array(contentSchema).min(1, { error: "expected an array with at least one content" }),
  systemInstruction: z.union([text, contentSchema]).nullish(),
  tools: z.array(toolSchema).nullish(),
  toolConfig: z
    .looseObject({
      functionCallingConfig: z
        .looseObject({ mode: text.nullish(), allowedFunctionNames: z.array(text).nullish() })
        .nullish(),
    })
    .nullish(),
  generationConfig: generationConfigSchema.nullish(),
  safetySettings: z.array(record).nullish(),
  cachedContent: text.nullish(),
};

/** `:generateContent` and `:streamGenerateContent`; the model is in the address. */
export const generateContentRequestSchema = z.looseObject(prompt);

/** The request with the values of its address. */
export const geminiRequestSchema = z.looseObject({
  ...prompt,
  model: text.min(1, { error: "expected the id of a model in the address, as GET /v1beta/models lists it" }),
  stream: z.boolean().nullish(),
});

/** `:countTokens`: contents, or a whole request. */
export const geminiCountRequestSchema = z.looseObject({
  ...prompt,
  contents: prompt.contents.nullish(),
  generateContentRequest: generateContentRequestSchema.nullish(),
});

const embedding = {
  content: contentSchema,
  taskType: text.nullish(),
  title: text.nullish(),
  outputDimensionality: wholeFrom(1).nullish(),
};

/** `:embedContent`. */
export const embedContentRequestSchema = z.looseObject(embedding);

/** `:batchEmbedContents`. */
export const batchEmbedContentsRequestSchema = z.looseObject({
  requests: z.array(embedContentRequestSchema).min(1, { error: "expected an array with at least one request" }),
});
