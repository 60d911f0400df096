import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gammaImageResultSchema } from "../../../../gateway/contract/images.ts";
import { GAMMA_ROUTE, gammaResponse, gammaBody, pixelFile } from "../../../support/image-acts.ts";
import { reply, type WireSeen } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
let fileUrl: string;
beforeAll(async () => {
  fileUrl = `${wire.origin}/result.png?Expires=1&Signature=x%2By`;
});
const postern = useGateway(() => ({
  env: { POSTERN_DASHSCOPE_BASE_URL: wire.origin, POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001" },
}));
beforeEach(() => {
  wire.reset();
  wire.on(GAMMA_ROUTE, reply(200, gammaResponse(fileUrl))).on("GET /result.png", pixelFile);
});

/** Calls that reached the provider; the library fetches results beside them. */
function asked(): readonly WireSeen[] {
  return wire.seen.filter(({ method }) => method === "POST");
}

/** The first of them. */
function sent(): WireSeen & { readonly json: Record<string, never> } {
  const [first] = asked();
  if (first === undefined) throw new Error("nothing reached the provider");
  return first as WireSeen & { readonly json: Record<string, never> };
}

async function accepted(body: unknown): Promise<Record<string, unknown>> {
  const response = await postern.post("/images/generations", body);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as Record<string, unknown>;
}

it("a request reaches the provider in its own words, and its response comes back as it is", async () => {
  const response = await accepted(gammaBody("gamma-image-2.0", { seed: 7, watermark: true }));
  expect(response).toEqual(gammaResponse(fileUrl));
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
    const { output } = gammaResponse(fileUrl);
    wire.on(GAMMA_ROUTE, reply(200, { output }));
    const response = await accepted(gammaBody("gamma-image-2.0", { size: "1664*928" }));
    expect(response).toEqual({
      request_id: expect.stringMatching(/^req_/),
      output,
      usage: { image_count: 1, width: 1664, height: 928 },
    });
  });

  it("several images come in one content or in several choices, and all are counted and kept", async () => {
    const two = [{ image: fileUrl }, { image: `${wire.origin}/result.png?b` }];
    for (const choices of [
      [{ finish_reason: "stop", message: { role: "assistant", content: two } }],
      two.map((image) => ({ finish_reason: "stop", message: { role: "assistant", content: [image] } })),
    ]) {
      wire.on(GAMMA_ROUTE, reply(200, { ...gammaResponse(fileUrl), output: { choices } }));
      const response = await accepted(gammaBody("gamma-image-2.0"));
      expect(response["output"]).toEqual({ choices });
      expect((await postern.receipt()).terms).toMatchObject([{ unit: "image", quantity: 2 }]);
    }
  });
});

it("an unpriced image is counted, not free", async () => {
  await accepted(gammaBody("gamma-image-2.0"));
  expect(await postern.receipt()).toMatchObject({
    endpoint: "images",
    model: "gamma-image-2.0",
    provider: "dashscope",
    outcome: "completed",
    status: 200,
    nano: null,
    price: null,
    estimated: false,
    terms: [{ unit: "image", quantity: 1 }],
  });
});
