import { describe, expect, it } from "vitest";
import { images as compatible } from "../../../../gateway/providers/openai-compatible/images.ts";
import { images } from "../../../../gateway/providers/openai/provider.ts";
import type { ImagesCall } from "../../../../gateway/providers/images.ts";

function callFor(
  upstreamModel: string,
  body: Readonly<Record<string, unknown>>,
  raw: Buffer | null = null,
): ImagesCall {
  return { raw, body: { model: upstreamModel, ...body }, upstreamModel, model: null, stream: false, bound: null };
}

describe("a request", () => {
  it("goes to /images/generations with the provider's key", () => {
    const wire = images.toRequest(callFor("gpt-image-2", { prompt: "x" }), "sk-openai");
    expect(wire).toMatchObject({
      method: "POST",
      path: "/images/generations",
      headers: { authorization: "Bearer sk-openai", "content-type": "application/json" },
    });
    expect(compatible.toRequest(callFor("x", {}), null).headers).not.toHaveProperty("authorization");
  });

  it("is the client's own bytes where nothing changes", () => {
    const raw = Buffer.from('{ "model": "gpt-image-2", "prompt": "x" }');
    expect(images.toRequest(callFor("gpt-image-2", { prompt: "x" }, raw), null).body).toBe(raw);
    expect(images.toRequest({ ...callFor("gpt-image-2", {}, raw), body: { model: "delta-image-2" } }, null).body).toBe(
      '{"model":"gpt-image-2"}',
    );
  });

  it.each([
    ["gpt-image-3", undefined],
    ["chatgpt-image-latest", undefined],
    ["dall-e-3", "url"],
    ["house-image", "url"],
  ])("response_format for %s, which the catalog need not know, is %s", (model, expected) => {
    const { body } = images.toRequest(callFor(model, { prompt: "x", response_format: "url" }), null);
    expect((JSON.parse(String(body)) as Record<string, unknown>)["response_format"]).toBe(expected);
  });
});

describe("a response", () => {
  const read = (body: unknown) => images.fromResponse(body, callFor("gpt-image-2", {}));

  it("is read for its images and tokens, and stays what it is", () => {
    const body = { data: [{ b64_json: "AA" }, { url: "https://x/y" }], usage: { input_tokens: 2, output_tokens: 3 } };
    const response = read(body);
    expect(response?.body).toBe(body);
    expect(response?.images).toEqual([
      { kind: "base64", data: "AA" },
      { kind: "url", url: "https://x/y" },
    ]);
    expect(response?.units).toEqual({ image: 2, input: 2, image_output: 3 });
  });

  it("without usage counts images alone", () => {
    expect(read({ data: [{ b64_json: "AA" }] })?.units).toEqual({ image: 1 });
  });

  it.each([null, "x", [], {}, { data: {} }, { data: [] }, { data: [null, {}, { b64_json: "" }, { url: 5 }] }])(
    "without images is an error: %j",
    (body) => {
      expect(read(body)).toBeNull();
    },
  );
});
