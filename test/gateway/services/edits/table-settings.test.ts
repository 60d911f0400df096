import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reply } from "../../../support/wire-provider.ts";
import { EditHarness } from "./edit-harness.ts";

/** The rows of the specification's table of POST /v1/images/edits about settings, on the wire. */

const harness = new EditHarness();
beforeAll(() => harness.open());
beforeEach(() => harness.reset());
afterAll(() => harness.close());

describe("specification, POST /v1/images/edits", () => {
  describe("n", () => {
    it.each(["1", "10"])("%s is taken", async (n) => {
      expect(await harness.sent({ n })).toEqual({ n });
    });

    it.each(["0", "11", "1.5", "abc", "", "-1", "1e1"])("%j: 400 that says 1 to 10", async (n) => {
      const { param, message } = await harness.refused({ n });
      expect([param, message]).toEqual(["n", expect.stringMatching(/whole number from 1 to 10/)]);
    });

    it("is left out when it is not given", async () => {
      expect(await harness.sent({})).toEqual({});
    });
  });

  describe("size", () => {
    it.each(["auto", "1024x1024", "1024x1536", "1536x1024"])("%s by delta", async (size) => {
      expect(await harness.sent({ size })).toEqual({ size });
    });

    it.each(["256x256", "512x512", "1024x1024"])("%s by epsilon", async (size) => {
      expect(await harness.sent({ model: "epsilon-2", size })).toMatchObject({ size });
    });

    it("auto is epsilon's own default", async () => {
      expect(await harness.sent({ model: "epsilon-2", size: "auto" })).toEqual({ response_format: "b64_json" });
    });

    it.each([
      ["delta-image-2", "256x256"],
      ["delta-image-1", "1792x1024"],
      ["epsilon-2", "1024x1536"],
      ["delta-image-2", "wide"],
      ["delta-image-2", ""],
    ])("of %s is not %j: 400", async (model, size) => {
      expect(await harness.refused({ model, size })).toMatchObject({ code: "unsupported_value", param: "size" });
    });

    it.each(["2K", "4K", "2048x2048", "3840x2160"])("%s is for the generations path", async (size) => {
      expect((await harness.refused({ size })).message).toMatch(/\/v1\/images\/generations/);
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
      expect(await harness.sent({ quality })).toEqual({ quality: expected });
    });

    it.each(["standard", "hd", "high"])("%s means nothing to epsilon", async (quality) => {
      expect(await harness.sent({ model: "epsilon-2", quality })).toEqual({ response_format: "b64_json" });
    });

    it("of another word: 400 that lists them", async () => {
      const { param, message } = await harness.refused({ quality: "ultra" });
      expect([param, message]).toEqual(["quality", expect.stringMatching(/auto.*standard.*hd/)]);
    });
  });

  describe("response_format", () => {
    it.each(["b64_json", "url"])("%s: delta always returns b64_json, and is never asked", async (format) => {
      expect(await harness.sent({ response_format: format })).toEqual({});
      const response = await harness.response({ response_format: format });
      expect(response["data"]).toMatchObject([{ b64_json: expect.any(String) as string }]);
    });

    it("is b64_json for epsilon unless it asks for url", async () => {
      expect(await harness.sent({ model: "epsilon-2" })).toEqual({ response_format: "b64_json" });
    });

    it("url takes effect for epsilon", async () => {
      const url = `${harness.wire.origin}/picture.png`;
      harness.reset(reply(200, { created: 1, data: [{ url }] }));
      expect(await harness.sent({ model: "epsilon-2", response_format: "url" })).toEqual({ response_format: "url" });
      expect((await harness.response({ model: "epsilon-2", response_format: "url" }))["data"]).toEqual([{ url }]);
    });

    it("of another word: 400", async () => {
      expect((await harness.refused({ response_format: "file" })).param).toBe("response_format");
    });
  });

  describe("output_format", () => {
    it.each(["png", "jpeg", "webp"])("%s by delta", async (format) => {
      expect(await harness.sent({ output_format: format })).toEqual({ output_format: format });
    });

    it("is for delta models only", async () => {
      const { param, message } = await harness.refused({ model: "epsilon-2", output_format: "jpeg" });
      expect([param, message]).toEqual(["output_format", expect.stringMatching(/delta-image/)]);
    });

    it("of another word: 400", async () => {
      expect((await harness.refused({ output_format: "gif" })).param).toBe("output_format");
    });
  });

  describe("background", () => {
    it.each(["transparent", "opaque", "auto"])("%s by delta", async (background) => {
      expect(await harness.sent({ background })).toEqual({ background });
    });

    it("transparent with webp", async () => {
      const asked = { background: "transparent", output_format: "webp" };
      expect(await harness.sent(asked)).toEqual(asked);
    });

    it("transparent needs png or webp", async () => {
      const { param, message } = await harness.refused({ background: "transparent", output_format: "jpeg" });
      expect([param, message]).toEqual(["background", expect.stringMatching(/png or webp/)]);
    });
  });

  describe("user", () => {
    it("reaches the provider", async () => {
      expect(await harness.sent({ user: "user-7" })).toEqual({ user: "user-7" });
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
    expect(await harness.sent(more)).toEqual(more);
  });
});
