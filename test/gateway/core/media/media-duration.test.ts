import { describe, expect, it } from "vitest";
import { flacDuration, mp3Duration, oggDuration, wavDuration } from "../../../../gateway/core/media/media-duration.ts";
import type { AudioParts } from "../../../../gateway/core/media/media-duration.ts";
import { flac, mp3, opus, wav } from "../../../support/media-samples.ts";

const whole = (bytes: Buffer): AudioParts => ({ head: bytes, tail: bytes, bytes: bytes.length });
const cut = (bytes: Buffer, length: number): AudioParts => ({
  head: bytes.subarray(0, length),
  tail: bytes.subarray(-length),
  bytes: bytes.length,
});

describe("WAV", () => {
  it("is measured by its rate and its data", () => {
    expect(wavDuration(whole(wav(1_500)))).toBe(1_500);
    expect(wavDuration(whole(wav(250, 8_000)))).toBe(250);
  });
  it.each([0, 0xffffffff, 0x7fffffff])("that was streamed with the length %i is measured by the file", (claimed) => {
    expect(wavDuration(whole(wav(1_500, 24_000, claimed)))).toBe(1_500);
  });
  it("is measured by its beginning alone", () => {
    expect(wavDuration(cut(wav(90_000), 4_096))).toBe(90_000);
  });
  it("without data has no length", () => {
    expect(wavDuration(whole(wav(1_000).subarray(0, 36)))).toBeNull();
  });
});

describe("MP3", () => {
  const FRAME_MS = (1_152 * 1_000) / 44_100;
  it("is measured by walking its frames", () => {
    expect(mp3Duration(whole(mp3(100)))).toBe(Math.round(100 * FRAME_MS));
  });
  it("after a tag", () => {
    const tag = Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\x01\x00", "latin1"), Buffer.alloc(128)]);
    expect(mp3Duration(whole(Buffer.concat([tag, mp3(10)])))).toBe(Math.round(10 * FRAME_MS));
  });
  it("whose encoder counted the frames", () => {
    const bytes = mp3(3);
    bytes.write("Xing", 36, "latin1");
    bytes.writeUInt32BE(1, 40);
    bytes.writeUInt32BE(5_000, 44);
    expect(mp3Duration(whole(bytes))).toBe(Math.round(5_000 * FRAME_MS));
  });
  it("that is longer than its beginning is taken to go on like it", () => {
    expect(mp3Duration(cut(mp3(1_000), 100_000))).toBeCloseTo(1_000 * FRAME_MS, -2);
  });
  it("followed by other bytes is measured up to them", () => {
    expect(mp3Duration(whole(Buffer.concat([mp3(10), Buffer.alloc(9_000)])))).toBe(Math.round(10 * FRAME_MS));
  });
  it("of speech: MPEG 2, 24 kHz", () => {
    // 48 kbit/s: 576 samples in 144 bytes, 24 ms.
    const frame = Buffer.alloc(144);
    frame.set([0xff, 0xf3, 0x64, 0xc4]);
    expect(mp3Duration(whole(Buffer.concat(Array.from({ length: 50 }, () => frame))))).toBe(1_200);
  });
});

it("measures Opus by its last page", () => {
  expect(oggDuration(whole(opus(3_210)))).toBe(3_210);
});

it("measures FLAC by what it tells of itself", () => {
  expect(flacDuration(whole(flac(2_000)))).toBe(2_000);
});
