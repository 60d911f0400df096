import { expect, it } from "vitest";
import { ARK_ROUTE, useMedia, OTHER_KEY, imagesOf, inlineOf, kindsOf, textOf } from "../media/media-stage.ts";
import {
  GAMMA_ROUTE,
  OPENAI_ROUTE,
  PIXEL,
  PIXEL_BASE64,
  deltaResponse,
  gammaResponse,
  pixelFile,
} from "../../../support/image-acts.ts";
import { reply } from "../../../support/wire-provider.ts";

const media = useMedia();

const ASKED = { model: "delta-image-1", prompt: "A red fox in the snow" };

it("an image in base64 comes as itself, as a link, as facts and with its cost", async () => {
  media.wire.on(OPENAI_ROUTE, reply(200, deltaResponse(2)));
  const { response, receipt, kept } = await media.stage.response(media.generate, { ...ASKED, n: 2, quality: "high" });
  expect(kindsOf(response)).toEqual(["image", "image", "resource_link", "resource_link", "text"]);
  expect(inlineOf(response)).toEqual([PIXEL, PIXEL]);
  const [first] = imagesOf(response);
  expect(first).toMatchObject({
    media_id: kept[0],
    uri: `postern://media/${kept[0]}`,
    mime_type: "image/png",
    bytes: PIXEL.length,
    width: 1,
    height: 1,
    duration_seconds: null,
    inline: true,
  });
  expect(response.content[2]).toMatchObject({
    uri: `postern://media/${kept[0]}`,
    mimeType: "image/png",
    size: PIXEL.length,
    description: '1x1 image/png by delta-image-1: "A red fox in the snow"',
  });
  const link = new URL(first?.url ?? "");
  expect(link.origin).toBe("http://127.0.0.1:6174");
  await media.stage.services.media.checkLink(
    kept[0] ?? "",
    link.searchParams.get("expires") ?? "",
    link.searchParams.get("signature") ?? "",
  );
  expect(receipt?.nano).toBe(44 * 5_000 + 4_160 * 40_000);
  expect(response.structured).toMatchObject({ cost_usd: 0.16662, sandbox: false });
  expect(textOf(response)).toMatch(/Cost: \$0\.17 \(delta-image-1\)\.$/);
  expect(media.requests.map(({ json }) => json)).toEqual([
    { model: "gpt-image-1", prompt: ASKED.prompt, n: 2, quality: "high" },
  ]);
});

it("an image at DashScope's address is fetched, and comes as itself", async () => {
  const { origin } = media.wire;
  media.wire
    .on(GAMMA_ROUTE, reply(200, gammaResponse(`${origin}/results/a.png?Signature=x`)))
    .on("GET /results/a.png", pixelFile);
  const { response } = await media.stage.response(media.generate, {
    model: "gamma-image-2.0",
    prompt: "A red fox",
    aspect_ratio: "16:9",
  });
  expect(inlineOf(response)).toEqual([PIXEL]);
  expect(imagesOf(response)).toMatchObject([{ width: 1, inline: true }]);
  expect(response.structured).toMatchObject({ cost_usd: 0.035 });
  expect(textOf(response)).toContain("Cost: $0.04 (gamma-image-2.0)");
  expect(media.requests[0]?.json).toMatchObject({ parameters: { size: "1280*720" } });
});

it("a series at Ark's addresses comes in order", async () => {
  const { origin } = media.wire;
  const data = ["a", "b"].map((name) => ({ url: `${origin}/results/${name}.png` }));
  media.wire
    .on(ARK_ROUTE, reply(200, { model: "x", created: 1, data, usage: { generated_images: 2, output_tokens: 9 } }))
    .on("GET /results/a.png", pixelFile)
    .on("GET /results/b.png", pixelFile);
  const { response, kept } = await media.stage.response(media.generate, {
    model: "doubao-seedream-4-0-250828",
    prompt: "Two foxes",
    n: 2,
  });
  expect(imagesOf(response).map(({ media_id: id }) => id)).toEqual(kept);
  expect(kindsOf(response)).toEqual(["image", "image", "resource_link", "resource_link", "text"]);
});

it("delivery link leaves the bytes out", async () => {
  media.wire.on(OPENAI_ROUTE, reply(200, deltaResponse()));
  const { response } = await media.stage.response(media.generate, { ...ASKED, delivery: "link" });
  expect(kindsOf(response)).toEqual(["resource_link", "text"]);
  expect(imagesOf(response)).toMatchObject([{ inline: false, bytes: PIXEL.length }]);
  expect(media.requests[0]?.json).not.toHaveProperty("delivery");
});

it("a picture of the library goes to a model that looks at pictures, for the key that made it", async () => {
  const { origin } = media.wire;
  media.wire
    .on(OPENAI_ROUTE, reply(200, deltaResponse()))
    .on(GAMMA_ROUTE, reply(200, gammaResponse(`${origin}/results/b.png`)))
    .on("GET /results/b.png", pixelFile);
  const { kept } = await media.stage.response(media.generate, ASKED);
  const request = { model: "gamma-image-edit-plus", prompt: "Make it blue", images: [`postern://media/${kept[0]}`] };
  const { error } = await media.stage.call(media.generate, request, { key: OTHER_KEY });
  expect(error).toMatchObject({ code: "not_found", message: `There is no ${kept[0]} in the media library.` });
  await media.stage.response(media.generate, request);
  const content = [{ image: `data:image/png;base64,${PIXEL_BASE64}` }, { text: "Make it blue" }];
  expect(media.requests.map(({ json }) => json)).toMatchObject([
    {},
    { input: { messages: [{ role: "user", content }] } },
  ]);
});

it.each<[Record<string, unknown>, string, string | undefined]>([
  [{ prompt: "x" }, "missing_required_parameter", "model"],
  [{ ...ASKED, n: 11 }, "invalid_value", "n"],
  [{ ...ASKED, size: "2K" }, "unsupported_value", "size"],
  [{ ...ASKED, quality: "ultra" }, "unsupported_value", "quality"],
  [{ ...ASKED, background: "blue" }, "invalid_value", "background"],
  [{ ...ASKED, background: "transparent", output_format: "jpeg" }, "invalid_value", "background"],
  [{ ...ASKED, model: "gpt-4.1" }, "endpoint_model_mismatch", "model"],
  [{ ...ASKED, model: "gamma-image-2.0", n: 2 }, "invalid_value", "parameters.n"],
  [{ ...ASKED, model: "gamma-image-edit" }, "invalid_value", "input.messages[0].content"],
  [{ ...ASKED, aspect_ratio: "0:1" }, "invalid_value", "aspect_ratio"],
  [{ ...ASKED, aspect: "16:9" }, "unsupported_parameter", "aspect"],
  [{ ...ASKED, model: "gamma-image-edit", images: ["/etc/passwd"] }, "invalid_value", "images[0]"],
  [{ ...ASKED, model: "gamma-image-edit", images: ["http://10.0.0.1/a.png"] }, "invalid_value", "images[0]"],
  [{ ...ASKED, model: "gamma-image-edit", images: ["file:///etc/passwd"] }, "invalid_value", "images[0]"],
  [{ ...ASKED, model: "gamma-image-edit", images: ["postern://media/../x"] }, "invalid_value", "images[0]"],
  [{ ...ASKED, model: "gamma-image-edit", images: ["postern://media/media_nobody"] }, "not_found", undefined],
])("%j is refused as by /v1", async (args, code, param) => {
  const { error } = await media.stage.call(media.generate, args);
  expect([error?.code, error?.details.param]).toEqual([code, param]);
  expect(media.requests).toEqual([]);
});

it("a cancelled call is finished for the library and leaves one receipt", async () => {
  const caller = new AbortController();
  media.wire.on(OPENAI_ROUTE, (seen, outgoing) => {
    caller.abort();
    return reply(200, deltaResponse())(seen, outgoing);
  });
  const { receipt, requestId, kept } = await media.stage.call(media.generate, ASKED, { signal: caller.signal });
  const finished = { outcome: "cancelled", code: "client_closed", finished_for_library: true };
  expect(receipt).toMatchObject({ id: requestId, ...finished });
  expect([media.requests.length, kept.length]).toEqual([1, 1]);
});

it("a provider's error is the tool's", async () => {
  const refusal = { error: { message: "Your request was rejected by the safety system.", code: "moderation_blocked" } };
  media.wire.on(OPENAI_ROUTE, reply(400, refusal));
  const { error, receipt } = await media.stage.call(media.generate, ASKED);
  expect(error?.status).toBe(400);
  expect(error?.message).toContain("rejected by the safety system");
  expect(receipt).toMatchObject({ outcome: "failed", nano: 0 });
});

it("tells how long it takes", async () => {
  media.wire.on(OPENAI_ROUTE, reply(200, deltaResponse()));
  const { steps } = await media.stage.response(media.generate, ASKED, { progress: true });
  expect(steps).toEqual([{ progress: 0, message: "delta-image-1 draws: 0 s" }]);
});
