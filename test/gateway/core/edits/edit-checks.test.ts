import { describe, expect, it, test } from "vitest";
import { deltaEdits, deltaMiniEdits, epsilonEdits } from "../../../../gateway/providers/openai/image-models.ts";
import { checkEdit, type EditToCheck, type PictureFacts } from "../../../../gateway/core/edits/edit-checks.ts";
import type { EditRules } from "../../../../gateway/core/edits/edit-rules.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { geminiEdits } from "../../../../gateway/providers/gemini/catalog.ts";
import { grokEdits } from "../../../../gateway/providers/xai/catalog.ts";

const MIB = 1024 * 1024;

function picture(
  changes: Partial<PictureFacts> & { size?: string; type?: "png" | "jpeg" | "webp"; alpha?: boolean } = {},
): PictureFacts {
  const { size = "64x64", type = "png", alpha = true, ...rest } = changes;
  const [width = 0, height = 0] = size.split("x").map(Number);
  return {
    field: "image",
    bytes: 1_000,
    header: { mediaType: `image/${type}`, width, height, alpha, animated: false },
    ...rest,
  };
}

const EDIT: EditToCheck = { model: "a-model", fields: { prompt: "Add a hat" }, images: [picture()], mask: null };

function check(changes: Partial<EditToCheck>, rules: EditRules | null): GatewayError | null {
  try {
    checkEdit({ ...EDIT, ...changes }, rules);
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

const many = (count: number): PictureFacts[] =>
  Array.from({ length: count }, (_, index) => picture({ field: `image[${index}]` }));
const fields = (changes: Readonly<Record<string, unknown>>): Partial<EditToCheck> => ({
  fields: { prompt: "x", ...changes },
});
const image = (only: PictureFacts): Partial<EditToCheck> => ({ images: [only] });
const masked = (changes: Parameters<typeof picture>[0] = {}): Partial<EditToCheck> => ({
  mask: picture({ field: "mask", ...changes }),
});

describe("an edit is taken", () => {
  const cases: [string, Partial<EditToCheck>, EditRules | null][] = [
    ["as it is", {}, deltaEdits],
    ["of 16 images by delta", { images: many(16) }, deltaEdits],
    ["of a JPEG and a WebP by delta", { images: [picture({ type: "jpeg" }), picture({ type: "webp" })] }, deltaEdits],
    ["with a mask of the image's size", masked(), deltaEdits],
    ["with a mask, of a JPEG", { images: [picture({ type: "jpeg" })], ...masked() }, deltaEdits],
    [
      "with a mask of the first image's size",
      { images: [picture(), picture({ size: "9x9" })], ...masked() },
      deltaEdits,
    ],
    ["of one square PNG by epsilon", {}, epsilonEdits],
    ["with a mask by epsilon", masked(), epsilonEdits],
    ["at auto by any model", fields({ size: "auto" }), epsilonEdits],
    ["with a transparent PNG to come", fields({ background: "transparent" }), deltaEdits],
    ["with a transparent WebP to come", fields({ background: "transparent", output_format: "webp" }), deltaEdits],
    ["with a prompt of 32,000 emoji", { fields: { prompt: "🐈".repeat(32_000) } }, deltaEdits],
    ["in any size by a model that is not known here", fields({ size: "7x7", quality: "odd" }), null],
    ["with pictures that only the provider can see", { images: [picture({ header: null })], ...masked() }, deltaEdits],
    ["with a fidelity", fields({ input_fidelity: "high" }), deltaEdits],
    ["as a stream", fields({ stream: true, partial_images: 2 }), deltaEdits],
    ["in quality for epsilon, which ignores it", fields({ quality: "hd" }), epsilonEdits],
  ];
  test.each(cases)("%s", (_name, changes, rules) => {
    expect(check(changes, rules)).toBeNull();
  });
});

/** The field at fault, and the code where it is not invalid_value. */
type Refused = [string, Partial<EditToCheck>, fault: string, words: RegExp];

describe("an edit is refused", () => {
  describe.each<[string, EditRules | null, readonly Refused[]]>([
    [
      "delta",
      deltaEdits,
      [
        ["without an image", { images: [] }, "image missing_required_parameter", /PNG, JPEG or WebP/],
        ["of 17 images", { images: many(17) }, "image", /17.*at most 16/],
        ["of 50 MiB", image(picture({ bytes: 50 * MIB })), "image", /50 MiB.*below 50 MiB/],
        ["with a mask of another size", masked({ size: "32x64" }), "mask invalid_mask", /32x64.*64x64/],
        ["with a mask that is a JPEG", masked({ type: "jpeg" }), "mask invalid_mask", /image\/jpeg.*PNG/],
        ["with a mask without transparency", masked({ alpha: false }), "mask invalid_mask", /alpha channel/],
        ["with a mask of 4 MiB", masked({ bytes: 4 * MIB }), "mask invalid_mask", /4 MiB/],
        ["in 2K", fields({ size: "2K" }), "size unsupported_value", /2K and 4K, are for \/v1\/images\/generations/],
        ["in 2048x2048", fields({ size: "2048x2048" }), "size unsupported_value", /1024x1024, 1024x1536, 1536x1024/],
        ["in 256x256", fields({ size: "256x256" }), "size unsupported_value", /256x256/],
        ["with a prompt that is too long", fields({ prompt: "x".repeat(32_001) }), "prompt", /32001.*32000/],
        [
          "with a transparent JPEG to come",
          fields({ background: "transparent", output_format: "jpeg" }),
          "background unsupported_value",
          /png or webp/,
        ],
        ["with a compressed PNG to come", fields({ output_compression: 50 }), "output_compression", /jpeg or webp/],
        ["with partial images and no stream", fields({ partial_images: 1 }), "partial_images", /stream/],
      ],
    ],
    [
      "a model that is not known here",
      null,
      [["without an image", { images: [] }, "image missing_required_parameter", /PNG, JPEG or WebP/]],
    ],
    [
      "epsilon",
      epsilonEdits,
      [
        ["of two images", { images: many(2) }, "image", /2.*one image/],
        ["of 4 MiB", image(picture({ bytes: 4 * MIB })), "image", /below 4 MiB/],
        ["of a JPEG", image(picture({ type: "jpeg" })), "image", /image\/jpeg.*PNG files only/],
        ["of no square", image(picture({ size: "64x32" })), "image", /64x32.*square/],
        ["in 1024x1536", fields({ size: "1024x1536" }), "size unsupported_value", /256x256, 512x512, 1024x1024/],
        ["with a prompt that is too long", fields({ prompt: "x".repeat(1_001) }), "prompt", /1001.*1000/],
        [
          "with a transparent background",
          fields({ background: "transparent" }),
          "background unsupported_value",
          /delta-image/,
        ],
        [
          "with a WebP to come from epsilon",
          fields({ output_format: "webp" }),
          "output_format unsupported_value",
          /delta-image/,
        ],
        ["as a stream", fields({ stream: true }), "stream unsupported_value", /answers at once/],
      ],
    ],
    [
      "grok",
      grokEdits,
      [
        ["of four images", { images: many(4) }, "image", /at most 3/],
        ["with a mask", masked(), "mask invalid_mask", /without a mask/],
      ],
    ],
    [
      "gemini",
      geminiEdits,
      [
        ["with a mask", masked(), "mask invalid_mask", /without a mask/],
        ["for two pictures", fields({ n: 2 }), "n", /one image a call/],
      ],
    ],
    [
      "the small delta",
      deltaMiniEdits,
      [["with a fidelity", fields({ input_fidelity: "low" }), "input_fidelity unsupported_parameter", /Leave it out/]],
    ],
  ])("by %s", (_model, rules, cases) => {
    test.each(cases)("%s", (_name, changes, fault, words) => {
      const error = check(changes, rules);
      const [param, code = "invalid_value"] = fault.split(" ");
      expect(error).toMatchObject({ code, status: 400, details: { param } });
      expect(error?.message).toMatch(words);
    });
  });

  it("before anything else for its number of images: the fields of one that is not there say nothing", () => {
    expect(check({ images: [], fields: { prompt: "x", size: "2K" } }, deltaEdits)?.code).toBe(
      "missing_required_parameter",
    );
  });
});
