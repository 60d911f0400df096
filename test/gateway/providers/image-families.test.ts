import { describe, expect, it } from "vitest";
import { findModel } from "../../../gateway/catalog/lookup.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { buildImageRequest } from "../../../gateway/providers/image-families.ts";
import type { ImageRequest } from "../../../gateway/core/images/image-request.ts";

/** A request of a model of the catalog, or of one that no one knows. */
function request(model: string, body: Readonly<Record<string, unknown>>): ImageRequest {
  return buildImageRequest({ model, ...body }, model, findModel(model)?.image ?? null);
}

/** The field at fault and the sentence. */
function refusal(model: string, body: Readonly<Record<string, unknown>>): { param: string; message: string } {
  try {
    request(model, body);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.status).toBe(400);
    return { param: error.details.param ?? "", message: error.message };
  }
  throw new Error("it was accepted");
}

const PROMPT = { prompt: "A red fox" };
const IMAGE = "https://example.com/fox.png";

it("never changes what it is given, and marks what it changes", () => {
  const requested = Object.freeze({ model: "delta-image-2", ...PROMPT, quality: "hd", response_format: "b64_json" });
  expect(request("delta-image-2", requested)).toMatchObject({ changed: true, body: { quality: "high" } });
  expect(request("delta-image-2", PROMPT)).toMatchObject({
    changed: false,
    body: { model: "delta-image-2", ...PROMPT },
  });
});

describe("Seedream", () => {
  const MODEL = "doubao-seedream-4-5-251128";

  it("takes Ark's own body", () => {
    const body = {
      ...PROMPT,
      image: [IMAGE, "data:image/png;base64,AAAA"],
      size: "2K",
      response_format: "url",
      watermark: true,
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 4 },
      stream: true,
      optimize_prompt_options: { mode: "standard" },
      output_format: "jpeg",
    };
    expect(request(MODEL, body)).toMatchObject({
      family: "seedream",
      body: { model: MODEL, ...body },
      changed: false,
      stream: true,
      count: 4,
      references: 2,
      size: "2K",
      parameters: { size: "2K", watermark: true },
    });
  });

  it.each([
    [{}, 1],
    [{ sequential_image_generation: "disabled" }, 1],
    [{ sequential_image_generation: "auto" }, 15],
    [{ sequential_image_generation: "auto", image: [IMAGE, IMAGE] }, 13],
    [{ sequential_image_generation: "auto", sequential_image_generation_options: { max_images: 3 } }, 3],
  ])("%j makes at most %i images", (settings, count) => {
    expect(request(MODEL, { ...PROMPT, ...settings }).count).toBe(count);
  });

  it.each(["1K", "2K", "3K", "4K", "2560x1440", "4096x4096", "3840x960"])("makes %s", (size) => {
    expect(request(MODEL, { ...PROMPT, size }).size).toBe(size);
  });

  it.each(["1024x1024", "8K", "4097x4096", "20000x1000", "2048*2048", "auto", ""])("does not make %j", (size) => {
    expect(refusal(MODEL, { ...PROMPT, size }).param).toBe("size");
  });

  it.each([
    ["prompt", undefined],
    ["image", "http://example.com/fox.png"],
    ["image", []],
    ["image", Array(15).fill(IMAGE)],
    ["watermark", "yes"],
    ["sequential_image_generation", "on"],
    ["sequential_image_generation_options.max_images", { max_images: 16 }],
    ["response_format", "png"],
    ["output_format", "webp"],
    ["guidance_scale", "7"],
  ])("refuses %s", (field, value) => {
    const [name = ""] = field.split(".");
    expect(refusal(MODEL, { ...PROMPT, [name]: value }).param.startsWith(name)).toBe(true);
  });

  it("says how several images are asked for, and drops n: 1, which Ark does not know", () => {
    expect(refusal(MODEL, { ...PROMPT, n: 3 }).message).toContain('"max_images": 3');
    expect(request(MODEL, { ...PROMPT, n: 1 })).toMatchObject({ changed: true, body: { model: MODEL, ...PROMPT } });
    expect(request(MODEL, { ...PROMPT, n: 1 }).body).not.toHaveProperty("n");
  });

  it("drops the settings that only the common shape has", () => {
    const common = {
      quality: "high",
      user: "u",
      background: "auto",
      moderation: "low",
      output_compression: 80,
      style: "vivid",
    };
    expect(request(MODEL, { ...PROMPT, ...common })).toMatchObject({ changed: true });
    expect(request(MODEL, { ...PROMPT, ...common }).body).toEqual({ model: MODEL, ...PROMPT });
  });

  it("leaves sizes of 3.0 to the provider, and has no references there", () => {
    expect(request("doubao-seedream-3-0-t2i-250415", { ...PROMPT, size: "512x512" }).size).toBe("512x512");
    expect(refusal("doubao-seedream-3-0-t2i-250415", { ...PROMPT, image: IMAGE })).toMatchObject({ param: "image" });
  });
});

describe("Gemini", () => {
  const MODEL = "gemini-3-pro-image";
  const contents = [
    {
      role: "user",
      parts: [{ text: "A red" }, { inlineData: { mimeType: "image/png", data: "AA" } }, { text: "fox" }],
    },
  ];

  it("takes its own contents untouched", () => {
    const body = {
      contents,
      generationConfig: {
        responseModalities: ["IMAGE"],
        seed: 7,
        imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
      },
      safetySettings: [],
    };
    expect(request(MODEL, body)).toMatchObject({
      family: "gemini",
      body: { model: MODEL, ...body },
      changed: false,
      count: 1,
      prompt: "A red\nfox",
      references: 1,
      size: "2K",
      seed: 7,
    });
  });

  it("takes a prompt", () => {
    expect(request(MODEL, { ...PROMPT, size: "1024x1024", n: 1, quality: "hd" })).toMatchObject({
      family: "gemini",
      prompt: PROMPT.prompt,
      count: 1,
      size: "1024x1024",
    });
  });

  it.each([
    ["prompt", {}],
    ["contents", { contents: [] }],
    ["contents", { contents: "A red fox" }],
    ["contents[0].parts", { contents: [{ role: "user", parts: [] }] }],
    ["contents[0].role", { contents: [{ role: "system", parts: [{ text: "x" }] }] }],
    ["generationConfig.imageConfig.imageSize", { contents, generationConfig: { imageConfig: { imageSize: "8K" } } }],
    [
      "generationConfig.imageConfig.aspectRatio",
      { contents, generationConfig: { imageConfig: { aspectRatio: "wide" } } },
    ],
    ["n", { ...PROMPT, n: 2 }],
    ["stream", { ...PROMPT, stream: true }],
    ["stream", { contents, stream: true }],
  ])("refuses a wrong %s", (param, body) => {
    expect(refusal(MODEL, body).param).toBe(param);
  });

  it("takes contents for a model that only Google lists", () => {
    expect(request("gemini-9-image", { contents })).toMatchObject({ family: "gemini", prompt: "A red\nfox" });
  });
});

describe("Grok", () => {
  const MODEL = "grok-imagine-image";

  it("takes xAI's own body", () => {
    const body = {
      ...PROMPT,
      n: 10,
      response_format: "b64_json",
      aspect_ratio: "19.5:9",
      resolution: "2k",
      quality: "low",
    };
    expect(request(MODEL, body)).toMatchObject({
      family: "grok",
      body: { model: MODEL, ...body },
      changed: false,
      count: 10,
    });
  });

  it("drops the settings that only the common shape has", () => {
    const common = { quality: "auto", background: "auto", moderation: "low", output_compression: 80, style: "vivid" };
    expect(request(MODEL, { ...PROMPT, ...common })).toMatchObject({ changed: true });
    expect(request(MODEL, { ...PROMPT, ...common }).body).toEqual({ model: MODEL, ...PROMPT });
  });

  it.each([
    ["prompt", ""],
    ["n", 11],
    ["aspect_ratio", "5:4"],
    ["resolution", "4k"],
    ["quality", "hd"],
    ["response_format", "png"],
    ["stream", true],
  ])("refuses %s %j", (field, value) => {
    expect(refusal(MODEL, { ...PROMPT, [field]: value }).param).toBe(field);
  });
});

describe("a provider's own input, for a model that only it lists", () => {
  it("passes, and is counted by what it asks for", () => {
    const body = { input: { messages: [] }, parameters: { n: 4, size: "1K", seed: 3 } };
    expect(request("wan2.6-image", body)).toMatchObject({
      family: null,
      changed: false,
      count: 4,
      size: "1K",
      seed: 3,
    });
    expect(request("wan2.6-image", { input: {} })).toMatchObject({ count: 1, size: null, seed: null });
  });
});
