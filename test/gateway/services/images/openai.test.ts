import { describe, expect, it } from "vitest";
import { OPENAI_ROUTE, deltaResponse } from "../../../support/image-acts.ts";
import { PROMPT, useDelta } from "./image-stages.ts";

const { wire, postern, asked, sent, refused } = useDelta();

describe("specification, POST /v1/images/generations: a GPT-style image family", () => {
  it.each([
    ["delta-image-2", "gpt-image-2"],
    ["delta-image-1.5", "gpt-image-1.5"],
    ["delta-image-1", "gpt-image-1"],
    ["gpt-image-1-mini", "gpt-image-1-mini"],
    ["gpt-image-2", "gpt-image-2"],
    ["epsilon-2", "dall-e-2"],
    ["epsilon-3", "dall-e-3"],
    ["dall-e-3", "dall-e-3"],
  ])("%s is %s at the provider", async (model, upstream) => {
    await sent({ model });
    const [seen] = asked();
    expect(seen?.json).toMatchObject({ model: upstream, prompt: PROMPT });
    expect(seen?.headers.authorization).toBe("Bearer sk-openai-0001");
  });

  it("the provider's response is passed on byte for byte", async () => {
    const body = JSON.stringify({ ...deltaResponse(), extra: { kept: 1.0 } }, null, 1);
    wire.on(OPENAI_ROUTE, (_seen, outgoing) => void outgoing.writeHead(200, { "openai-processing-ms": "7" }).end(body));
    const response = await postern.post("/images/generations", { model: "delta-image-1", prompt: PROMPT });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("openai-processing-ms")).toBe("7");
    expect(await response.text()).toBe(body);
  });

  it("every setting reaches the provider, and response_format never does", async () => {
    const settings = {
      n: 2,
      size: "1536x1024",
      quality: "low",
      background: "transparent",
      output_format: "webp",
      output_compression: 50,
      moderation: "low",
      user: "u-1",
      new_field: { kept: true },
    };
    expect(await sent({ model: "delta-image-1", ...settings, response_format: "url", style: "vivid" })).toEqual(
      settings,
    );
    expect(await sent({ model: "delta-image-1", response_format: "b64_json", size: null, n: null })).toEqual({});
  });

  it.each(["1024x1024", "16x16", "3840x2160", "2160x3840", "3840x1280", "1280x3840", "auto", "1008x336"])(
    "free-form sizes of delta-image-2: %s",
    async (size) => {
      expect(await sent({ model: "delta-image-2", size })).toEqual({ size });
    },
  );

  it.each([
    ["not a multiple of 16", "1000x1000"],
    ["longer than 3840", "3856x2160"],
    ["longer than 3:1", "3840x1264"],
    ["longer than 1:3", "1264x3840"],
    ["an asterisk", "1024*1024"],
    ["nothing", "0x0"],
    ["words", "2K"],
    ["one side", "1024"],
    ["three sides", "1024x1024x1024"],
    ["negative", "-16x16"],
    ["a number", 1024],
  ])("free-form sizes of delta-image-2: %s (%s) is refused", async (_why, size) => {
    expect(await refused({ model: "delta-image-2", size })).toMatchObject({ param: "size" });
  });

  it.each(["delta-image-1.5", "delta-image-1"])("%s makes three sizes", async (model) => {
    for (const size of ["auto", "1024x1024", "1536x1024", "1024x1536"])
      expect(await sent({ model, size })).toEqual({ size });
    const { message } = await refused({ model, size: "2048x2048" });
    expect(message).toContain("accepts auto, 1024x1024, 1536x1024, 1024x1536");
  });

  it.each([
    ["epsilon-2", ["256x256", "512x512", "1024x1024"], "1792x1024"],
    ["epsilon-3", ["1024x1024", "1792x1024", "1024x1792"], "512x512"],
  ])("%s makes %j", async (model, sizes, other) => {
    for (const size of sizes) expect(await sent({ model, size })).toMatchObject({ size });
    expect((await refused({ model, size: other })).message).toContain(sizes.join(", "));
    expect((await refused({ model, size: "auto" })).param).toBe("size");
  });

  it.each([
    ["delta-image-2", "auto", "auto"],
    ["delta-image-2", "low", "low"],
    ["delta-image-2", "medium", "medium"],
    ["delta-image-2", "high", "high"],
    ["delta-image-2", "standard", "medium"],
    ["delta-image-2", "hd", "high"],
    ["epsilon-3", "standard", "standard"],
    ["epsilon-3", "hd", "hd"],
    ["epsilon-3", "high", "hd"],
    ["epsilon-3", "auto", undefined],
    ["epsilon-2", "standard", undefined],
  ])("quality of %s: %s is %s", async (model, quality, upstream) => {
    expect((await sent({ model, quality }))["quality"]).toBe(upstream);
  });

  it("quality: others are refused with the model's own", async () => {
    expect(await refused({ model: "delta-image-1", quality: "ultra" })).toMatchObject({
      param: "quality",
      message: expect.stringContaining("auto, low, medium, high"),
    });
  });

  it("n: 1 to 10, one for epsilon-3", async () => {
    for (const model of ["delta-image-1", "epsilon-2"]) {
      for (const n of [1, 10]) expect(await sent({ model, n })).toMatchObject({ n });
      for (const n of [0, 11, -1, 1.5, "2"]) expect((await refused({ model, n })).param).toBe("n");
    }
    expect(await refused({ model: "epsilon-3", n: 2 })).toMatchObject({
      param: "n",
      message: expect.stringContaining("one image per call"),
    });
  });

  it.each([
    ["delta-image-2", 32_000],
    ["epsilon-3", 4_000],
    ["epsilon-2", 1_000],
  ])("prompt: %s takes %i characters", async (model, limit) => {
    await sent({ model, prompt: "🦊".repeat(limit) });
    expect(await refused({ model, prompt: "x".repeat(limit + 1) })).toMatchObject({
      param: "prompt",
      message: expect.stringContaining(String(limit)),
    });
  });

  it.each([undefined, null, "", "   ", 5, { text: "x" }])("prompt: %j is refused", async (prompt) => {
    expect((await refused({ model: "delta-image-1", prompt })).param).toBe("prompt");
  });

  it("background: transparent needs output_format png or webp", async () => {
    for (const output_format of [undefined, null, "png", "webp"])
      await sent({ model: "delta-image-1", background: "transparent", output_format });
    expect(await refused({ model: "delta-image-1", background: "transparent", output_format: "jpeg" })).toMatchObject({
      param: "background",
      message: expect.stringMatching(/png or webp/),
    });
    await sent({ model: "delta-image-1", background: "opaque", output_format: "jpeg" });
  });

  it.each([
    ["background", "blue"],
    ["output_format", "gif"],
    ["output_compression", 101],
    ["output_compression", -1],
    ["moderation", "none"],
    ["response_format", "png"],
    ["stream", "true"],
    ["partial_images", 4],
    ["user", 5],
  ])("%s: %j is refused", async (field, value) => {
    expect((await refused({ model: "delta-image-1", [field]: value })).param).toBe(field);
  });

  it("output_compression is for jpeg and webp, partial_images for streams", async () => {
    expect(await refused({ model: "delta-image-1", output_compression: 50 })).toMatchObject({
      param: "output_compression",
    });
    expect(await refused({ model: "delta-image-1", partial_images: 1 })).toMatchObject({ param: "partial_images" });
    expect(await sent({ model: "delta-image-1", output_compression: 100 })).toEqual({ output_compression: 100 });
  });
});

describe("dall-e", () => {
  it("answers with base64 unless an URL is asked for", async () => {
    expect(await sent({ model: "epsilon-2" })).toEqual({ response_format: "b64_json" });
    expect(await sent({ model: "epsilon-3", response_format: "url" })).toEqual({ response_format: "url" });
  });

  it("has styles in its third version only", async () => {
    expect(await sent({ model: "epsilon-3", style: "natural" })).toMatchObject({ style: "natural" });
    expect(await sent({ model: "epsilon-2", style: "natural" })).not.toHaveProperty("style");
    expect((await refused({ model: "epsilon-3", style: "baroque" })).param).toBe("style");
  });

  it.each([
    ["background", "transparent", "auto"],
    ["output_format", "webp", "png"],
    ["output_compression", 50, 100],
    ["stream", true, false],
  ])("does not have %s", async (field, unlike, like) => {
    expect(await refused({ model: "epsilon-3", [field]: unlike })).toMatchObject({ param: field });
    expect(await sent({ model: "epsilon-3", [field]: like })).toEqual({ response_format: "b64_json" });
  });
});
