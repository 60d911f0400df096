import { afterEach, describe, expect, it } from "vitest";
import { errorOf } from "../../support/running-gateway.ts";
import { TestClock } from "../../support/test-clock.ts";
import { reply, replyEvents } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

const wire = useWire();
const clock = new TestClock();

const postern = useGateway(() => ({
  clock,
  env: {
    POSTERN_GEMINI_BASE_URL: `${wire.origin}/google/v1beta`,
    POSTERN_GEMINI_API_KEY: "AIza-provider-key",
    POSTERN_ARK_BASE_URL: wire.origin,
    POSTERN_ARK_API_KEY: "ark-provider-key",
    POSTERN_XAI_BASE_URL: `${wire.origin}/xai`,
    POSTERN_XAI_API_KEY: "xai-provider-key",
  },
}));
afterEach(() => {
  wire.reset();
  clock.advance(10 * 60_000);
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const make = (body: object): Promise<Response> => postern.post("/images/generations", body);
const unitsOf = async (): Promise<object> =>
  Object.fromEntries((await postern.receipt()).terms.map(({ unit, quantity }) => [unit, quantity]));

describe("Gemini", () => {
  const MODEL = "gemini-2.5-flash-image";
  const GENERATE = `POST /google/v1beta/models/${MODEL}:generateContent`;
  const RESPONSE = {
    candidates: [
      {
        content: { role: "model", parts: [{ inlineData: { mimeType: "image/png", data: PNG } }] },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 9,
      candidatesTokenCount: 1_290,
      totalTokenCount: 1_299,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
    },
    modelVersion: MODEL,
  };

  it("draws for a client that sends a prompt, at $0.039 an image", async () => {
    wire.on(GENERATE, reply(200, RESPONSE));
    const response = await make({ model: MODEL, prompt: "A cat", size: "1536x1024" });
    expect(await response.json()).toMatchObject({ data: [{ b64_json: PNG }], usage: { output_tokens: 1_290 } });
    expect(wire.seen[0]?.json).toEqual({
      contents: [{ role: "user", parts: [{ text: "A cat" }] }],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "3:2" } },
    });
    expect(wire.seen[0]?.headers["x-goog-api-key"]).toBe("AIza-provider-key");
    expect(wire.seen[0]?.headers).not.toHaveProperty("authorization");
    expect(await unitsOf()).toEqual({ input: 9, image_output: 1_290 });
    expect((await postern.receipt()).nano).toBe(2_700 + 38_700_000);
  });

  it("refuses a prompt in Google's words, once, and nothing is billed", async () => {
    wire.on(GENERATE, reply(200, { promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "Against policy." } }));
    const response = await make({ model: MODEL, prompt: "x" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      message: "Against policy.",
      type: "invalid_request_error",
      code: "SAFETY",
    });
    expect(wire.seen).toHaveLength(1);
    expect(await unitsOf()).toEqual({});
  });
});

describe("Ark", () => {
  const MODEL = "doubao-seedream-4-0-250828";
  const GENERATE = "POST /api/v3/images/generations";
  const BODY = {
    model: MODEL,
    prompt: "A cat",
    image: `data:image/png;base64,${PNG}`,
    response_format: "b64_json",
    watermark: false,
  };

  it("streams a series", async () => {
    const event = (type: string, more: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, model: MODEL, created: 1, ...more })}\n\n`;
    const frames = [
      event("image_generation.partial_succeeded", { image_index: 0, b64_json: PNG, size: "2048x2048" }),
      event("image_generation.partial_failed", {
        image_index: 1,
        error: { code: "OutputImageSensitiveContentDetected" },
      }),
      event("image_generation.completed", { usage: { generated_images: 1, output_tokens: 16_280 } }),
    ];
    wire.on(GENERATE, replyEvents(...frames, "data: [DONE]\n\n"));
    const response = await make({ ...BODY, stream: true, sequential_image_generation: "auto" });
    const text = await response.text();
    for (const frame of frames) expect(text).toContain(frame);
    expect(await unitsOf()).toMatchObject({ image: 1 });
    expect((await postern.receipt()).outcome).toBe("completed");
  });
});

describe("xAI", () => {
  const MODEL = "grok-imagine-image";
  const GENERATE = "POST /xai/v1/images/generations";

  it("draws, and says what the common shape promises next to its own response", async () => {
    const body = {
      data: [{ b64_json: PNG, revised_prompt: "", respect_moderation: true, mime_type: "image/png" }],
      usage: { cost_in_usd_ticks: 200_000_000 },
    };
    wire.on(GENERATE, reply(200, body));
    const response = await make({ model: MODEL, prompt: "A cat", size: "1024x1792", response_format: "b64_json" });
    expect(await response.json()).toEqual({ created: expect.any(Number), ...body });
    expect(wire.seen[0]?.json).toEqual({
      model: MODEL,
      prompt: "A cat",
      response_format: "b64_json",
      aspect_ratio: "9:16",
      resolution: "1k",
    });
    expect(wire.seen[0]?.headers.authorization).toBe("Bearer xai-provider-key");
    expect(await unitsOf()).toEqual({ image: 1 });
  });
});
