import { describe, expect, it } from "vitest";
import { imageResultSchema } from "../../../../gateway/contract/images.ts";
import { OPENAI_ROUTE, PIXEL_BASE64, deltaResponse } from "../../../support/image-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { PROMPT, useDelta } from "./image-stages.ts";

const { wire, postern, sent } = useDelta();

describe("receipts", () => {
  it("gpt-image is billed by the tokens that it reports, distinguished", async () => {
    const usage = {
      total_tokens: 1_600,
      input_tokens: 544,
      output_tokens: 1_056,
      input_tokens_details: { text_tokens: 44, image_tokens: 500 },
    };
    wire.on(OPENAI_ROUTE, reply(200, { ...deltaResponse(), usage }));
    await sent({ model: "delta-image-1" });
    // $5 in, $10 image in, $40 image out, per million tokens.
    const nano = 44 * 5_000 + 500 * 10_000 + 1_056 * 40_000;
    expect(await postern.receipt()).toMatchObject({
      endpoint: "images",
      model: "delta-image-1",
      provider: "openai",
      outcome: "completed",
      estimated: false,
      nano,
      terms: [
        { unit: "input", quantity: 44 },
        { unit: "image_input", quantity: 500 },
        { unit: "image_output", quantity: 1_056 },
      ],
    });
  });

  it("is estimated from quality and size where tokens are not reported", async () => {
    const { usage: _, ...silent } = deltaResponse(2);
    wire.on(OPENAI_ROUTE, reply(200, silent));
    await sent({ model: "delta-image-1", n: 3, quality: "low", size: "1024x1536" });
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ estimated: true, outcome: "completed" });
    // Two came, of three.
    expect(receipt.terms).toMatchObject([{ unit: "input" }, { unit: "image_output", quantity: 2 * 408 }]);
  });

  it.each([
    ["epsilon-2", {}, 20],
    ["epsilon-2", { size: "1024x1024" }, 20],
    ["epsilon-2", { size: "512x512" }, 18],
    ["epsilon-2", { size: "256x256" }, 16],
    ["epsilon-3", {}, 40],
    ["epsilon-3", { size: "1024x1024", quality: "standard" }, 40],
    ["epsilon-3", { quality: "hd" }, 80],
    ["epsilon-3", { size: "1792x1024" }, 80],
    ["epsilon-3", { size: "1024x1792", quality: "standard" }, 80],
    ["epsilon-3", { size: "1792x1024", quality: "hd" }, 120],
    ["epsilon-3", { size: "1024x1792", quality: "high" }, 120],
  ])("%s with %j costs %i thousandths of a dollar an image", async (model, settings, thousandths) => {
    const count = model === "epsilon-2" ? 2 : 1;
    wire.on(
      OPENAI_ROUTE,
      reply(200, { created: 1, data: Array.from({ length: count }, () => ({ b64_json: PIXEL_BASE64 })) }),
    );
    const before = await postern.spentCents();
    await sent({ model, n: count, ...settings });
    const nano = count * thousandths * 1_000_000;
    expect(await postern.receipt()).toMatchObject({
      nano,
      estimated: false,
      terms: [{ unit: "image", quantity: count }],
    });
    expect((await postern.spentCents()) - before).toBeCloseTo(nano / 10_000_000, 9);
  });
});

describe("OpenAI's SDK", () => {
  it("images.generate", async () => {
    const result = await postern.sdk().images.generate({ model: "delta-image-2", prompt: PROMPT, size: "1024x1024" });
    expect(result.data?.[0]?.b64_json).toBe(PIXEL_BASE64);
    expect(result.usage?.output_tokens).toBe(4_160);
    expect(imageResultSchema().safeParse(result).success).toBe(true);
  });

  it("images.generate with an URL, which stays the provider's own", async () => {
    const url = `${wire.origin}/result.png?sig=a%2Fb`;
    wire.on(OPENAI_ROUTE, reply(200, { data: [{ url, revised_prompt: "A fox" }] }));
    const result = await postern.sdk().images.generate({ model: "dall-e-3", prompt: PROMPT, response_format: "url" });
    expect(result.data).toEqual([{ url, revised_prompt: "A fox" }]);
    // The provider left it out.
    expect(Math.abs(result.created - Date.now() / 1_000)).toBeLessThan(60);
  });
});
