import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaPage } from "../../../../gateway/contract/media.ts";
import {
  GAMMA_ROUTE,
  OPENAI_ROUTE,
  deltaResponse,
  gammaResponse,
  gammaBody,
  pixelFile,
} from "../../../support/image-acts.ts";
import { png } from "../../../support/media-samples.ts";
import { KEY, startGateway, until, type TestGateway, providersAt } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

/** Enough for one image of high quality at delta-image-1 ($0.1664), and not for two. */
const LIMITED = "sk-test-limited-key-0002";
/** Enough for four images of dall-e-2, or two of dall-e-3. */
const SMALL = "sk-test-small-key-of-00003";

const wire = useWire();
let postern: TestGateway;
// Of its own for each test: keys are spent here.
beforeEach(async () => {
  wire.reset();
  wire.on(OPENAI_ROUTE, reply(200, deltaResponse())).on("GET /result.png", pixelFile);
  postern = await startGateway({
    keys: [
      { key: LIMITED, name: "limited", limit_usd: 0.2 },
      { key: SMALL, name: "small", limit_usd: 0.09 },
    ],
    env: providersAt({ OPENAI: `${wire.origin}/v1`, DASHSCOPE: wire.origin }),
  });
});
afterEach(() => postern.close());

const DELTA = { model: "delta-image-1", prompt: "A red fox", size: "1024x1024", quality: "high" } as const;
const ask = async (body: unknown, key = KEY): Promise<number> => {
  const response = await postern.post("/images/generations", body, key);
  await response.text();
  return response.status;
};

describe("an image is held before it is ordered", () => {
  it("by size, quality and count of what is billed by token", async () => {
    expect(await ask({ ...DELTA, n: 2 }, LIMITED)).toBe(402);
    expect(await ask({ ...DELTA, size: "1536x1024" }, LIMITED)).toBe(402);
    expect(await ask({ ...DELTA, size: "auto", quality: "auto" }, LIMITED)).toBe(402);
    expect(wire.seen).toEqual([]);
    expect(await ask({ ...DELTA, n: 4, quality: "medium" }, LIMITED)).toBe(200);
  });

  it("by the price of the variant", async () => {
    wire.on(OPENAI_ROUTE, reply(200, { created: 1, data: [{ b64_json: "AA==" }] }));
    const dalle = { model: "epsilon-3", prompt: "A red fox" };
    expect(await ask({ ...dalle, quality: "hd", size: "1792x1024" }, SMALL)).toBe(402);
    expect(await ask({ ...dalle, quality: "hd" }, SMALL)).toBe(200);
    expect(await ask({ model: "epsilon-2", prompt: "x", n: 1, size: "256x256" }, SMALL)).toBe(402);
  });
});

describe("who leaves while the provider draws", () => {
  beforeEach(() => postern.ask("PATCH", "/settings", { finish_cancelled_media: false }));

  it.each([
    ["delta-image-1", DELTA, { unit: "image_output", quantity: 4_160 }],
    ["epsilon-2", { model: "epsilon-2", prompt: "x", n: 2 }, { unit: "image", quantity: 2 }],
  ])("has ordered the images of %s, and the provider is informed", async (_model, body, term) => {
    let closed = false;
    wire.on(OPENAI_ROUTE, (_seen, outgoing) => void outgoing.on("close", () => (closed = true)));
    const leaving = new AbortController();
    const call = postern.post("/images/generations", body, KEY, {}, leaving.signal);
    await until(() => wire.seen.length === 1);
    leaving.abort();
    await expect(call).rejects.toThrow(/abort/);
    await until(() => closed);
    await until(async () => (await postern.receipts()).length > 0);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ outcome: "cancelled", status: 499, code: "client_closed", estimated: true });
    expect(receipt.terms).toContainEqual(expect.objectContaining(term));
  });
});

describe("results are kept", () => {
  it("from the provider's address, with what they came from", async () => {
    wire.on(GAMMA_ROUTE, reply(200, gammaResponse(`${wire.origin}/result.png?sig=1`)));
    await ask(gammaBody("gamma-image-2.0", { seed: 9, negative_prompt: "fog" }));
    const stored = async () => (await postern.ask<MediaPage>("GET", "/media")).data;
    await until(async () => (await stored()).length === 1);
    expect(await stored()).toMatchObject([
      {
        kind: "image",
        type: "image/png",
        origin: {
          request_id: (await postern.receipt()).id,
          endpoint: "images",
          model: "gamma-image-2.0",
          provider: "dashscope",
          prompt: "A red fox in the snow",
          parameters: { seed: 9, negative_prompt: "fog", size: "1024*1024", n: 1 },
          seed: 9,
          nano: 35_000_000,
        },
      },
    ]);
    // Fetched as anybody would: the provider's key is not for files.
    expect(wire.seen.find(({ method }) => method === "GET")?.headers).not.toHaveProperty("authorization");
  });

  it("each of several, and the response does not wait for them", async () => {
    const files: ServerResponse[] = [];
    wire.on("GET /result.png", (_seen, outgoing) => void files.push(outgoing));
    wire.on(GAMMA_ROUTE, reply(200, gammaResponse(`${wire.origin}/result.png`)));
    expect(await ask(gammaBody("gamma-image-2.0"))).toBe(200);
    await until(() => files.length === 1);
    files[0]?.destroy();
    wire.on(OPENAI_ROUTE, reply(200, { ...deltaResponse(1), data: [{ b64_json: PNG_A }, { b64_json: PNG_B }] }));
    expect(await ask({ ...DELTA, n: 2 })).toBe(200);
    await until(async () => (await postern.ask<MediaPage>("GET", "/media")).data.length === 2);
  });
});

const PNG_A = png(3, 2).toString("base64");
const PNG_B = `data:image/png;base64,${png(2, 3).toString("base64")}`;
