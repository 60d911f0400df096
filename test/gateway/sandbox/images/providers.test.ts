import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decoded } from "./decoded.ts";
import { RunningPainter, eventsOf } from "./running-painter.ts";

const painter = new RunningPainter();
beforeAll(() => painter.start());
afterAll(() => painter.close());

const prompt = "a red fox";

async function fileAt(url: string): Promise<string> {
  const file = await painter.get(url);
  const { width, height } = await decoded(file.bytes);
  return `${file.headers.get("content-type")} ${width}x${height}`;
}

describe("Qwen Image in the sandbox", () => {
  const PATH = "/dashscope/api/v1/services/aigc/multimodal-generation/generation";
  const ask = (model: string, content: readonly object[], parameters: object = {}) =>
    painter.post(PATH, { model, input: { messages: [{ role: "user", content }] }, parameters });

  it("names one file of the asked size", async () => {
    const { status, json } = await ask("qwen-image-max", [{ text: prompt }], { size: "1664*928" });
    expect([status, json]).toEqual([
      200,
      {
        output: {
          choices: [
            {
              finish_reason: "stop",
              message: { role: "assistant", content: [{ image: expect.any(String) as string }] },
            },
          ],
        },
        usage: { height: 928, image_count: 1, width: 1664 },
        request_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) as string,
      },
    ]);
    const [choice] = (json["output"] as { choices: { message: { content: { image: string }[] } }[] }).choices;
    expect(await fileAt(choice?.message.content[0]?.image ?? "")).toBe("image/png 1664x928");
  });

  it("makes several where the model does", async () => {
    const { json } = await ask("qwen-image-2.0", [{ text: prompt }], { n: 2 });
    expect(json["usage"]).toEqual({ height: 2048, image_count: 2, width: 2048 });
  });

  it("refuses a size that cannot be drawn in its own envelope", async () => {
    const { status, json } = await ask("qwen-image-max", [{ text: prompt }], { size: "20000*20000" });
    expect([status, Object.keys(json).toSorted(), json["code"]]).toEqual([
      400,
      ["code", "message", "request_id"],
      "InvalidParameter",
    ]);
  });
});

describe("Seedream in the sandbox", () => {
  const PATH = "/ark/api/v3/images/generations";
  const model = "doubao-seedream-4-0-250828";

  it.each([
    ["2K", "2048x2048"],
    ["1024x768", "1024x768"],
    [undefined, "2048x2048"],
  ])("of the size %s is %s", async (size, made) => {
    const { json } = await painter.post(PATH, { model, prompt, size });
    const [shown] = json["data"] as { url: string; size: string }[];
    expect(shown?.size).toBe(made);
    expect(await fileAt(shown?.url ?? "")).toBe(`image/jpeg ${made}`);
    expect(json).toMatchObject({ model, usage: { generated_images: 1 } });
  });

  it("makes a series, as base64, as PNG", async () => {
    const { json } = await painter.post(PATH, {
      model,
      prompt,
      size: "1K",
      response_format: "b64_json",
      output_format: "png",
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 3 },
    });
    const data = json["data"] as { b64_json: string }[];
    expect(data).toHaveLength(3);
    expect((await decoded(Buffer.from(data[2]?.b64_json ?? "", "base64"))).width).toBe(1024);
  });

  it("streams image by image", async () => {
    const events = eventsOf(await painter.post(PATH, { model, prompt, size: "1K", stream: true }));
    expect(events).toMatchObject([
      {
        type: "image_generation.partial_succeeded",
        image_index: 0,
        url: expect.any(String) as string,
        size: "1024x1024",
      },
      { type: "image_generation.completed", usage: { generated_images: 1 } },
    ]);
  });

  it.each([
    [{ size: "huge" }, 400, "InvalidParameter"],
    [{ prompt: "sandbox:error=429" }, 429, "ModelAccountRpmRateLimitExceeded"],
    [{ prompt: "sandbox:fail" }, 500, "InternalServiceError"],
    [{ model: "unknown" }, 404, "InvalidEndpointOrModel.NotFound"],
  ])("fails at %j in its own envelope", async (fields, status, code) => {
    const response = await painter.post(PATH, { model, prompt, ...fields });
    expect([response.status, response.json["error"]]).toEqual([
      status,
      expect.objectContaining({ code, message: expect.any(String) as string }),
    ]);
  });
});

describe("Gemini in the sandbox", () => {
  const path = (model = "gemini-3-pro-image"): string => `/gemini/v1beta/models/${model}:generateContent`;
  const ask = (text: string, generationConfig: object = {}, model?: string) =>
    painter.post(
      path(model),
      {
        contents: [{ role: "user", parts: [{ text }, { inlineData: { mimeType: "image/png", data: "AA==" } }] }],
        generationConfig,
      },
      "x-goog-api-key",
    );

  it("has no model whose id is no percent-encoding", async () => {
    expect(await ask(prompt, {}, "%zz")).toMatchObject({ status: 404, json: { error: { status: "NOT_FOUND" } } });
  });

  it.each([
    [{}, "1024x1024"],
    [{ imageConfig: { aspectRatio: "16:9", imageSize: "2K" } }, "2736x1536"],
    [{ imageConfig: { aspectRatio: "2:3" } }, "832x1248"],
  ])("draws by %j a part of %s", async (config, size) => {
    const { json } = await ask(prompt, config);
    const [candidate] = json["candidates"] as {
      content: { parts: { inlineData: { mimeType: string; data: string } }[] };
    }[];
    const { mimeType, data } = candidate?.content.parts[0]?.inlineData ?? { mimeType: "", data: "" };
    const { width, height } = await decoded(Buffer.from(data, "base64"));
    expect([mimeType, `${width}x${height}`]).toEqual(["image/png", size]);
    expect(json["usageMetadata"]).toMatchObject({
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
    });
  });

  it.each(["99:1", "wide"])("refuses the ratio %s", async (aspectRatio) => {
    const response = await ask(prompt, { imageConfig: { aspectRatio } });
    expect([response.status, response.json["error"]]).toMatchObject([400, { status: "INVALID_ARGUMENT" }]);
  });

  it.each([
    ["sandbox:error=429", undefined, 429, "RESOURCE_EXHAUSTED"],
    ["sandbox:error=503", undefined, 503, "UNAVAILABLE"],
    [prompt, "gemini-embedding-001", 404, "NOT_FOUND"],
  ])("answers %s with an error in its own envelope", async (text, model, status, word) => {
    const response = await ask(text, {}, model);
    expect([response.status, response.json["error"]]).toEqual([
      status,
      expect.objectContaining({ code: status, status: word }),
    ]);
  });
});

describe("Grok Imagine in the sandbox", () => {
  const model = "grok-imagine-image";
  const url = "data:image/png;base64,AAAA";

  it.each([
    ["/xai/v1/images/generations", {}],
    ["/xai/v1/images/edits", { image: { url, type: "image_url" } }],
  ])("%s names JPEG files of a ratio", async (path, fields) => {
    const { json } = await painter.post(path, { model, prompt, n: 2, aspect_ratio: "2:1", ...fields });
    const data = json["data"] as { url: string }[];
    expect(data).toHaveLength(2);
    expect(await fileAt(data[1]?.url ?? "")).toBe("image/jpeg 1456x720");
    expect(json["usage"]).toEqual({ cost_in_usd_ticks: 400_000_000 });
  });
});
