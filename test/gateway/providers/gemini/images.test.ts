import { describe, expect, it } from "vitest";
import { errors } from "../../../../gateway/providers/gemini/errors.ts";
import { images } from "../../../../gateway/providers/gemini/images.ts";
import { bodyOf, imagesCall } from "../dialect-call.ts";

const MODEL = "gemini-3-pro-image";
const PNG = "iVBORw0KGgo=";
const picture = (data = PNG): object => ({ inlineData: { mimeType: "image/png", data } });
const response = (parts: readonly object[], change: object = {}): Record<string, unknown> => ({
  candidates: [{ content: { parts, role: "model" }, finishReason: "STOP", index: 0 }],
  usageMetadata: {
    promptTokenCount: 9,
    candidatesTokenCount: 1_300,
    totalTokenCount: 1_553,
    thoughtsTokenCount: 244,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: 9 }],
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
  },
  modelVersion: MODEL,
  responseId: "Un6LacrVMcjUxs0PmJfWoQc",
  ...change,
});

const native = imagesCall({
  model: "gemini-3-pro-image-preview",
  contents: [{ role: "user", parts: [{ text: "A cat" }, picture()] }],
  generationConfig: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "16:9", imageSize: "2K" } },
  safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
});
const prompted = imagesCall({ model: MODEL, prompt: "A cat", n: 1, response_format: "b64_json", user: "u" });

describe("a request in Google's own shape", () => {
  it("goes out as it is, with the model in the path and the key in Google's header", () => {
    const wire = images.toRequest(native, "AIza-key");
    expect(wire).toMatchObject({ method: "POST", path: `/v1beta/models/${MODEL}:generateContent` });
    expect(wire.headers["x-goog-api-key"]).toBe("AIza-key");
    expect(wire.headers).not.toHaveProperty("authorization");
    const { model: _, ...body } = native.body;
    expect(bodyOf(wire)).toEqual(body);
  });

  it("is answered with Google's own document, words and pictures", () => {
    const body = response([{ text: "Here it is." }, picture()]);
    const read = images.fromResponse(body, native);
    expect(read?.body).toBe(body);
    expect(read?.images).toEqual([{ kind: "base64", data: PNG }]);
  });

  it("may be answered with words alone", () => {
    const body = response([{ text: "Which cat?" }]);
    expect(images.fromResponse(body, native)).toMatchObject({ body, images: [] });
  });
});

describe("a request with a prompt", () => {
  it("is said in Google's words", () => {
    const wire = images.toRequest(prompted, null);
    expect(wire.headers).not.toHaveProperty("x-goog-api-key");
    expect(bodyOf(wire)).toEqual({
      contents: [{ role: "user", parts: [{ text: "A cat" }] }],
      generationConfig: { responseModalities: ["IMAGE"] },
    });
  });

  it.each([
    [MODEL, "1024x1024", { aspectRatio: "1:1", imageSize: "1K" }],
    [MODEL, "1536x1024", { aspectRatio: "3:2", imageSize: "1K" }],
    [MODEL, "1024x1792", { aspectRatio: "9:16", imageSize: "1K" }],
    [MODEL, "2048x2048", { aspectRatio: "1:1", imageSize: "2K" }],
    [MODEL, "3840x2160", { aspectRatio: "16:9", imageSize: "2K" }],
    [MODEL, "4096x4096", { aspectRatio: "1:1", imageSize: "4K" }],
    [MODEL, "2560*1080", { aspectRatio: "21:9", imageSize: "2K" }],
    [MODEL, "2K", { imageSize: "2K" }],
    [MODEL, "auto", undefined],
    ["gemini-2.5-flash-image", "1536x1024", { aspectRatio: "3:2" }],
    ["gemini-2.5-flash-image", "2K", undefined],
  ])("%s makes %s as %j", (model, size, config) => {
    const wire = images.toRequest(imagesCall({ model, prompt: "A cat", size }), null);
    expect(bodyOf(wire)["generationConfig"]).toEqual({ responseModalities: ["IMAGE"], imageConfig: config });
  });

  it("is answered in OpenAI's shape, with the tokens that were counted", () => {
    const read = images.fromResponse(response([{ text: "Here it is." }, picture("AAAA"), picture("BBBB")]), prompted);
    expect(read).toEqual({
      body: {
        data: [{ b64_json: "AAAA" }, { b64_json: "BBBB" }],
        usage: {
          total_tokens: 1_553,
          input_tokens: 9,
          output_tokens: 1_544,
          input_tokens_details: { text_tokens: 9, image_tokens: 0 },
          output_tokens_details: { text_tokens: 254, image_tokens: 1_290 },
        },
      },
      images: [
        { kind: "base64", data: "AAAA" },
        { kind: "base64", data: "BBBB" },
      ],
      units: { image: 2, input: 9, output: 10, reasoning: 244, image_output: 1_290 },
    });
  });

  it("does not take a sketch of the model's thoughts for the picture", () => {
    const sketch = { ...picture("AAAA"), thought: true };
    expect(images.fromResponse(response([sketch, picture("BBBB")]), prompted)?.images).toHaveLength(1);
    expect(images.fromResponse(response([sketch]), prompted)).toBeNull();
  });
});

describe("tokens", () => {
  const unitsOf = (usageMetadata: unknown) =>
    images.fromResponse(response([picture()], { usageMetadata }), prompted)?.units;
  it.each([
    [
      "that nothing tells apart are the picture's",
      { promptTokenCount: 9, candidatesTokenCount: 1_290 },
      { image: 1, input: 9, image_output: 1_290 },
    ],
    [
      "of pictures in the prompt, of the cache and of tools",
      {
        promptTokenCount: 600,
        cachedContentTokenCount: 100,
        toolUsePromptTokenCount: 50,
        candidatesTokenCount: 1_290,
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: 40 },
          { modality: "IMAGE", tokenCount: 560 },
        ],
      },
      { image: 1, input: 550, cached_input: 100, image_output: 1_290 },
    ],
    ["that are not reported", undefined, { image: 1 }],
    ["that are no numbers", { promptTokenCount: "many", candidatesTokenCount: -1 }, { image: 1 }],
  ])("%s", (_name, metadata, units) => {
    expect(unitsOf(metadata)).toEqual(units);
  });
});

/** docs/providers/gemini.md#native-requests: HTTP 200 without an image. */
describe("a refusal in the shape of a response", () => {
  it.each([
    [
      { promptFeedback: { blockReason: "PROHIBITED_CONTENT", safetyRatings: [] } },
      "PROHIBITED_CONTENT",
      "The prompt was blocked: PROHIBITED_CONTENT.",
    ],
    [
      { promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "The prompt is against our policy." } },
      "SAFETY",
      "The prompt is against our policy.",
    ],
    [
      {
        candidates: [{ finishReason: "IMAGE_SAFETY", finishMessage: "Unable to show the generated image.", index: 0 }],
      },
      "IMAGE_SAFETY",
      "Unable to show the generated image.",
    ],
    [
      { candidates: [{ finishReason: "NO_IMAGE", content: {} }] },
      "NO_IMAGE",
      "The model ended without a result: NO_IMAGE.",
    ],
    [response([{ text: "I cannot draw that." }]), "STOP", "I cannot draw that."],
    [{ predictions: [{ raiFilteredReason: "Filtered out." }] }, "IMAGE_SAFETY", "Filtered out."],
  ])("%j is bad input, in Google's words", (body, code, message) => {
    expect(images.fromResponse(body, prompted)).toBeNull();
    expect(errors.inResponse?.(body)).toMatchObject({ kind: "bad_request", status: 400, code, message });
  });

  it.each([null, "text", {}, { candidates: [] }, { candidates: [null] }, [{}]])("%j is invalid", (body) => {
    expect(images.fromResponse(body, prompted)).toBeNull();
    expect(errors.inResponse?.(body)).toBeNull();
  });
});

describe("Imagen", () => {
  const call = imagesCall({ model: "imagen-4.0-generate-001", prompt: "A cat", n: 2, size: "1024x1024" });

  it("predicts", () => {
    const wire = images.toRequest(call, "k");
    expect(wire.path).toBe("/v1beta/models/imagen-4.0-generate-001:predict");
    expect(bodyOf(wire)).toEqual({
      instances: [{ prompt: "A cat" }],
      parameters: { sampleCount: 2, aspectRatio: "1:1", sampleImageSize: "1K" },
    });
  });

  it("answers in OpenAI's shape", () => {
    const body = { predictions: [{ bytesBase64Encoded: PNG, mimeType: "image/png" }, { raiFilteredReason: "…" }] };
    expect(images.fromResponse(body, call)).toEqual({
      body: { data: [{ b64_json: PNG }] },
      images: [{ kind: "base64", data: PNG }],
      units: { image: 1 },
    });
  });
});
