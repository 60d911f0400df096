import { describe, expect, it } from "vitest";
import { images } from "../../../../gateway/providers/dashscope/images.ts";
import type { ImagesCall } from "../../../../gateway/providers/images.ts";

function callFor(body: Readonly<Record<string, unknown>>): ImagesCall {
  return { raw: null, body, upstreamModel: "wan2.6-image", model: null, stream: false, bound: null };
}

function sent(body: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(String(images.toRequest(callFor(body), "sk-x").body));
}

const URL_A = "https://dashscope-result.example/a.png?Expires=1";

describe("a model that only DashScope lists", () => {
  it("takes the provider's own body, and nothing next to it", () => {
    const native = { input: { messages: [] }, parameters: { n: 4, size: "1K" } };
    expect(sent({ model: "alias", ...native, stream: true })).toEqual({ model: "wan2.6-image", ...native });
    expect(sent({ model: "alias", input: {} })).toEqual({ model: "wan2.6-image", input: {} });
  });

  it("takes the common shape too", () => {
    expect(
      sent({
        model: "x",
        prompt: "A fox",
        size: "1024x768",
        n: 2,
        seed: 5,
        quality: "hd",
        response_format: "b64_json",
      }),
    ).toEqual({
      model: "wan2.6-image",
      input: { messages: [{ role: "user", content: [{ text: "A fox" }] }] },
      parameters: { size: "1024*768", n: 2, seed: 5 },
    });
    expect(sent({ model: "x", prompt: "A fox", size: "auto" })).toMatchObject({ parameters: {} });
  });

  it("answers in the shape that it was asked in", () => {
    const document = {
      output: { choices: [{ finish_reason: "stop", message: { role: "assistant", content: [{ image: URL_A }] } }] },
      usage: { image_count: 1, size: "1280*1280" },
      request_id: "r",
    };
    expect(images.fromResponse(document, callFor({ prompt: "A fox" }))).toEqual({
      body: { data: [{ url: URL_A }] },
      images: [{ kind: "url", url: URL_A }],
      units: { image: 1 },
    });
    expect(images.fromResponse(document, callFor({ input: {} }))?.body).toEqual(document);
  });
});

it.each([
  null,
  "<html>",
  {},
  { output: {} },
  { output: { choices: [{ message: { content: "text" } }] } },
  { output: { choices: [{ message: { content: [{ text: "I cannot draw that." }, { image: "" }, null] } }] } },
])("a response without images is an error: %j", (document) => {
  expect(images.fromResponse(document, callFor({ input: {} }))).toBeNull();
});
