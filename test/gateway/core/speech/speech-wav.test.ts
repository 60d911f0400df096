import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soundSeconds } from "../../../../gateway/core/speech/sound-length.ts";
import { PcmReader, SPEECH_PCM, WavError, pcmSeconds, wavHeader } from "../../../../gateway/core/speech/speech-wav.ts";
import type { PcmFormat } from "../../../../gateway/core/speech/speech-wav.ts";
import { samplesOf, wavFile, wavOf } from "../../../support/sound.ts";

const STEREO: PcmFormat = { sampleRate: 44_100, channels: 2 };

/** What a reader makes of bytes that come in pieces of these lengths. */
function readIn(bytes: Buffer, lengths: readonly number[], bare: PcmFormat | null): { out: Buffer; reader: PcmReader } {
  const reader = new PcmReader(bare);
  const out: Buffer[] = [];
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    out.push(reader.push(bytes.subarray(at, at + length)));
    at = Math.min(bytes.length, at + length);
  }
  return { out: Buffer.concat(out), reader };
}

const sizes = fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 30 });

describe("the samples of a WAV file", () => {
  it("come out whole, however the file is cut", () => {
    const samples = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(samples, sizes, fc.constantFrom(SPEECH_PCM, STEREO), (bytes, lengths, format) => {
        const whole = bytes.subarray(0, bytes.length - (bytes.length % (2 * format.channels)));
        const file = wavFile(whole, format.sampleRate, format.channels);
        const { out, reader } = readIn(file, lengths, null);
        expect(out).toEqual(whole);
        expect(reader.format).toEqual(format);
      }),
    );
  });

  it("pass without a header as what they are said to be, however they are cut", () => {
    const samples = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from([7, ...bytes]));
    fc.assert(
      fc.property(samples, sizes, (bytes, lengths) => {
        const { out, reader } = readIn(bytes, lengths, SPEECH_PCM);
        expect(out).toEqual(bytes.subarray(0, bytes.length - (bytes.length % 2)));
        expect(reader.format).toBe(SPEECH_PCM);
      }),
    );
  });

  it("end where the header says, before notes after them", () => {
    const file = Buffer.concat([wavFile(Buffer.from([1, 2, 3, 4])), Buffer.from("LIST\x04\0\0\0note")]);
    expect(readIn(file, [45, 3], null).out).toEqual(Buffer.from([1, 2, 3, 4]));
  });

  it.each([0, 0xffff_ffff, 0x7fff_ffff])("go on to the end of the file where it says %d", (size) => {
    const file = wavFile(Buffer.from([1, 2, 3, 4]));
    file.writeUInt32LE(size, 40);
    expect(readIn(file, [10], null).out).toEqual(Buffer.from([1, 2, 3, 4]));
  });

  it("are found after other chunks, of odd length too", () => {
    const plain = wavFile(Buffer.from([1, 2]));
    const list = Buffer.from("LIST\x03\0\0\0abc\0");
    const file = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)]);
    expect(readIn(file, [1, 2, 3], null).out).toEqual(Buffer.from([1, 2]));
  });

  const broken = (change: (file: Buffer) => void): Buffer => {
    const file = wavFile(Buffer.alloc(8));
    change(file);
    return file;
  };
  it.each([
    ["no header", Buffer.from("<html><body>403</body></html>")],
    ["24 bits", broken((file) => file.writeUInt16LE(24, 34))],
    ["a compressed format", broken((file) => file.writeUInt16LE(85, 20))],
    ["seven channels", broken((file) => file.writeUInt16LE(7, 22))],
    ["an absurd rate", broken((file) => file.writeUInt32LE(4_000_000_000, 24))],
    ["sound before its format", broken((file) => file.write("data", 12, "latin1"))],
    ["a header without an end", broken((file) => file.writeUInt32LE(0x7000_0000, 16))],
  ])("are refused with %s", (_what, file) => {
    expect(() => readIn(file, [], null)).toThrow(WavError);
  });

  it("never fail in another way, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (bytes, lengths) => {
        const file = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), bytes]);
        try {
          readIn(file, lengths, null);
        } catch (error) {
          expect(error).toBeInstanceOf(WavError);
        }
      }),
    );
  });
});

it("writes headers that agree with their files", () => {
  const samples = samplesOf(0.5);
  expect(wavOf(Buffer.concat([wavHeader(samples.length, SPEECH_PCM), samples]))).toMatchObject({
    sampleRate: 24_000,
    channels: 1,
    bits: 16,
    seconds: 0.5,
  });
  expect(pcmSeconds(samples.length, SPEECH_PCM)).toBe(0.5);
});

it("tells how long a sound is by its bytes", () => {
  expect(soundSeconds(samplesOf(1.5), "pcm")).toBe(1.5);
  expect(soundSeconds(wavFile(samplesOf(1.5)), "wav")).toBe(1.5);
  // A provider that sends another file than was asked for is measured by what it sent.
  expect(soundSeconds(wavFile(samplesOf(1.5)), "mp3")).toBe(1.5);
  expect(soundSeconds(Buffer.from("\xff\xf1\x50\x80", "latin1"), "aac")).toBeNull();
  expect(soundSeconds(Buffer.alloc(0), "mp3")).toBeNull();
});
