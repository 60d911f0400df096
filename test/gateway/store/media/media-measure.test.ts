import fc from "fast-check";
import { expect, it } from "vitest";
import { findMediaType, type MediaType } from "../../../../gateway/core/media/media-type.ts";
import { measureMedia } from "../../../../gateway/store/media/media-measure.ts";
import { flac, iso, mp3, opus, png, wav } from "../../../support/media-samples.ts";
import { jpeg, webp } from "../../../support/pictures.ts";

const measure = (bytes: Buffer): ReturnType<typeof measureMedia> =>
  measureMedia(findMediaType(bytes) as MediaType, bytes, bytes.length);

it("reads the size of pictures and the length of sounds", () => {
  expect(measure(png(1_024, 1_536))).toEqual({ width: 1_024, height: 1_536, durationMs: null });
  const size = { width: 300, height: 200, durationMs: null };
  expect(measure(jpeg(300, 200))).toEqual(size);
  expect(measure(webp(300, 200))).toEqual(size);
  expect(measure(Buffer.from("GIF89a\x2c\x01\xc8\x00", "latin1"))).toEqual(size);
  // A bomb is refused by its size, whether its data ever comes or not.
  expect(measure(png(40_000, 50_000).subarray(0, 33))).toMatchObject({ width: 40_000, height: 50_000 });
  expect(measure(wav(800))).toEqual({ width: null, height: null, durationMs: 800 });
});

it("says nothing of what it cannot read", () => {
  expect(measure(png(4, 4).subarray(0, 12))).toEqual({ width: null, height: null, durationMs: null });
  expect(measure(iso("isom"))).toEqual({ width: null, height: null, durationMs: null });
});

it("survives any bytes that begin like a file", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(png(3, 3), wav(5), mp3(3), opus(5), flac(5)),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
      fc.nat(),
      (sample, changes, length) => {
        const bytes = Buffer.from(sample);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const part = bytes.subarray(0, length % (bytes.length + 1));
        const { width, height, durationMs } = measureMedia(findMediaType(sample) as MediaType, part, part.length);
        for (const value of [width, height, durationMs].filter((found) => found !== null)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toSatisfy(Number.isSafeInteger);
        }
      },
    ),
  );
});
