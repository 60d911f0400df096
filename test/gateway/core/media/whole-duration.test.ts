import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isoFilm,
  isoSeconds,
  matroskaFilm,
  matroskaSeconds,
} from "../../../../gateway/core/media/container-duration.ts";
import { adtsSeconds, mp3Seconds, oggSeconds, wavSeconds } from "../../../../gateway/core/media/frame-duration.ts";
import { mediaFile } from "../../../support/media-files.ts";
import { mp3, opus } from "../../../support/media-samples.ts";
import { samplesOf, wavFile } from "../../../support/sound.ts";

/** Lengths of whole files, on which money hangs. */

const FRAME = 1_152 / 44_100;
const MIB = 1024 * 1024;

/** An MP3 whose first frame says that there are ten. */
function lyingMp3(frames: number): Buffer {
  const bytes = mp3(frames);
  const at = bytes.indexOf("Xing") >= 0 ? bytes.indexOf("Xing") : 36;
  bytes.write("Xing", at, "latin1");
  bytes.writeUInt32BE(1, at + 4);
  bytes.writeUInt32BE(10, at + 8);
  return bytes;
}

/** An Ogg stream of another kind, its last page naming this sample. */
function ogg(head: Buffer, sample: number, serial = 1): Buffer {
  const page = (body: Buffer, granule: number): Buffer => {
    const header = Buffer.alloc(28);
    header.write("OggS", 0, "latin1");
    header.writeBigInt64LE(BigInt(granule), 6);
    header.writeUInt32LE(serial, 14);
    header[26] = 1;
    header[27] = body.length;
    return Buffer.concat([header, body]);
  };
  return Buffer.concat([page(head, 0), page(Buffer.alloc(40), sample)]);
}

function vorbisHead(rate: number): Buffer {
  const head = Buffer.alloc(30);
  head.write("\x01vorbis", 0, "latin1");
  head.writeUInt32LE(rate, 12);
  return head;
}

/** Samples of another kind than 16 bits, with a rate in the header that is not theirs. */
function wavWith(code: number, bits: number, bytesPerSecond: number): Buffer {
  const file = wavFile(samplesOf(2));
  file.writeUInt16LE(code, 20);
  file.writeUInt16LE(bits, 34);
  file.writeUInt32LE(bytesPerSecond, 28);
  return file;
}

describe("whole files", () => {
  it.each<[string, number | null, number | null]>([
    ["WAV", wavSeconds(wavFile(samplesOf(2.5))), 2.5],
    ["a WAV whose rate lies about its samples", wavSeconds(wavWith(1, 16, 1_000_000)), 2],
    ["a WAV that is compressed", wavSeconds(wavWith(2, 4, 12_000)), 8],
    ["a WAV without a rate", wavSeconds(wavWith(2, 4, 0)), null],
    ["a WAV with nothing in it", wavSeconds(wavFile(Buffer.alloc(0))), null],
    ["MP3", mp3Seconds(mp3(100)), 100 * FRAME],
    ["an MP3 whose first frame lies about the others", mp3Seconds(lyingMp3(500)), 500 * FRAME],
    [
      "two MP3s with a tag between them",
      mp3Seconds(Buffer.concat([mp3(50), Buffer.from("TAG of a song"), mp3(50)])),
      100 * FRAME,
    ],
    ["half a frame", mp3Seconds(mp3(1).subarray(0, 2)), null],
    ["AAC", adtsSeconds(mediaFile("tone.aac")), 3.228],
    ["Opus", oggSeconds(opus(4_000)), 4],
    ["a chain of two Opus streams", oggSeconds(Buffer.concat([opus(4_000), ogg(vorbisHead(8_000), 16_000, 77)])), 6],
    ["Vorbis", oggSeconds(ogg(vorbisHead(44_100), 88_200)), 2],
    ["an Ogg stream of no known kind", oggSeconds(ogg(Buffer.from("\x80theora----------"), 900)), null],
    ["MP4 with its index in front", isoSeconds(mediaFile("faststart.mp4")), 2.523],
    ["MP4 with its index behind", isoSeconds(mediaFile("moov-at-end.mp4")), 2.523],
    ["MP4 in fragments", isoSeconds(mediaFile("fragmented.mp4")), 2.7],
    ["M4A", isoSeconds(mediaFile("tone.m4a")), 3.223],
    ["WebM as a browser records it", matroskaSeconds(mediaFile("live.webm")), 2.5],
    ["WebM that says its length", matroskaSeconds(mediaFile("vp9.webm")), 2.5],
  ])("%s", (_, found, expected) => {
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 2);
  });

  it("an MP4 whose index lies about all of it is as long as its samples", () => {
    const bytes = mediaFile("tone.m4a");
    const head = bytes.indexOf("mvhd");
    bytes.writeUInt32BE(1, head + 4 + 16);
    expect(isoSeconds(bytes)).toBeCloseTo(3.223, 2);
  });
});

describe("whatever comes", () => {
  const readers = [wavSeconds, mp3Seconds, adtsSeconds, oggSeconds, isoSeconds, matroskaSeconds];
  const samples = [
    ...["tone.aac", "tone.m4a", "fragmented.mp4", "live.webm", "vp9.webm"].map(mediaFile),
    wavFile(samplesOf(0.2)),
    mp3(20),
    opus(400),
  ];
  const isLength = (seconds: number | null): boolean => seconds === null || (seconds > 0 && Number.isFinite(seconds));

  it("is a length or none, of damaged and cut files, and never an error", () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(20_000), fc.nat(255)), { maxLength: 12 }),
        fc.nat(20_000),
      )
      .map(([sample, changes, end]) => {
        const bytes = Buffer.from(sample);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes.subarray(0, end);
      });
    fc.assert(
      fc.property(damaged, (bytes) => {
        for (const read of readers) expect(read(bytes)).toSatisfy(isLength);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["zeros", Buffer.alloc(32 * MIB)],
    ["bytes that all begin like a frame", Buffer.alloc(32 * MIB, 0xff)],
    ["beginnings of frames", Buffer.alloc(32 * MIB, Buffer.from([0xff, 0xfb]))],
    ["beginnings of pages", Buffer.alloc(32 * MIB, "OggS")],
    ["boxes without content", Buffer.alloc(32 * MIB, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]))],
    ["clusters without content", Buffer.alloc(32 * MIB, Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0x80]))],
  ])("many megabytes of %s are looked through once", (_, bytes) => {
    // Each is some milliseconds; anyone who looked at bytes again and again would take hours.
    for (const read of readers) expect(isLength(read(bytes))).toBe(true);
  });
});

describe("a film", () => {
  it("that is turned is as wide as it is shown", () => {
    const film = Buffer.from(mediaFile("faststart.mp4"));
    expect(isoFilm(film)).toEqual({ width: 320, height: 180, seconds: 2.5 });
    const matrix = film.indexOf("tkhd") + 4 + 40;
    for (const [at, value] of [0, 0x1_00_00, 0, -0x1_00_00, 0].entries()) film.writeInt32BE(value, matrix + 4 * at);
    expect(isoFilm(film)).toMatchObject({ width: 180, height: 320 });
  });

  it("is measured without its pictures, and is nothing without its index", () => {
    const film = mediaFile("faststart.mp4");
    expect(isoFilm(film.subarray(0, film.indexOf("mdat") - 4))).toEqual(isoFilm(film));
    expect(isoFilm(Buffer.alloc(64))).toEqual({ width: null, height: null, seconds: null });
    expect(matroskaFilm(Buffer.alloc(64))).toEqual({ width: null, height: null, seconds: null });
  });
});
