import { beforeEach, describe, expect, it } from "vitest";
import { deltaEdit, postBytes } from "../../support/edit-acts.ts";
import { field, file, multipart, type RawPart } from "../../support/forms.ts";
import { animatedPng, jpeg, png } from "../../support/pictures.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { reply } from "../../support/wire-provider.ts";
import { HOSTILE_TEXTS } from "./hostile-bodies.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

/** Bad input on `POST /v1/images/edits` as a form: refused with a name, or taken; never an error of ours. */

const wire = useWire();
const logged: string[] = [];
const postern = useGateway(() => ({
  logged,
  env: {
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-openai",
    POSTERN_XAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_XAI_API_KEY: "xai",
  },
}));
beforeEach(() => {
  wire.reset();
  wire.on("POST /v1/images/edits", reply(200, deltaEdit()));
});

const GOOD: Readonly<Record<string, string>> = { prompt: "Add a hat", n: "1", size: "1024x1024", quality: "high" };
const FIELDS = [
  "model",
  "prompt",
  "n",
  "size",
  "quality",
  "response_format",
  "output_format",
  "background",
  "output_compression",
  "input_fidelity",
  "moderation",
  "stream",
  "partial_images",
  "user",
];
const image = file("image", png());

function partsOf(fields: Readonly<Record<string, string>>): RawPart[] {
  return Object.entries(fields).map(([name, value]) => field(name, value));
}

describe.each(["delta-image-2", "epsilon-2", "grok-imagine-image"])("%s", (model) => {
  it.each(FIELDS)("any value of %s is taken or refused by a name", async (name) => {
    for (const value of HOSTILE_TEXTS) {
      wire.seen.length = 0;
      const body = multipart("b", [image, ...partsOf({ model, ...GOOD, size: "1024x1024", [name]: value })]);
      const response = await postBytes(postern, body);
      const shown = [name, value.slice(0, 20)];
      if (response.status === 200) {
        await response.arrayBuffer();
        expect([shown, wire.seen.length]).toEqual([shown, 1]);
        continue;
      }
      const error = await errorOf(response);
      expect([shown, response.status, error.type, wire.seen.length]).toEqual([shown, 400, "invalid_request_error", 0]);
      expect(error.message.length).toBeLessThan(1_000);
      expect(error.param).not.toBeNull();
    }
    expect(logged.filter((line) => /internal_error|\.ts:\d+/.test(line))).toEqual([]);
  });
});

describe("pictures", () => {
  const delta = partsOf({ model: "delta-image-2", prompt: "Add a hat" });
  const huge = png({ width: 100_000, height: 100_000 });

  it.each<readonly [string, readonly RawPart[], string, string]>([
    ["a mask of another size", [image, file("mask", png({ width: 32 }))], "mask", "invalid_mask"],
    ["a mask that is a JPEG", [image, file("mask", jpeg())], "mask", "invalid_mask"],
    ["an animated mask", [image, file("mask", animatedPng())], "mask", ""],
    ["an empty image", [file("image", Buffer.alloc(0))], "image", ""],
    ["half a PNG's head", [file("image", png().subarray(0, 20))], "image", ""],
    ["a text called a.png", [file("image", Buffer.from("hello"))], "image", ""],
    ["20 images", Array.from({ length: 20 }, () => file("image[]", png())), "image", ""],
    ["an animated image", [file("image", animatedPng())], "image", ""],
    ["a mask without an image", [file("mask", png())], "image", "missing_required_parameter"],
    ["an image as text", [field("image", "hello")], "image", ""],
  ])("%s: 400, and nothing reaches the provider", async (_name, parts, param, code) => {
    const response = await postBytes(postern, multipart("b", [...delta, ...parts]));
    const error = await errorOf(response);
    expect([response.status, error.param, wire.seen.length]).toEqual([400, param, 0]);
    if (code !== "") expect(error.code).toBe(code);
  });

  it("a picture of ten billion pixels is never unpacked", async () => {
    const before = process.memoryUsage.rss();
    await (await postBytes(postern, multipart("b", [...delta, file("image", huge)]))).arrayBuffer();
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1_024 * 1_024);
  });
});
