import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formOf } from "../../../support/forms.ts";
import { png } from "../../../support/pictures.ts";
import { decoded } from "./decoded.ts";
import { RunningPainter, eventsOf, type Sent } from "./running-painter.ts";

const painter = new RunningPainter();
beforeAll(() => painter.start());
afterAll(() => painter.close());

const MAKE = "/openai/v1/images/generations";
const EDIT = "/openai/v1/images/edits";
const prompt = "a red fox";

type Shown = { b64_json?: string; url?: string; revised_prompt?: string };
const shownIn = ({ json }: Sent): readonly Shown[] => json["data"] as Shown[];
const pictureIn = (shown: Shown | undefined): Buffer => Buffer.from(shown?.b64_json ?? "", "base64");

function edit(
  fields: Readonly<Record<string, string>> = {},
  files: Parameters<typeof formOf>[1] = [["image", png()]],
): Promise<Sent> {
  return painter.post(EDIT, formOf({ model: "gpt-image-2", prompt, ...fields }, files));
}

describe("gpt-image in the sandbox", () => {
  it.each([
    ["1024x1024", "png"],
    ["1536x1024", "jpeg"],
    ["1024x1536", "webp"],
    ["3840x1280", "png"],
  ])("draws %s as %s", async (size, format) => {
    const response = await painter.post(MAKE, { model: "gpt-image-2", prompt, size, output_format: format });
    expect(response.json).toMatchObject({ size, output_format: format, quality: "high", background: "opaque" });
    const picture = await decoded(pictureIn(shownIn(response)[0]));
    expect(`${picture.width}x${picture.height}`).toBe(size);
  });

  it("draws n different pictures, and the same ones for the same request", async () => {
    const body = { model: "gpt-image-1", prompt, n: 3 };
    const first = await painter.post(MAKE, body);
    expect(new Set(shownIn(first).map(({ b64_json: data }) => data)).size).toBe(3);
    expect((await painter.post(MAKE, body)).bytes.equals(first.bytes)).toBe(true);
  });

  it("counts tokens by quality, size and number", async () => {
    const { json } = await painter.post(MAKE, {
      model: "gpt-image-1",
      prompt,
      n: 2,
      quality: "low",
      size: "1024x1536",
    });
    expect(json["usage"]).toMatchObject({
      output_tokens: 2 * 408,
      output_tokens_details: { text_tokens: 0, image_tokens: 816 },
    });
  });

  it("leaves the background out when asked to", async () => {
    const response = await painter.post(MAKE, { model: "gpt-image-1", prompt, background: "transparent" });
    expect((await decoded(pictureIn(shownIn(response)[0]))).at(0, 0)[3]).toBe(0);
  });

  it("streams partial images, then the completed one", async () => {
    const response = await painter.post(MAKE, { model: "gpt-image-1", prompt, stream: true, partial_images: 2 });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const events = eventsOf(response);
    expect(events.map(({ type, partial_image_index: index }) => [type, index])).toEqual([
      ["image_generation.partial_image", 0],
      ["image_generation.partial_image", 1],
      ["image_generation.completed", undefined],
    ]);
    expect(events[2]).toMatchObject({ usage: { total_tokens: expect.any(Number) as number }, size: "1024x1024" });
    for (const event of events) await decoded(pictureIn(event));
  });

  it.each([MAKE, EDIT])("knows models that draw only: %s", async (path) => {
    const response = await painter.post(path, { model: "gpt-4.1", prompt, images: [{ file_id: "file-1" }] });
    expect(response.status).toBe(404);
  });
});

describe("dall-e in the sandbox", () => {
  it("names a file that anybody may fetch, and that is what it says", async () => {
    const response = await painter.post(MAKE, { model: "dall-e-3", prompt, size: "1792x1024" });
    const [shown] = shownIn(response);
    expect(response.json).toEqual({
      created: expect.any(Number) as number,
      data: [{ url: expect.any(String) as string, revised_prompt: expect.stringContaining("sandbox") as string }],
    });
    expect(shown?.url?.startsWith(`${painter.origin}/openai/`)).toBe(true);
    const file = await painter.get(shown?.url ?? "");
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
    const { width, height } = await decoded(file.bytes);
    expect([width, height]).toEqual([1792, 1024]);
  });

  it("gives the same picture as base64", async () => {
    const response = await painter.post(MAKE, {
      model: "dall-e-2",
      prompt,
      size: "256x256",
      response_format: "b64_json",
    });
    expect((await decoded(pictureIn(shownIn(response)[0]))).width).toBe(256);
  });

  it.each([
    "nothing.png",
    `${"0".repeat(32)}-99999x99999.png`,
    `${"0".repeat(32)}-0x1.png`,
    `${"0".repeat(32)}-8x8.gif`,
  ])("has no file called %s", async (name) => {
    expect((await painter.get(`${painter.origin}/openai/results/images/${name}`)).status).toBe(404);
  });
});

describe("edits in the sandbox", () => {
  it("count the pictures that they look at, and are the same whatever the boundary", async () => {
    const files: Parameters<typeof formOf>[1] = [
      ["image[]", png()],
      ["image[]", png()],
      ["mask", png()],
    ];
    const first = await edit({ size: "1536x1024" }, files);
    expect(first.json["usage"]).toMatchObject({ input_tokens_details: { image_tokens: 3 * 323 } });
    expect((await decoded(pictureIn(shownIn(first)[0]))).width).toBe(1536);
    expect((await edit({ size: "1536x1024" }, files)).bytes.equals(first.bytes)).toBe(true);
    expect((await edit({ size: "1536x1024", user: "u" }, files)).bytes.equals(first.bytes)).toBe(false);
  });

  it("stream under their own names", async () => {
    const events = eventsOf(await edit({ stream: "true", partial_images: "1" }));
    expect(events.map(({ type }) => type)).toEqual(["image_edit.partial_image", "image_edit.completed"]);
  });

  it("take JSON too", async () => {
    const response = await painter.post(EDIT, {
      model: "gpt-image-1",
      prompt,
      images: [{ image_url: "https://example.com/a.png" }],
    });
    expect(response.status).toBe(200);
  });
});

describe("what a prompt can ask for", () => {
  it.each([MAKE, EDIT])("an error of %s in the provider's envelope", async (path) => {
    const body = { model: "gpt-image-1", prompt: "sandbox:error=429", images: [{ file_id: "file-1" }] };
    const response = await painter.post(path, body);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(response.json["error"]).toMatchObject({ code: "rate_limit_exceeded", type: "requests" });
  });

  it("a connection that breaks, before a response or after the first event", async () => {
    const body = { model: "gpt-image-1", prompt: "sandbox:cut" };
    await expect(painter.post(MAKE, body)).rejects.toThrow(/fetch failed|other side closed|terminated/);
    await expect(painter.post(MAKE, { ...body, stream: true, partial_images: 2 })).rejects.toThrow(/terminated/);
  });
});
