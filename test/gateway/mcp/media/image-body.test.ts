import { describe, expect, it } from "vitest";
import { buildImageRequest } from "../../../../gateway/providers/image-families.ts";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { createImageBody, type ImageWish } from "../../../../gateway/mcp/media/image-body.ts";

/** The tool's flat arguments in the shape of each family, and whether the family's own rules take it. */

const A = "https://pictures.example/a.png";
const B = "data:image/png;base64,AAAA";

function wish(model: string, changes: Partial<ImageWish> = {}): ImageWish {
  return {
    model,
    prompt: "A red fox",
    images: [],
    n: undefined,
    size: undefined,
    aspectRatio: undefined,
    resolution: undefined,
    settings: {},
    ...changes,
  };
}

const gamma = (content: readonly object[], parameters: object): object => ({
  input: { messages: [{ role: "user", content }] },
  parameters,
});
const TEXT = { text: "A red fox" };

describe("every family takes the same arguments", () => {
  it.each<[string, Partial<ImageWish>, object]>([
    ["delta-image-1", {}, {}],
    [
      "delta-image-1",
      { n: 2, size: "1536x1024", settings: { quality: "low" } },
      { n: 2, size: "1536x1024", quality: "low" },
    ],
    ["delta-image-1", { aspectRatio: "16:9" }, { size: "1536x1024" }],
    ["delta-image-1", { aspectRatio: "1:1" }, { size: "1024x1024" }],
    ["delta-image-2", { aspectRatio: "16:9" }, { size: "1360x752" }],
    ["delta-image-2", { resolution: "2k" }, { size: "2048x2048" }],
    ["delta-image-2", { aspectRatio: "16:9", resolution: "4k" }, { size: "3840x2160" }],
    ["gpt-image-2", { aspectRatio: "9:16" }, { size: "752x1360" }],
    ["epsilon-2", { aspectRatio: "1:1" }, { size: "1024x1024" }],
    ["epsilon-3", { aspectRatio: "9:16" }, { size: "1024x1792" }],
    ["gamma-image-2.0", {}, gamma([TEXT], {})],
    [
      "gamma-image-2.0",
      { size: "1280x720", n: 1, settings: { seed: 7, negative_prompt: "rain", watermark: true, quality: "high" } },
      gamma([TEXT], { seed: 7, negative_prompt: "rain", watermark: true, n: 1, size: "1280*720" }),
    ],
    ["gamma-image-2.0", { aspectRatio: "16:9" }, gamma([TEXT], { size: "1280*720" })],
    ["gamma-image-2.0", { aspectRatio: "1:1" }, gamma([TEXT], { size: "1024*1024" })],
    ["gamma-image-2.0", { size: "auto" }, gamma([TEXT], {})],
    ["gamma-image-edit-plus", { images: [A, B] }, gamma([{ image: A }, { image: B }, TEXT], {})],
    ["gamma-image-edit", { images: [A], aspectRatio: "1:1" }, gamma([{ image: A }, TEXT], { size: "1024*1024" })],
    ["gemini-3-pro-image", { resolution: "2k" }, { size: "2K" }],
    ["gemini-3-pro-image", { aspectRatio: "16:9", resolution: "4k" }, { size: "5456x3069" }],
    ["gemini-2.5-flash-image", { aspectRatio: "2:3", settings: { seed: 3 } }, { size: "836x1254", seed: 3 }],
    ["doubao-seedream-4-5-251128", { images: [A], settings: { watermark: false } }, { image: A, watermark: false }],
    ["seedream-4-0-250828", { images: [A, B], resolution: "4k" }, { image: [A, B], size: "4K" }],
    ["doubao-seedream-4-5-251128", { aspectRatio: "16:9" }, { size: "2720x1530" }],
    [
      "doubao-seedream-4-0-250828",
      { n: 3 },
      { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: 3 } },
    ],
    [
      "grok-imagine-image",
      { aspectRatio: "19.5:9", resolution: "2k", n: 2 },
      { aspect_ratio: "19.5:9", resolution: "2k", n: 2 },
    ],
    ["somebodys-flux", { aspectRatio: "16:9", settings: { steps: 4 } }, { aspect_ratio: "16:9", steps: 4 }],
    ["openrouter/gpt-image-1", { aspectRatio: "2:3" }, { size: "1024x1536" }],
  ])("%s %j", (model, changes, expected) => {
    const body = createImageBody(wish(model, changes));
    const prompt = "input" in expected ? {} : { prompt: "A red fox" };
    expect(body).toEqual({ model, ...prompt, ...expected });
    const rules = findModel(model)?.image ?? null;
    expect(buildImageRequest(body, model, rules)).toMatchObject({ prompt: "A red fox", count: changes.n ?? 1 });
  });

  it.each<[string, Partial<ImageWish>, string, string]>([
    ["delta-image-2", { size: "1024x1024", aspectRatio: "1:1" }, "invalid_value", "aspect_ratio"],
    ["gemini-3-pro-image", { size: "1K", resolution: "1k" }, "invalid_value", "resolution"],
    ["delta-image-1", { resolution: "4k" }, "unsupported_value", "resolution"],
    ["gamma-image-2.0", { resolution: "2k" }, "unsupported_value", "resolution"],
    ["delta-image-2", { images: [A] }, "unsupported_parameter", "images"],
    ["gemini-3-pro-image", { images: [A] }, "unsupported_parameter", "images"],
    ["grok-imagine-image", { images: [A] }, "unsupported_parameter", "images"],
    ["somebodys-flux", { images: [A] }, "unsupported_parameter", "images"],
  ])("%s does not take %j", (model, changes, code, param) => {
    let thrown: unknown = null;
    try {
      createImageBody(wish(model, changes));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(GatewayError);
    expect(thrown).toMatchObject({ code, details: { param } });
  });
});
