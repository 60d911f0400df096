import { describe, expect, it } from "vitest";
import { posterBytes } from "../../../../gateway/services/media/media-poster.ts";
import { png as pngHeader } from "../../../support/media-samples.ts";
import { extendedWebp, jpeg, png, webp } from "../../../support/pictures.ts";

const ANIMATED = 2;
const of = (bytes: Buffer): string => bytes.toString("base64");

describe("a poster", () => {
  it.each([
    ["JPEG", jpeg(320, 180)],
    ["WebP", webp(320, 180)],
  ])("may be a %s", (_name, bytes) => {
    expect(posterBytes(of(bytes))).toEqual(bytes);
  });

  it.each<[string, string, RegExp]>([
    ["a PNG", of(png()), /JPEG or WebP/],
    ["HTML that says it is a picture", of(Buffer.from("<html>image/jpeg")), /JPEG or WebP/],
    ["SVG", of(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), /JPEG or WebP/],
    ["the first bytes of a JPEG", of(jpeg().subarray(0, 10)), /JPEG or WebP/],
    [
      "the first bytes of a JPEG before something else",
      of(Buffer.concat([jpeg().subarray(0, 3), Buffer.from("<script>")])),
      /JPEG or WebP/,
    ],
    ["a moving WebP", of(extendedWebp(ANIMATED)), /JPEG or WebP/],
    ["a WebP of a million pixels each way", of(extendedWebp(0, 100_000, 100_000)), /100000 × 100000/],
    ["a picture of more than 300 kB", of(Buffer.concat([jpeg(), Buffer.alloc(300_000)])), /300000 are allowed/],
    ["a data URL", `data:image/jpeg;base64,${of(jpeg())}`, /base64/],
    ["text", "hello, world", /base64/],
    ["nothing", "", /base64/],
    ["an odd length", `${of(jpeg())}A`, /base64/],
    ["a PNG header", of(pngHeader(9, 9)), /JPEG or WebP/],
  ])("is refused when it is %s", (_name, image, why) => {
    expect(() => posterBytes(image)).toThrow(why);
  });
});
