import fc from "fast-check";
import { imageSize } from "image-size";
import { describe, expect, it, test } from "vitest";
import { readPicture } from "../../../../gateway/core/media/picture-type.ts";
import { animatedPng, extendedWebp, jpeg, png, webp } from "../../../support/pictures.ts";
import { MOST_SECTIONS } from "../../../../gateway/core/media/picture-header.ts";

describe("a picture's type and size are read from its bytes", () => {
  test.each([
    ["PNG with alpha", png({ width: 30, height: 20 }), "image/png", true],
    ["PNG without", png({ width: 30, height: 20, colourType: 2 }), "image/png", false],
    ["grey PNG with alpha", png({ width: 30, height: 20, colourType: 4 }), "image/png", true],
    [
      "PNG with a transparent colour",
      png({ width: 30, height: 20, colourType: 3, chunks: [["tRNS", Buffer.alloc(1)]] }),
      "image/png",
      true,
    ],
    ["JPEG", jpeg(30, 20), "image/jpeg", false],
    ["lossless WebP", webp(30, 20), "image/webp", false],
    ["extended WebP", extendedWebp(0, 30, 20), "image/webp", false],
    ["extended WebP with alpha", extendedWebp(0x10, 30, 20), "image/webp", true],
  ])("%s", (_name, bytes, mediaType, alpha) => {
    expect(readPicture(bytes)).toEqual({ mediaType, width: 30, height: 20, alpha, animated: false });
    expect(imageSize(bytes)).toMatchObject({ width: 30, height: 20 });
  });

  it("finds the size of a lossy WebP", () => {
    const bytes = Buffer.alloc(40);
    bytes.write("RIFF", 0, "latin1");
    bytes.write("WEBPVP8 ", 8, "latin1");
    bytes.set([0x9d, 0x01, 0x2a, 0x80, 0x42, 0xe0, 0x01], 23);
    expect(readPicture(bytes)).toMatchObject({ mediaType: "image/webp", width: 640, height: 480 });
    expect(imageSize(bytes)).toMatchObject({ width: 640, height: 480 });
  });

  it("finds a JPEG's size after a large profile and a thumbnail with a size of its own", () => {
    const plain = jpeg(50, 40);
    const profile = Buffer.alloc(65_535);
    profile.writeUInt16BE(65_535, 0);
    const thumbnail = Buffer.concat([
      Buffer.from([0xff, 0xe1, 0, 13]),
      Buffer.from("Exif\0\0"),
      Buffer.from([0xff, 0xc0, 0, 17, 8]),
    ]);
    const bytes = Buffer.concat([
      plain.subarray(0, 2),
      Buffer.from([0xff, 0xe2]),
      profile,
      thumbnail,
      plain.subarray(2),
    ]);
    expect(readPicture(bytes)).toMatchObject({ width: 50, height: 40 });
  });

  test.each([
    ["animated PNG", animatedPng()],
    ["animated WebP", extendedWebp(0x02)],
  ])("tells an %s", (_name, bytes) => {
    expect(readPicture(bytes)).toMatchObject({ animated: true });
  });

  it("reads a bomb without unpacking it", () => {
    expect(readPicture(png({ width: 50_000, height: 50_000 }))).toMatchObject({ width: 50_000, height: 50_000 });
    const text = png({ chunks: [["zTXt", Buffer.alloc(1_000_000)]] });
    expect(readPicture(text)).toMatchObject({ width: 64 });
  });
});

describe("what is no picture", () => {
  const headless = png();
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("not a picture at all, but long enough to be one")],
    ["a GIF", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1")],
    ["a BMP", Buffer.concat([Buffer.from("BM"), Buffer.alloc(60)])],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ["a PNG signature alone", headless.subarray(0, 8)],
    ["a PNG without a picture", headless.subarray(0, 33)],
    ["a PNG of no width", png({ width: 0, height: 10 })],
    [
      "a PNG whose first chunk is another",
      Buffer.concat([
        headless.subarray(0, 8),
        Buffer.from("\0\0\0\x04CgBI\0\0\0\0\0\0\0\0", "latin1"),
        headless.subarray(8),
      ]),
    ],
    ["a JPEG without a frame", Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ["a JPEG of nothing but fillers", Buffer.alloc(1_000, 0xff).fill(0xd8, 1, 2)],
    ["a JPEG with a broken segment", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 0, 0])],
    ["a WebP of another codec", Buffer.from("RIFF\0\0\0\0WEBPXXXX\0\0\0\0............", "latin1")],
    ["half a WebP header", extendedWebp(0).subarray(0, 25)],
  ])("is %s", (_name, bytes) => {
    expect(readPicture(bytes)).toBeNull();
  });

  it("is any random bytes after any signature, and none of them throws", () => {
    const signature = fc.constantFrom(
      "",
      "\x89PNG\r\n\x1a\n",
      "\xff\xd8\xff",
      "RIFF\0\0\0\0WEBPVP8 ",
      "RIFF\0\0\0\0WEBPVP8L",
      "RIFF\0\0\0\0WEBPVP8X",
    );
    fc.assert(
      fc.property(signature, fc.uint8Array({ maxLength: 400 }), (start, rest) => {
        const picture = readPicture(Buffer.concat([Buffer.from(start, "latin1"), rest]));
        if (picture === null) return;
        expect(picture.width).toBeGreaterThan(0);
        expect(picture.height).toBeGreaterThan(0);
      }),
    );
  });

  it("is every beginning of a picture that stops before its size, and never throws", () => {
    for (const whole of [png(), jpeg(), webp(), extendedWebp(0)]) {
      for (let length = 0; length < Math.min(whole.length, 400); length += 1) readPicture(whole.subarray(0, length));
      expect(readPicture(whole)).not.toBeNull();
    }
  });
});

it.each([
  [MOST_SECTIONS - 1, true],
  [MOST_SECTIONS, false],
])("after %i other sections of a JPEG a frame is found: %s", (count, isFound) => {
  const sections = Buffer.alloc(4 * count);
  for (let offset = 0; offset < sections.length; offset += 4) sections.set([0xff, 0xe0, 0, 2], offset);
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 3, 0, 5, 1, 1, 0x11, 0];
  const picture = readPicture(Buffer.from([0xff, 0xd8, ...sections, ...frame]));
  expect(picture).toEqual(isFound ? expect.objectContaining({ width: 5, height: 3 }) : null);
});

it("finds no picture in a PNG's head before 64 MiB of nothing", () => {
  expect(readPicture(Buffer.concat([png().subarray(0, 33), Buffer.alloc(64 * 1024 * 1024)]))).toBeNull();
});
