import { describe, expect, it } from "vitest";
import { OPENAI_ROUTE, deltaResponse } from "../../../support/image-acts.ts";
import { PROMPT, useDelta } from "./image-stages.ts";

type Body = Readonly<Record<string, unknown>>;
type Taken = [row: string, body: Body, expected?: Body];

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

  const DELTA = "delta-image-1";
  const EPSILON_2 = { model: "epsilon-2", response_format: "b64_json" };
  const EPSILON_3 = { model: "epsilon-3", response_format: "b64_json" };
  it.each<Taken>([
    ...["1024x1024", "16x16", "3840x2160", "2160x3840", "3840x1280", "1280x3840", "auto", "1008x336"].map(
      (size): [string, Body] => ["free-form sizes", { model: "delta-image-2", size }],
    ),
    ...["delta-image-1.5", DELTA].flatMap((model) =>
      ["auto", "1024x1024", "1536x1024", "1024x1536"].map((size): [string, Body] => ["size", { model, size }]),
    ),
    ...["256x256", "512x512", "1024x1024"].map((size): [string, Body] => ["size", { ...EPSILON_2, size }]),
    ...["1024x1024", "1792x1024", "1024x1792"].map((size): [string, Body] => ["size", { ...EPSILON_3, size }]),
    ...["auto", "low", "medium", "high"].map((quality): [string, Body] => ["quality", { model: DELTA, quality }]),
    ["quality", { model: DELTA, quality: "standard" }, { quality: "medium" }],
    ["quality", { model: DELTA, quality: "hd" }, { quality: "high" }],
    ["quality", { ...EPSILON_3, quality: "standard" }],
    ["quality", { ...EPSILON_3, quality: "hd" }],
    ["quality", { ...EPSILON_3, quality: "high" }, { response_format: "b64_json", quality: "hd" }],
    ["quality", { ...EPSILON_3, quality: "auto" }, { response_format: "b64_json" }],
    ["quality", { ...EPSILON_2, quality: "standard" }, { response_format: "b64_json" }],
    ["n", { model: DELTA, n: 1 }],
    ["n", { model: DELTA, n: 10 }],
    ["n", { ...EPSILON_2, n: 10 }],
    ["background", { model: DELTA, background: "transparent" }],
    ["background", { model: DELTA, background: "transparent", output_format: "png" }],
    ["background", { model: DELTA, background: "transparent", output_format: "webp" }],
    ["background", { model: DELTA, background: "opaque", output_format: "jpeg" }],
    ["output_compression", { model: DELTA, output_compression: 100 }],
    ["response_format", { model: "epsilon-2" }, { response_format: "b64_json" }],
    ["response_format", { model: "epsilon-3", response_format: "url" }],
    ["style", { ...EPSILON_3, style: "natural" }],
    ["style", { ...EPSILON_2, style: "natural" }, { response_format: "b64_json" }],
    ...[{ background: "auto" }, { output_format: "png" }, { output_compression: 100 }, { stream: false }].map(
      (usual): Taken => ["what dall-e has not", { ...EPSILON_3, ...usual }, { response_format: "b64_json" }],
    ),
  ])("%s: %j reaches the provider as it should", async (_row, body, expected) => {
    const { model: _model, ...same } = body;
    expect(await sent(body)).toEqual(expected ?? same);
  });

  it.each<[string, Body, RegExp?]>([
    ...["1000x1000", "3856x2160", "3840x1264", "1264x3840", "1024*1024", "0x0", "2K", "1024", "1024x1024x1024"].map(
      (size): [string, Body] => ["size", { model: "delta-image-2", size }],
    ),
    ["size", { model: "delta-image-2", size: "-16x16" }],
    ["size", { model: "delta-image-2", size: 1024 }],
    ["size", { model: "delta-image-1.5", size: "2048x2048" }, /accepts auto, 1024x1024, 1536x1024, 1024x1536/],
    ["size", { model: DELTA, size: "2048x2048" }, /accepts auto, 1024x1024, 1536x1024, 1024x1536/],
    ["size", { model: "epsilon-2", size: "1792x1024" }, /256x256, 512x512, 1024x1024/],
    ["size", { model: "epsilon-3", size: "512x512" }, /1024x1024, 1792x1024, 1024x1792/],
    ["size", { model: "epsilon-2", size: "auto" }],
    ["quality", { model: DELTA, quality: "ultra" }, /auto, low, medium, high/],
    ...[0, 11, -1, 1.5, "2"].flatMap((n): [string, Body][] => [
      ["n", { model: DELTA, n }],
      ["n", { model: "epsilon-2", n }],
    ]),
    ["n", { model: "epsilon-3", n: 2 }, /one image per call/],
    ...[undefined, null, "", "   ", 5, { text: "x" }].map((prompt): [string, Body] => [
      "prompt",
      { model: DELTA, prompt },
    ]),
    ["background", { model: DELTA, background: "transparent", output_format: "jpeg" }, /png or webp/],
    ["background", { model: DELTA, background: "blue" }],
    ["output_format", { model: DELTA, output_format: "gif" }],
    ["output_compression", { model: DELTA, output_compression: 101 }],
    ["output_compression", { model: DELTA, output_compression: -1 }],
    ["output_compression", { model: DELTA, output_compression: 50 }],
    ["moderation", { model: DELTA, moderation: "none" }],
    ["response_format", { model: DELTA, response_format: "png" }],
    ["stream", { model: DELTA, stream: "true" }],
    ["partial_images", { model: DELTA, partial_images: 4 }],
    ["partial_images", { model: DELTA, partial_images: 1 }],
    ["user", { model: DELTA, user: 5 }],
    ["style", { model: "epsilon-3", style: "baroque" }],
    ["background", { model: "epsilon-3", background: "transparent" }],
    ["output_format", { model: "epsilon-3", output_format: "webp" }],
    ["output_compression", { model: "epsilon-3", output_compression: 50 }],
    ["stream", { model: "epsilon-3", stream: true }],
  ])("%s: 400 for %j", async (param, body, words = /./) => {
    expect(await refused(body)).toMatchObject({ param, message: expect.stringMatching(words) });
  });

  it.each([
    ["delta-image-2", 32_000],
    ["epsilon-3", 4_000],
    ["epsilon-2", 1_000],
  ])("prompt: %s takes %i characters", async (model, limit) => {
    await sent({ model, prompt: "🦊".repeat(limit) });
    const message = expect.stringContaining(String(limit)) as string;
    expect(await refused({ model, prompt: "x".repeat(limit + 1) })).toMatchObject({ param: "prompt", message });
  });
});
