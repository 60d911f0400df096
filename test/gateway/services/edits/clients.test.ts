import { toFile } from "openai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EDIT_USAGE, deltaEdit, epsilonEdit, fieldsSeen, filesSeen, postForm } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { PIXEL, imageEvent } from "../../../support/image-acts.ts";
import { animatedPng, jpeg, png } from "../../../support/pictures.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { reply, replyEvents, type WireSeen } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const ROUTE = "POST /v1/images/edits";
const wire = useWire();
beforeAll(async () => {
  wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "mock-image", object: "model" }] }));
});
const postern = useGateway(() => ({ env: providersAt({ OPENAI: `${wire.origin}/v1` }) }));
beforeEach(() => {
  wire.reset();
  wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "mock-image", object: "model" }] }));
  wire.on(ROUTE, reply(200, deltaEdit()));
});

function onlySeen(): WireSeen {
  const [seen] = wire.seen;
  if (seen === undefined || wire.seen.length > 1) throw new Error(`${wire.seen.length} requests reached the provider`);
  return seen;
}

const dataUrl = (bytes: Buffer, type = "image/png"): string => `data:${type};base64,${bytes.toString("base64")}`;
const prompt = "Make it blue";

describe("the openai SDK", () => {
  it.each(["mock-image", "delta-image-2", "epsilon-2"])("edits one file with %s", async (model) => {
    const result = await postern.sdk().images.edit({ model, image: await toFile(PIXEL, "a.png"), prompt });
    expect(result.data?.[0]?.b64_json).toBe(png().toString("base64"));
    expect((await filesSeen(onlySeen()))[0]?.bytes.equals(PIXEL)).toBe(true);
  });

  it("edits several, with a mask and every setting", async () => {
    await postern.sdk().images.edit({
      model: "delta-image-2",
      image: [await toFile(png(), "a.png"), await toFile(jpeg(), "b.jpg")],
      mask: await toFile(png(), "mask.png"),
      prompt,
      n: 2,
      size: "1536x1024",
      quality: "high",
      background: "transparent",
      output_format: "webp",
      output_compression: 90,
      input_fidelity: "high",
      user: "user-1",
    });
    expect((await filesSeen(onlySeen())).map(({ field, name, type }) => [field, name, type])).toEqual([
      ["image[]", "a.png", "image/png"],
      ["image[]", "b.jpg", "image/jpeg"],
      ["mask", "mask.png", "image/png"],
    ]);
    expect(await fieldsSeen(onlySeen())).toEqual({
      model: "gpt-image-2",
      prompt,
      n: "2",
      size: "1536x1024",
      quality: "high",
      background: "transparent",
      output_format: "webp",
      output_compression: "90",
      input_fidelity: "high",
      user: "user-1",
    });
  });

  it("streams partial images", async () => {
    const settings = { b64_json: PIXEL.toString("base64"), created_at: 1, size: "1024x1024", quality: "high" };
    const partial = imageEvent({ type: "image_edit.partial_image", ...settings, partial_image_index: 0 });
    wire.on(ROUTE, replyEvents(partial, imageEvent({ type: "image_edit.completed", ...settings, usage: EDIT_USAGE })));
    const stream = await postern.sdk().images.edit({
      model: "delta-image-2",
      image: await toFile(png(), "a.png"),
      prompt,
      stream: true,
      partial_images: 1,
    });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["image_edit.partial_image", "image_edit.completed"]);
    expect(await fieldsSeen(onlySeen())).toMatchObject({ stream: "true", partial_images: "1" });
    expect(await postern.receipt()).toMatchObject({
      endpoint: "edits",
      stream: true,
      outcome: "completed",
      estimated: false,
    });
  });

  it("learns from an error what is wrong", async () => {
    const image = await toFile(png(), "a.png");
    const mask = await toFile(png({ width: 9 }), "mask.png");
    const error = await postern
      .sdk()
      .images.edit({ model: "delta-image-2", image, mask, prompt })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, code: "invalid_mask", param: "mask" });
  });
});

it("a form as the Vercel AI SDK sends it: files called blob, numbers as texts", async () => {
  wire.on(ROUTE, reply(200, epsilonEdit()));
  const form = formOf({ model: "mock-image", prompt, n: "1", response_format: "b64_json" }, [
    ["image", PIXEL],
    ["mask", PIXEL],
  ]);
  const response = await postForm(postern, form);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: [{ b64_json: expect.any(String) as string }] });
  expect(await fieldsSeen(onlySeen())).toEqual({ model: "mock-image", prompt, n: "1" });
  expect((await filesSeen(onlySeen())).map(({ field, name }) => [field, name])).toEqual([
    ["image", "blob.png"],
    ["mask", "blob.png"],
  ]);
});

describe("the JSON form", () => {
  it("with pictures inside is sent as a form, which every server takes", async () => {
    const response = await postern.post("/images/edits", {
      model: "delta-image-2",
      prompt,
      images: [{ image_url: dataUrl(png()) }, { image_url: dataUrl(jpeg(), "image/jpeg") }],
      mask: { image_url: dataUrl(png()) },
      n: 2,
      quality: "hd",
      metadata: { a: [1] },
    });
    expect(response.status).toBe(200);
    expect(
      (await filesSeen(onlySeen())).map(({ field, name, type, bytes }) => [field, name, type, bytes.length]),
    ).toEqual([
      ["image[]", "images.png", "image/png", png().length],
      ["image[]", "images.jpg", "image/jpeg", jpeg().length],
      ["mask", "mask.png", "image/png", png().length],
    ]);
    expect(await fieldsSeen(onlySeen())).toEqual({
      model: "gpt-image-2",
      prompt,
      n: "2",
      quality: "high",
      metadata: '{"a":[1]}',
    });
  });

  it.each([
    ["image as a text", { image: dataUrl(png()) }],
    ["image as a list of texts", { image: [dataUrl(png())] }],
    ["image as xAI has it", { image: { url: dataUrl(png()), type: "image_url" } }],
    ["images with a url inside", { images: [{ image_url: { url: dataUrl(png()) } }] }],
    ["images without a type of their own", { images: [`data:;base64,${png().toString("base64")}`] }],
  ])("may have %s", async (_name, pictures) => {
    expect((await postern.post("/images/edits", { model: "delta-image-2", prompt, ...pictures })).status).toBe(200);
    expect((await filesSeen(onlySeen()))[0]?.bytes.equals(png())).toBe(true);
  });

  it("with pictures that only the provider can see is sent as JSON, what we hold inside it", async () => {
    const response = await postern.post("/images/edits", {
      model: "delta-image-2",
      prompt,
      images: [{ image_url: "https://example.com/cat.png" }, { file_id: "file-1" }, { image_url: dataUrl(png()) }],
      mask: { file_id: "file-2" },
      response_format: "b64_json",
    });
    expect(response.status).toBe(200);
    expect(onlySeen().json).toEqual({
      model: "gpt-image-2",
      prompt,
      images: [{ image_url: "https://example.com/cat.png" }, { file_id: "file-1" }, { image_url: dataUrl(png()) }],
      mask: { file_id: "file-2" },
    });
  });

  it.each([
    ["no picture", {}, "image", /PNG, JPEG or WebP/],
    ["seventeen", { images: Array.from({ length: 17 }, () => dataUrl(png())) }, "image", /at most 16/],
    ["a picture that is none", { images: [dataUrl(Buffer.from("text"))] }, "images[0]", /PNG, JPEG or WebP/],
    ["an animated one", { images: [dataUrl(png()), dataUrl(animatedPng())] }, "images[1]", /animated/],
    ["an address without encryption", { images: ["http://example.com/cat.png"] }, "images[0]", /https/],
    ["an address of this machine's files", { images: ["file:///etc/passwd"] }, "images[0]", /https/],
    ["a picture of the wrong type", { images: [7] }, "images[0]", /https URL, or an object/],
    ["a mask of another size", { images: [dataUrl(png())], mask: dataUrl(png({ width: 9 })) }, "mask", /9x64.*64x64/],
    ["a number as a text", { images: [dataUrl(png())], n: "2" }, "n", /whole number/],
  ])("with %s: 400", async (_name, fields, param, words) => {
    const response = await postern.post("/images/edits", { model: "delta-image-2", prompt, ...fields });
    const error = await errorOf(response);
    expect([response.status, error.param, error.message]).toEqual([400, param, expect.stringMatching(words)]);
    expect(wire.seen).toEqual([]);
  });
});
