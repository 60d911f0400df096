import { imageSize } from "image-size";
import { describe, expect, it, test } from "vitest";
import { readPicture } from "../../../../gateway/core/media/picture-type.ts";
import { drawn, isDrawable, type PictureFormat } from "../../../../gateway/sandbox/images/picture.ts";
import { decoded } from "./decoded.ts";

const draw = (width: number, height: number, format: PictureFormat, transparent = false): Promise<Buffer> =>
  drawn({ digits: "a picture", width, height, format, transparent });

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
    const bytes = await draw(width, height, format);
    const plain = await decoded(await draw(width, height, "png"));
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
    const first = await draw(256, 256, format);
    expect((await draw(256, 256, format)).equals(first)).toBe(true);
    const other = await drawn({ digits: "another", width: 256, height: 256, format });
    expect(other.equals(first)).toBe(false);
  });

  test.each([
    [256, 256],
    [1024, 1024],
    [1536, 1024],
    [928, 1664],
  ])("of %dx%d says SANDBOX: white letters on colours", async (width, height) => {
    const picture = await decoded(await draw(width, height, format));
    let ink = 0;
    for (let y = 4; y < height; y += 8) {
      for (let x = 4; x < width; x += 8) if (picture.at(x, y).every((value) => value > 250)) ink += 1;
    }
    const tiles = Math.ceil(width / 8) * Math.ceil(height / 8);
    expect(ink / tiles).toBeGreaterThan(0.02);
    expect(ink / tiles).toBeLessThan(0.4);
  });
});

describe.each(["png", "webp"] as const)("a transparent picture as %s", (format) => {
  it("shows the word on nothing", async () => {
    const bytes = await draw(512, 512, format, true);
    expect(readPicture(bytes)).toMatchObject({ alpha: true });
    const picture = await decoded(bytes);
    expect(picture.at(0, 0)[3]).toBe(0);
    const opaque = Array.from({ length: 64 }, (_, tile) => picture.at(tile * 8, 256)[3]).filter(
      (alpha) => alpha === 255,
    );
    expect(opaque.length).toBeGreaterThan(0);
  });
});

it("draws the largest picture in less than two megabytes", async () => {
  for (const format of ["png", "jpeg", "webp"] as const) {
    const bytes = await draw(4_096, 4_096, format);
    expect(imageSize(bytes)).toMatchObject({ width: 4_096, height: 4_096 });
    expect(bytes.length).toBeLessThan(2_000_000);
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
