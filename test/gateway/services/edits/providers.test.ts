import { beforeEach, describe, expect, it } from "vitest";
import { postForm } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { PIXEL_BASE64 } from "../../../support/image-acts.ts";
import { jpeg, png } from "../../../support/pictures.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Edits at providers that have a protocol of their own for them. */

const wire = useWire();
const postern = useGateway(() => ({
  env: {
    POSTERN_XAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_XAI_API_KEY: "xai-0001",
    POSTERN_GEMINI_BASE_URL: wire.origin,
    POSTERN_GEMINI_API_KEY: "AIza-0001",
  },
}));
beforeEach(() => wire.reset());

type Files = Parameters<typeof formOf>[1];
const IMAGE: Files = [["image", png()]];
const prompt = "Add a hat";

function edit(fields: Readonly<Record<string, string>>, files: Files = IMAGE): Promise<Response> {
  return postForm(postern, formOf({ prompt, ...fields }, files));
}

const posts = (): typeof wire.seen => wire.seen.filter(({ method }) => method === "POST");
const dataUrl = (bytes: Buffer, type: string): string => `data:${type};base64,${bytes.toString("base64")}`;

describe("xAI", () => {
  const ROUTE = "POST /v1/images/edits";
  const model = "grok-imagine-image";
  const RESPONSE = {
    data: [{ b64_json: PIXEL_BASE64, revised_prompt: "", respect_moderation: true, mime_type: "image/png" }],
    usage: { cost_in_usd_ticks: 200_000_000 },
  };

  it("is sent JSON: one picture as image, a ratio for a size", async () => {
    wire.on(ROUTE, reply(200, RESPONSE));
    const response = await edit({ model, size: "1536x1024", quality: "hd", n: "2", user: "u" });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        ...RESPONSE,
        created: expect.any(Number) as number,
        background: "auto",
        output_format: "png",
        quality: "hd",
        size: "1536x1024",
        usage: expect.objectContaining({ cost_in_usd_ticks: 200_000_000, total_tokens: 0 }) as object,
      },
    ]);
    expect(posts()[0]?.headers).toMatchObject({ authorization: "Bearer xai-0001", "content-type": "application/json" });
    expect(posts()[0]?.json).toEqual({
      model,
      prompt,
      n: 2,
      quality: "high",
      user: "u",
      response_format: "b64_json",
      aspect_ratio: "3:2",
      image: { url: dataUrl(png(), "image/png"), type: "image_url" },
    });
    expect(await postern.receipt()).toMatchObject({
      endpoint: "edits",
      provider: "xai",
      terms: [{ unit: "image", quantity: 1 }],
    });
  });

  it("is sent several as images, and addresses as they are", async () => {
    wire.on(ROUTE, reply(200, RESPONSE));
    await edit({ model }, [
      ["image[]", png()],
      ["image[]", jpeg()],
    ]);
    expect(posts()[0]?.json).toEqual({
      model,
      prompt,
      response_format: "b64_json",
      images: [
        { url: dataUrl(png(), "image/png"), type: "image_url" },
        { url: dataUrl(jpeg(), "image/jpeg"), type: "image_url" },
      ],
    });
    await postern.post("/images/edits", { model, prompt, images: ["https://example.com/a.png"] });
    expect(posts()[1]?.json).toMatchObject({ image: { url: "https://example.com/a.png", type: "image_url" } });
  });
});

describe("Gemini", () => {
  const model = "gemini-3-pro-image";
  const ROUTE = `POST /v1beta/models/${model}:generateContent`;
  const RESPONSE = {
    candidates: [
      {
        content: {
          role: "model",
          parts: [{ text: "Here it is." }, { inlineData: { mimeType: "image/png", data: PIXEL_BASE64 } }],
        },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 262,
      candidatesTokenCount: 1_120,
      totalTokenCount: 1_382,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 4 },
        { modality: "IMAGE", tokenCount: 258 },
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_120 }],
    },
  };

  it("is sent pictures as parts next to the text, and answers in the shape of the endpoint", async () => {
    wire.on(ROUTE, reply(200, RESPONSE));
    const response = await edit({ model, size: "1024x1536", quality: "high", user: "u", response_format: "b64_json" }, [
      ["image[]", png()],
      ["image[]", jpeg()],
    ]);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        created: expect.any(Number) as number,
        data: [{ b64_json: PIXEL_BASE64 }],
        background: "auto",
        output_format: "png",
        quality: "high",
        size: "1024x1536",
        usage: {
          total_tokens: 1_382,
          input_tokens: 262,
          output_tokens: 1_120,
          input_tokens_details: { text_tokens: 4, image_tokens: 258 },
          output_tokens_details: { text_tokens: 0, image_tokens: 1_120 },
        },
      },
    ]);
    expect(posts()[0]?.headers["x-goog-api-key"]).toBe("AIza-0001");
    expect(posts()[0]?.json).toEqual({
      contents: [
        {
          role: "user",
          parts: [
            { inlineData: { mimeType: "image/png", data: png().toString("base64") } },
            { inlineData: { mimeType: "image/jpeg", data: jpeg().toString("base64") } },
            { text: prompt },
          ],
        },
      ],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "2:3", imageSize: "1K" } },
    });
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ provider: "gemini", estimated: false });
    expect(receipt.terms.map(({ unit, quantity }) => [unit, quantity])).toEqual([
      ["input", 262],
      ["image_output", 1_120],
    ]);
  });

  it("that answers in words is a refusal in these words, and costs nothing", async () => {
    const words = "I cannot edit this picture.";
    wire.on(ROUTE, reply(200, { candidates: [{ content: { parts: [{ text: words }] }, finishReason: "NO_IMAGE" }] }));
    const response = await edit({ model });
    expect([response.status, (await errorOf(response)).message]).toEqual([400, words]);
    expect((await postern.receipt()).nano).toBe(0);
  });
});

const MASKED: Files = [
  ["image", png()],
  ["mask", png()],
];
it.each<[string, string, Readonly<Record<string, string>>, Files?, string?]>([
  ["grok-imagine-image", "a mask", {}, MASKED, "invalid_mask"],
  ["grok-imagine-image", "a stream", { stream: "true" }],
  ["grok-imagine-image", "a WebP", { output_format: "webp" }],
  ["gemini-3-pro-image", "a mask", {}, MASKED, "invalid_mask"],
  ["gemini-3-pro-image", "two pictures at once", { n: "2" }, IMAGE, "invalid_value"],
  ["gemini-3-pro-image", "a stream", { stream: "true" }],
])("%s takes no %s", async (model, _name, fields, files, code = "unsupported_value") => {
  const response = await edit({ model, ...fields }, files);
  expect([response.status, (await errorOf(response)).code]).toEqual([400, code]);
  expect(posts()).toEqual([]);
});

it.each([
  ["grok-imagine-image", { file_id: "file-1" }],
  ["gemini-3-pro-image", "https://example.com/a.png"],
])("%s does not fetch %j", async (model, image) => {
  const response = await postern.post("/images/edits", { model, prompt, images: [image] });
  const message = expect.stringMatching(/does not fetch/) as string;
  expect([response.status, (await errorOf(response)).message]).toEqual([400, message]);
});
