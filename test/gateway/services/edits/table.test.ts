import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jpeg, png, webp } from "../../../support/pictures.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { EditHarness, IMAGE, type Files } from "./edit-harness.ts";

/** The rows of the specification's table of POST /v1/images/edits about pictures, model and prompt, on the wire. */

const harness = new EditHarness();
beforeAll(() => harness.open());
beforeEach(() => harness.reset());
afterAll(() => harness.close());

describe("specification, POST /v1/images/edits", () => {
  describe("image", () => {
    it.each([
      ["PNG", png(), "image/png"],
      ["JPEG", jpeg(), "image/jpeg"],
      ["WebP", webp(), "image/webp"],
    ])("%s: its bytes reach the provider as they are", async (_name, bytes, type) => {
      const files = await harness.sentFiles({}, [["image", bytes]]);
      expect(files).toMatchObject([{ field: "image", type }]);
      expect(files[0]?.bytes.equals(bytes)).toBe(true);
    });

    it("several reference images under repeated image[]", async () => {
      const pictures = [png(), jpeg(), webp()];
      const files = await harness.sentFiles(
        {},
        pictures.map((bytes) => ["image[]", bytes] as const),
      );
      expect(files.map(({ field }) => field)).toEqual(["image[]", "image[]", "image[]"]);
      expect(files.map(({ bytes }, index) => bytes.equals(pictures[index] ?? Buffer.alloc(0)))).toEqual([
        true,
        true,
        true,
      ]);
    });

    it("several only by some models", async () => {
      const files: Files = [
        ["image[]", png()],
        ["image[]", png()],
      ];
      const { param, message } = await harness.refused({ model: "epsilon-2" }, files);
      expect([param, message]).toEqual(["image", expect.stringMatching(/epsilon-2.*one image/)]);
    });

    it("is required", async () => {
      expect(await harness.refused({}, [])).toMatchObject({ code: "missing_required_parameter", param: "image" });
    });

    it("unsupported format: 400, whatever its name and type say", async () => {
      const gif = Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1");
      const { param, message } = await harness.refused({}, [["image", gif, "fine.png"]]);
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
    ])("%s is %s at the provider", async (model, upstream) => {
      expect((await harness.sentAll({ model }))["model"]).toBe(upstream);
      expect(harness.asked[0]?.headers.authorization).toBe("Bearer sk-openai-0001");
    });

    it("is required", async () => {
      const response = await harness.bare({ prompt: "x" });
      expect([response.status, await errorOf(response)]).toEqual([
        400,
        expect.objectContaining({ code: "missing_required_parameter", param: "model" }),
      ]);
    });

    it("unrecognised: 400", async () => {
      expect(await harness.refused({ model: "delta-image-99" })).toMatchObject({
        code: "model_not_found",
        param: "model",
      });
    });

    it.each(["gpt-4.1", "epsilon-3", "text-embedding-3-small"])(
      "%s is not for this endpoint: 400 that names its own",
      async (model) => {
        const error = await harness.refused({ model });
        expect(error).toMatchObject({ code: "endpoint_model_mismatch", param: "model" });
        expect(error.message).toMatch(/\/v1\/(chat|images\/generations|embeddings)/);
      },
    );
  });

  describe("prompt", () => {
    it("reaches the provider as it is", async () => {
      const prompt = "Ein Hut für die Katze 🐈";
      expect((await harness.sentAll({ prompt }))["prompt"]).toBe(prompt);
    });

    it("is required", async () => {
      const response = await harness.bare({ model: "delta-image-2" });
      expect([response.status, (await errorOf(response)).param]).toEqual([400, "prompt"]);
      expect((await harness.refused({ prompt: "" })).param).toBe("prompt");
      expect((await harness.refused({ prompt: " \n" })).param).toBe("prompt");
    });

    it.each([
      ["delta-image-2", 32_001],
      ["epsilon-2", 1_001],
    ])("of %s has a limit", async (model, length) => {
      expect(await harness.refused({ model, prompt: "x".repeat(length) })).toMatchObject({ param: "prompt" });
    });
  });

  describe("mask", () => {
    it.each(["delta-image-2", "delta-image-1", "epsilon-2"])("reaches %s byte for byte", async (model) => {
      const mask = png({ padding: 1_000 });
      const files = await harness.sentFiles({ model }, [...IMAGE, ["mask", mask]]);
      expect(files.map(({ field }) => field)).toEqual(["image", "mask"]);
      expect(files[1]?.bytes.equals(mask)).toBe(true);
      expect(files[1]?.type).toBe("image/png");
    });

    it("of another size than the image: 400 invalid_mask naming both", async () => {
      const error = await harness.refused({}, [...IMAGE, ["mask", png({ width: 32, height: 48 })]]);
      expect(error).toMatchObject({ code: "invalid_mask", param: "mask" });
      expect(error.message).toMatch(/32x48.*64x64/);
    });

    it.each([
      ["a JPEG", jpeg(), /PNG/],
      ["without transparency", png({ colourType: 2 }), /alpha/],
    ])("%s: 400 invalid_mask", async (_name, mask, words) => {
      const error = await harness.refused({}, [...IMAGE, ["mask", mask]]);
      expect([error.code, error.message]).toEqual(["invalid_mask", expect.stringMatching(words)]);
    });
  });
});
