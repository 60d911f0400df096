import { describe, expect, it } from "vitest";
import { gammaImageResultSchema } from "../../../../gateway/contract/images.ts";
import { GAMMA_ROUTE, gammaResponse, gammaBody } from "../../../support/image-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGamma } from "./image-stages.ts";

const { wire, postern, fileUrl, sent, accepted } = useGamma();

it("a request reaches the provider in its own words, and its response comes back as it is", async () => {
  const response = await accepted(gammaBody("gamma-image-2.0", { seed: 7, watermark: true }));
  expect(response).toEqual(gammaResponse(fileUrl()));
  expect(gammaImageResultSchema().safeParse(response).success).toBe(true);
  const { headers, json } = sent();
  expect(json).toEqual({
    model: "qwen-image-2.0",
    input: { messages: [{ role: "user", content: [{ text: "A red fox in the snow" }] }] },
    parameters: { seed: 7, watermark: true, n: 1, size: "1024*1024" },
  });
  expect(headers).toMatchObject({ authorization: "Bearer sk-dashscope-0001", "content-type": "application/json" });
  expect(headers).not.toHaveProperty("x-dashscope-async");
  expect(headers.accept).toBe("application/json");
});

it("null is the same as not given, and unknown fields are no error", async () => {
  const nulls = { size: null, n: null, seed: null, watermark: null, negative_prompt: null, prompt_extend: null };
  await accepted({ ...gammaBody("gamma-image-2.0", { ...nulls, color_palette: ["red"] }), stream: false, user: "u" });
  expect(sent().json).toEqual({
    model: "qwen-image-2.0",
    input: { messages: [{ role: "user", content: [{ text: "A red fox in the snow" }] }] },
    parameters: { color_palette: ["red"], n: 1, size: "1024*1024" },
  });
});

describe("specification, Image result, multimodal image endpoint", () => {
  it("request_id, output.choices, usage: filled in where the provider left them out", async () => {
    const { output } = gammaResponse(fileUrl());
    wire.on(GAMMA_ROUTE, reply(200, { output }));
    const response = await accepted(gammaBody("gamma-image-2.0", { size: "1664*928" }));
    expect(response).toEqual({
      request_id: expect.stringMatching(/^req_/),
      output,
      usage: { image_count: 1, width: 1664, height: 928 },
    });
  });

  it("several images come in one content or in several choices, and all are counted and kept", async () => {
    const two = [{ image: fileUrl() }, { image: `${wire.origin}/result.png?b` }];
    for (const choices of [
      [{ finish_reason: "stop", message: { role: "assistant", content: two } }],
      two.map((image) => ({ finish_reason: "stop", message: { role: "assistant", content: [image] } })),
    ]) {
      wire.on(GAMMA_ROUTE, reply(200, { ...gammaResponse(fileUrl()), output: { choices } }));
      const response = await accepted(gammaBody("gamma-image-2.0"));
      expect(response["output"]).toEqual({ choices });
      expect((await postern.receipt()).terms).toMatchObject([{ unit: "image", quantity: 2 }]);
    }
  });
});

it("an unpriced image is counted, not free", async () => {
  await accepted(gammaBody("gamma-image-max"));
  expect(await postern.receipt()).toMatchObject({
    endpoint: "images",
    model: "gamma-image-max",
    provider: "dashscope",
    outcome: "completed",
    status: 200,
    nano: null,
    price: null,
    estimated: false,
    terms: [{ unit: "image", quantity: 1 }],
  });
});
