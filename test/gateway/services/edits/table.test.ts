import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { imageEditResponseSchema } from "../../../../gateway/contract/image-edits.ts";
import { EDIT_USAGE, deltaEdit, epsilonEdit, fieldsSeen, filesSeen, postForm } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { jpeg, png, webp } from "../../../support/pictures.ts";
import { errorOf, startGateway } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { WireVendor, reply } from "../../../support/wire-vendor.ts";
import type { WireSeen } from "../../../support/wire-vendor.ts";

/** Each row of the specification's tables of POST /v1/images/edits, on the wire. */

const ROUTE = "POST /v1/images/edits";
const wire = new WireVendor();
let postern: TestGateway;
beforeAll(async () => {
  await wire.listen();
  postern = await startGateway({
    keys: [{ key: "sk-test-poor-key-000000001", name: "poor", limit_usd: 0.000_1 }],
    env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-0001" },
  });
});
beforeEach(() => {
  wire.reset();
  wire.on(ROUTE, reply(200, deltaEdit()));
});
afterAll(async () => {
  await postern.close();
  await wire.close();
});

type Files = Parameters<typeof formOf>[1];
const IMAGE: Files = [["image", png()]];

function edit(fields: Readonly<Record<string, string>> = {}, files: Files = IMAGE): Promise<Response> {
  return postForm(postern, formOf({ model: "delta-image-2", prompt: "Add a hat", ...fields }, files));
}

/** Edits that reached the vendor; the library fetches results besides. */
const asked = (): readonly WireSeen[] => wire.seen.filter(({ method }) => method === "POST");

/** What reaches the vendor beside model, prompt and files. */
async function sent(fields: Readonly<Record<string, string>>, files: Files = IMAGE): Promise<Record<string, string>> {
  const response = await edit(fields, files);
  expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  const [seen] = asked();
  if (seen === undefined) throw new Error("nothing reached the vendor");
  const { model: _model, prompt: _prompt, ...rest } = await fieldsSeen(seen);
  return rest;
}

async function refused(fields: Readonly<Record<string, string>>, files: Files = IMAGE): ReturnType<typeof errorOf> {
  const response = await edit(fields, files);
  const error = await errorOf(response);
  expect([response.status, error.type]).toEqual([400, "invalid_request_error"]);
  expect(asked()).toEqual([]);
  return error;
}

async function answer(
  fields: Readonly<Record<string, string>>,
  files: Files = IMAGE,
): Promise<Record<string, unknown>> {
  const response = await edit(fields, files);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe("specification, POST /v1/images/edits", () => {
  describe("image", () => {
    it.each([
      ["PNG", png(), "image/png"],
      ["JPEG", jpeg(), "image/jpeg"],
      ["WebP", webp(), "image/webp"],
    ])("%s: its bytes reach the vendor as they are", async (_name, bytes, type) => {
      await edit({}, [["image", bytes]]);
      const [seen] = asked();
      const files = seen === undefined ? [] : await filesSeen(seen);
      expect(files).toMatchObject([{ field: "image", type }]);
      expect(files[0]?.bytes.equals(bytes)).toBe(true);
    });

    it("several reference images under repeated image[]", async () => {
      await edit({}, [
        ["image[]", png()],
        ["image[]", jpeg()],
        ["image[]", webp()],
      ]);
      const [seen] = asked();
      const files = seen === undefined ? [] : await filesSeen(seen);
      expect(files.map(({ field, bytes }) => [field, bytes.length])).toEqual([
        ["image[]", png().length],
        ["image[]", jpeg().length],
        ["image[]", webp().length],
      ]);
    });

    it("several only by some models", async () => {
      const files: Files = [
        ["image[]", png()],
        ["image[]", png()],
      ];
      const { param, message } = await refused({ model: "epsilon-2" }, files);
      expect([param, message]).toEqual(["image", expect.stringMatching(/epsilon-2.*one image/)]);
    });

    it("is required", async () => {
      expect(await refused({}, [])).toMatchObject({ code: "missing_required_parameter", param: "image" });
    });

    it("unsupported format: 400, whatever its name and type say", async () => {
      const gif = Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1");
      const { param, message } = await refused({}, [["image", gif, "fine.png"]]);
      expect([param, message]).toEqual(["image", expect.stringMatching(/PNG, JPEG or WebP/)]);
    });
  });

  describe("model", () => {
    it.each([
      ["delta-image-2", "gpt-image-2"],
      ["delta-image-1", "gpt-image-1"],
      ["delta-image-1.5", "gpt-image-1.5"],
      ["gpt-image-1-mini", "gpt-image-1-mini"],
      ["epsilon-2", "dall-e-2"],
      ["dall-e-2", "dall-e-2"],
    ])("%s is %s at the vendor", async (model, upstream) => {
      await edit({ model });
      const [seen] = asked();
      expect(seen === undefined ? null : (await fieldsSeen(seen))["model"]).toBe(upstream);
      expect(seen?.headers.authorization).toBe("Bearer sk-openai-0001");
    });

    it("is required", async () => {
      const response = await postForm(postern, formOf({ prompt: "x" }, IMAGE));
      expect([response.status, await errorOf(response)]).toEqual([
        400,
        expect.objectContaining({ code: "missing_required_parameter", param: "model" }),
      ]);
    });

    it("unrecognised: 400", async () => {
      expect(await refused({ model: "delta-image-99" })).toMatchObject({ code: "model_not_found", param: "model" });
    });

    it.each(["gpt-4.1", "epsilon-3", "text-embedding-3-small"])(
      "%s is not for this endpoint: 400 that names its own",
      async (model) => {
        const error = await refused({ model });
        expect(error).toMatchObject({ code: "endpoint_model_mismatch", param: "model" });
        expect(error.message).toMatch(/\/v1\/(chat|images\/generations|embeddings)/);
      },
    );
  });

  describe("prompt", () => {
    it("reaches the vendor as it is", async () => {
      await edit({ prompt: "Ein Hut für die Katze 🐈" });
      const [seen] = asked();
      expect(seen === undefined ? null : (await fieldsSeen(seen))["prompt"]).toBe("Ein Hut für die Katze 🐈");
    });

    it("is required", async () => {
      const response = await postForm(postern, formOf({ model: "delta-image-2" }, IMAGE));
      expect([response.status, (await errorOf(response)).param]).toEqual([400, "prompt"]);
      expect((await refused({ prompt: "" })).param).toBe("prompt");
    });

    it.each([
      ["delta-image-2", 32_001],
      ["epsilon-2", 1_001],
    ])("of %s has a limit", async (model, length) => {
      expect(await refused({ model, prompt: "x".repeat(length) })).toMatchObject({ param: "prompt" });
    });
  });

  describe("mask", () => {
    it.each(["delta-image-2", "delta-image-1", "epsilon-2"])("reaches %s byte for byte", async (model) => {
      const mask = png({ padding: 1_000 });
      await edit({ model }, [...IMAGE, ["mask", mask]]);
      const [seen] = asked();
      const files = seen === undefined ? [] : await filesSeen(seen);
      expect(files.map(({ field }) => field)).toEqual(["image", "mask"]);
      expect(files[1]?.bytes.equals(mask)).toBe(true);
      expect(files[1]?.type).toBe("image/png");
    });

    it("of another size than the image: 400 invalid_mask naming both", async () => {
      const error = await refused({}, [...IMAGE, ["mask", png({ width: 32, height: 48 })]]);
      expect(error).toMatchObject({ code: "invalid_mask", param: "mask" });
      expect(error.message).toMatch(/32x48.*64x64/);
    });

    it.each([
      ["a JPEG", jpeg(), /PNG/],
      ["without transparency", png({ colourType: 2 }), /alpha/],
    ])("%s: 400 invalid_mask", async (_name, mask, words) => {
      const error = await refused({}, [...IMAGE, ["mask", mask]]);
      expect([error.code, error.message]).toEqual(["invalid_mask", expect.stringMatching(words)]);
    });
  });

  describe("n", () => {
    it.each(["1", "10"])("%s is taken", async (n) => {
      expect(await sent({ n })).toEqual({ n });
    });

    it.each(["0", "11", "1.5", "abc", "", "-1", "1e1"])("%j: 400 that says 1 to 10", async (n) => {
      const { param, message } = await refused({ n });
      expect([param, message]).toEqual(["n", expect.stringMatching(/whole number from 1 to 10/)]);
    });

    it("is left out when it is not given", async () => {
      expect(await sent({})).toEqual({});
    });
  });

  describe("size", () => {
    it.each(["auto", "1024x1024", "1024x1536", "1536x1024"])("%s by delta", async (size) => {
      expect(await sent({ size })).toEqual({ size });
    });

    it.each(["256x256", "512x512", "1024x1024"])("%s by epsilon", async (size) => {
      expect(await sent({ model: "epsilon-2", size })).toMatchObject({ size });
    });

    it("auto is epsilon's own default", async () => {
      expect(await sent({ model: "epsilon-2", size: "auto" })).toEqual({ response_format: "b64_json" });
    });

    it.each([
      ["delta-image-2", "256x256"],
      ["delta-image-1", "1792x1024"],
      ["epsilon-2", "1024x1536"],
      ["delta-image-2", "wide"],
      ["delta-image-2", ""],
    ])("of %s is not %j: 400", async (model, size) => {
      expect(await refused({ model, size })).toMatchObject({ code: "unsupported_value", param: "size" });
    });

    it.each(["2K", "4K", "2048x2048", "3840x2160"])("%s is for the generations path", async (size) => {
      expect((await refused({ size })).message).toMatch(/\/v1\/images\/generations/);
    });
  });

  describe("quality", () => {
    it.each([
      ["auto", "auto"],
      ["low", "low"],
      ["medium", "medium"],
      ["high", "high"],
      ["standard", "medium"],
      ["hd", "high"],
    ])("%s is %s to delta", async (quality, expected) => {
      expect(await sent({ quality })).toEqual({ quality: expected });
    });

    it.each(["standard", "hd", "high"])("%s means nothing to epsilon", async (quality) => {
      expect(await sent({ model: "epsilon-2", quality })).toEqual({ response_format: "b64_json" });
    });

    it("of another word: 400 that lists them", async () => {
      const { param, message } = await refused({ quality: "ultra" });
      expect([param, message]).toEqual(["quality", expect.stringMatching(/auto.*standard.*hd/)]);
    });
  });

  describe("response_format", () => {
    it.each(["b64_json", "url"])("%s: delta always returns b64_json, and is never asked", async (format) => {
      expect(await sent({ response_format: format })).toEqual({});
      expect((await answer({ response_format: format }))["data"]).toMatchObject([
        { b64_json: expect.any(String) as string },
      ]);
    });

    it("is b64_json for epsilon unless it asks for url", async () => {
      expect(await sent({ model: "epsilon-2" })).toEqual({ response_format: "b64_json" });
    });

    it("url takes effect for epsilon", async () => {
      wire.on(ROUTE, reply(200, { created: 1, data: [{ url: `${wire.origin}/picture.png` }] }));
      const body = await answer({ model: "epsilon-2", response_format: "url" });
      expect(body["data"]).toEqual([{ url: `${wire.origin}/picture.png` }]);
    });

    it("of another word: 400", async () => {
      expect((await refused({ response_format: "file" })).param).toBe("response_format");
    });
  });

  describe("output_format", () => {
    it.each(["png", "jpeg", "webp"])("%s by delta", async (format) => {
      expect(await sent({ output_format: format })).toEqual({ output_format: format });
    });

    it("is for delta models only", async () => {
      const { param, message } = await refused({ model: "epsilon-2", output_format: "jpeg" });
      expect([param, message]).toEqual(["output_format", expect.stringMatching(/delta-image/)]);
    });

    it("of another word: 400", async () => {
      expect((await refused({ output_format: "gif" })).param).toBe("output_format");
    });
  });

  describe("background", () => {
    it.each(["transparent", "opaque", "auto"])("%s by delta", async (background) => {
      expect(await sent({ background })).toEqual({ background });
    });

    it("transparent needs png or webp", async () => {
      expect(await sent({ background: "transparent", output_format: "webp" })).toMatchObject({
        background: "transparent",
      });
      wire.seen.length = 0;
      const { param, message } = await refused({ background: "transparent", output_format: "jpeg" });
      expect([param, message]).toEqual(["background", expect.stringMatching(/png or webp/)]);
    });
  });

  describe("user", () => {
    it("reaches the vendor", async () => {
      expect(await sent({ user: "user-7" })).toEqual({ user: "user-7" });
    });
  });

  it("fields that are not in the table pass", async () => {
    const more = {
      input_fidelity: "high",
      moderation: "low",
      output_compression: "80",
      output_format: "jpeg",
      brand_new: "1",
    };
    expect(await sent(more)).toEqual(more);
  });
});

describe("specification, Image result, edits endpoint", () => {
  it("is the vendor's own answer, byte for byte, where nothing is missing", async () => {
    const text = JSON.stringify({ ...deltaEdit(), extra: [1.0] }, null, 1);
    wire.on(ROUTE, (_seen, outgoing) => void outgoing.writeHead(200, { "content-type": "application/json" }).end(text));
    const response = await edit();
    expect(await response.text()).toBe(text);
    expect(imageEditResponseSchema.parse(JSON.parse(text))).toMatchObject({ usage: EDIT_USAGE });
  });

  it("has what epsilon does not echo filled in", async () => {
    wire.on(ROUTE, reply(200, epsilonEdit(2)));
    const body = await answer({ model: "epsilon-2", size: "512x512", n: "2" });
    expect(imageEditResponseSchema.parse(body)).toMatchObject({
      created: 1_713_833_628,
      data: [{}, {}],
      background: "auto",
      output_format: "png",
      quality: "auto",
      size: "512x512",
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        total_tokens: 0,
        input_tokens_details: { text_tokens: 0, image_tokens: 0 },
      },
    });
  });

  it("says what size auto came to", async () => {
    wire.on(ROUTE, reply(200, epsilonEdit()));
    expect(await answer({ model: "epsilon-2" })).toMatchObject({ size: "32x32" });
  });
});

describe("specification, Errors", () => {
  it("402 when the balance does not cover the edit, before anything is sent", async () => {
    const form = formOf({ model: "delta-image-2", prompt: "x" }, IMAGE);
    const response = await postForm(postern, form, "sk-test-poor-key-000000001");
    expect(response.status).toBe(402);
    expect(await errorOf(response)).toMatchObject({
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: expect.stringMatching(/poor.*left/) as string,
    });
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(asked()).toEqual([]);
  });

  it("the upstream's error text is passed through", async () => {
    const message = "Your request was rejected by the safety system. safety_violations=[sexual].";
    wire.on(
      ROUTE,
      reply(400, { error: { message, type: "image_generation_user_error", param: null, code: "moderation_blocked" } }),
    );
    const response = await edit();
    expect([response.status, await errorOf(response)]).toEqual([
      400,
      { message, type: "image_generation_user_error", param: null, code: "moderation_blocked" },
    ]);
  });
});
