import { imageSize } from "image-size";
import { describe, expect, it, test } from "vitest";
import { readPicture } from "../../../../gateway/core/media/picture-type.ts";
import { drawPicture, isDrawable, type PictureFormat } from "../../../../gateway/sandbox/images/picture.ts";
import { decoded } from "./decoded.ts";

const draw = (width: number, height: number, format: PictureFormat, transparent = false): Buffer =>
  drawPicture({ digits: "a picture", width, height, format, transparent });

const SIZES = [
  [1, 1],
  [7, 9],
  [8, 8],
  [256, 256],
  [1000, 333],
  [1024, 1536],
] as const;

describe.each(["png", "jpeg", "webp"] as const)("a picture as %s", (format) => {
  test.each(SIZES)("of %dx%d decodes to that size, in the same colours as the others", async (width, height) => {
    const bytes = draw(width, height, format);
    const plain = await decoded(draw(width, height, "png"));
    const picture = await decoded(bytes);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(imageSize(bytes)).toMatchObject({ width, height });
    expect(readPicture(bytes)).toEqual({ mediaType: `image/${format}`, width, height, alpha: false, animated: false });
    for (const [x, y] of [
      [0, 0],
      [width - 1, 0],
      [0, height - 1],
      [width - 1, height - 1],
      [width >> 1, height >> 1],
    ] as const) {
      const [expected, actual] = [plain.at(x, y), picture.at(x, y)];
      // JPEG rounds on its way through brightness and colour.
      const furthest = Math.max(...expected.map((value, index) => Math.abs(value - (actual[index] ?? 999))));
      expect(furthest, `at ${x},${y}: ${actual.join()} for ${expected.join()}`).toBeLessThanOrEqual(
        format === "jpeg" ? 4 : 0,
      );
    }
  });

  it("is the same bytes for the same seed, and others for another", async () => {
    const first = draw(256, 256, format);
    expect(draw(256, 256, format).equals(first)).toBe(true);
    const other = drawPicture({ digits: "another", width: 256, height: 256, format });
    expect(other.equals(first)).toBe(false);
  });
});

describe.each(["png", "webp"] as const)("a transparent picture as %s", (format) => {
  it("has nothing in it", async () => {
    const bytes = draw(512, 512, format, true);
    expect(readPicture(bytes)).toMatchObject({ alpha: true });
    const picture = await decoded(bytes);
    expect(picture.at(0, 0)[3]).toBe(0);
    expect(picture.at(511, 511)[3]).toBe(0);
  });
});

it("draws the largest picture in less than a megabyte", () => {
  for (const format of ["png", "jpeg", "webp"] as const) {
    const bytes = draw(4_096, 4_096, format);
    expect(imageSize(bytes)).toMatchObject({ width: 4_096, height: 4_096 });
    expect(bytes.length).toBeLessThan(1_000_000);
  }
});

test.each([
  [1, 1, true],
  [3840, 1280, true],
  [4096, 4096, true],
  [4097, 4096, false],
  [16_384, 1, false],
  [0, 10, false],
])("%d by %d is drawn: %s", (width, height, expected) => {
  expect(isDrawable(width, height)).toBe(expected);
});
