import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postForm } from "../../support/edit-acts.ts";
import { formOf } from "../../support/forms.ts";
import { PIXEL_BASE64, gammaBody } from "../../support/image-acts.ts";
import { png } from "../../support/pictures.ts";
import { KEY } from "../../support/running-gateway.ts";
import { simulateMedia } from "./simulators/media-providers.ts";
import { Simulated } from "./simulators/simulated.ts";
import { CLIENT_HEADERS } from "./simulators/strict.ts";

/** Pictures and speech against simulators of the providers that refuse whatever docs/providers does not have. */

const simulated = new Simulated();
beforeAll(async () => {
  await simulated.start();
  simulateMedia(simulated);
});
beforeEach(() => {
  for (const provider of Object.values(simulated.providers)) provider.seen.length = 0;
});
afterEach(() => expect(simulated.deviations.splice(0).join("\n")).toBe(""));
afterAll(() => simulated.close());

const post = (path: string, body: unknown): Promise<Response> =>
  simulated.gateway.post(path, body, KEY, CLIENT_HEADERS);

async function responseOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const REFERENCE = { image: "https://example.com/a.png" };
const EVERY = { seed: 7, watermark: true, negative_prompt: "rain", prompt_extend: false, n: 1 };

describe("gamma-image at DashScope", () => {
  const SIZES = ["1024*1024", "1664*928", "1472*1140", "1328*1328", "1140*1472", "928*1664", "1280*720", "720*1280"];

  it.each(["gamma-image-2.0", "gamma-image-2.0-pro", "gamma-image-max"])("%s makes images from text", async (model) => {
    for (const parameters of [null, EVERY]) {
      const { output, usage } = await responseOf(await post("/images/generations", gammaBody(model, parameters)));
      expect(output).toMatchObject({
        choices: [{ message: { content: [{ image: expect.stringMatching(/^http/) }] } }],
      });
      expect(usage).toMatchObject({ image_count: 1 });
    }
  });

  it.each(["gamma-image-edit", "gamma-image-edit-plus", "gamma-image-edit-max", "gamma-image-2.0"])(
    "%s edits one and three images",
    async (model) => {
      for (const images of [[REFERENCE], [REFERENCE, REFERENCE, REFERENCE]]) {
        const body = gammaBody(model, EVERY, [...images, { text: "Add a hat" }]);
        expect(await responseOf(await post("/images/generations", body))).toHaveProperty("output.choices");
      }
    },
  );

  it.each(SIZES)("the size %s is every model's, and each is asked for what it makes", async (size) => {
    for (const model of ["gamma-image-2.0", "gamma-image-edit", "gamma-image-edit-plus", "gamma-image-max"]) {
      const content = model.includes("edit") ? [REFERENCE, { text: "x" }] : [{ text: "x" }];
      const { usage } = await responseOf(await post("/images/generations", gammaBody(model, { size }, content)));
      expect(usage).toMatchObject({ image_count: 1 });
    }
  });
});

describe("speech at DashScope", () => {
  it.each([
    ["gamma3-tts-flash", {}, "audio/mpeg"],
    ["gamma3-tts-flash", { response_format: "wav", voice: "alloy", speed: 2 }, "audio/wav"],
    ["gamma3-tts-flash", { instructions: "Whisper.", voice: "Ethan" }, "audio/mpeg"],
    ["gamma3-tts-instruct-flash", { instructions: "Whisper.", response_format: "mp3" }, "audio/wav"],
  ])("%s with %j answers %s", async (model, extra, type) => {
    const response = await post("/audio/speech", { model, input: "Hello", ...extra });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    expect(await simulated.gateway.receipt()).toMatchObject({
      terms: [{ unit: "character", quantity: 5 }],
      estimated: false,
    });
  });
});

describe("Gemini", () => {
  it.each(["gemini-2.5-flash-image", "gemini-3-pro-image", "gemini-3.1-flash-image"])(
    "%s in its own shape and in the common one",
    async (model) => {
      const native = await responseOf(
        await post("/images/generations", {
          model,
          contents: [{ role: "user", parts: [{ text: "A fox" }] }],
          generationConfig: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "16:9" } },
        }),
      );
      expect(native).toMatchObject({ candidates: [{ content: { role: "model" } }] });
      for (const extra of [
        {},
        { size: "1536x1024" },
        { n: 1, response_format: "b64_json", quality: "high", user: "u" },
      ]) {
        const common = await responseOf(await post("/images/generations", { model, prompt: "A fox", ...extra }));
        expect(common).toMatchObject({ created: expect.any(Number), data: [{ b64_json: PIXEL_BASE64 }] });
      }
    },
  );

  it("edits a form's image", async () => {
    const form = formOf({ model: "gemini-2.5-flash-image", prompt: "Add a hat", size: "1024x1536" }, [
      ["image", png()],
    ]);
    expect(await responseOf(await postForm(simulated.gateway, form))).toMatchObject({
      data: [{ b64_json: PIXEL_BASE64 }],
    });
  });
});

describe("Seedream at Ark", () => {
  const model = "doubao-seedream-4-5-251128";

  it.each([
    ["its own body", { size: "2K", watermark: false, image: ["https://example.com/a.png"], response_format: "url" }],
    ["a series", { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: 4 } }],
    ["the common shape", { size: "2560x1440", n: 1, user: "u", quality: "high", background: "auto" }],
  ])("%s", async (_name, extra) => {
    const { data } = await responseOf(await post("/images/generations", { model, prompt: "A fox", ...extra }));
    expect(data).toMatchObject([{ url: expect.stringMatching(/^http/) }]);
  });

  it("streams image by image", async () => {
    const response = await post("/images/generations", { model, prompt: "A fox", stream: true });
    const text = await response.text();
    expect([response.status, text.includes("image_generation.completed")]).toEqual([200, true]);
  });
});

describe("Grok Imagine at xAI", () => {
  it.each([
    ["an URL", {}, "url"],
    ["base64", { response_format: "b64_json" }, "b64_json"],
    ["its own fields", { aspect_ratio: "16:9", resolution: "2k", n: 2 }, "url"],
    ["the common fields", { size: "1536x1024", quality: "auto", style: "vivid", background: "auto" }, "url"],
  ])("%s", async (_name, extra, field) => {
    const { data } = await responseOf(
      await post("/images/generations", { model: "grok-imagine-image", prompt: "A fox", ...extra }),
    );
    expect((data as Record<string, unknown>[])[0]).toHaveProperty(field);
  });

  it.each([1, 3])("edits %i images of a form, as JSON", async (count) => {
    const files = Array.from({ length: count }, () => [count === 1 ? "image" : "image[]", png()] as const);
    const form = formOf({ model: "grok-imagine-image", prompt: "Add a hat" }, files);
    const { data } = await responseOf(await postForm(simulated.gateway, form));
    expect(data).toHaveLength(1);
  });
});
