import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SPEECH_PCM, type PcmFormat } from "../../../../gateway/core/speech/speech-wav.ts";
import { encodeMp3 } from "../../../../gateway/services/speech/mp3-stream.ts";
import { mp3Of, samplesOf } from "../../../support/sound.ts";

async function* piecesOf(samples: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer, void, undefined> {
  let at = 0;
  for (const length of lengths) {
    if (at >= samples.length) return;
    yield samples.subarray(at, at + 2 * length);
    at += 2 * length;
  }
  yield samples.subarray(at);
}

async function encoded(
  samples: Buffer,
  lengths: readonly number[] = [],
  format: PcmFormat = SPEECH_PCM,
): Promise<Buffer> {
  const frames: Buffer[] = [];
  for await (const frame of encodeMp3(piecesOf(samples, lengths), () => format)) frames.push(frame);
  return Buffer.concat(frames);
}

describe("MP3 of samples", () => {
  it.each([
    [SPEECH_PCM, 64],
    [{ sampleRate: 16_000, channels: 1 }, 64],
    [{ sampleRate: 44_100, channels: 2 }, 128],
    [{ sampleRate: 48_000, channels: 1 }, 64],
  ] as const)("of %j has %d kilobits a second and the sound's length", async (format, kilobits) => {
    const samples = samplesOf(2);
    const seconds = samples.length / (2 * format.channels * format.sampleRate);
    const bytes = await encoded(samples, [], format);
    const mp3 = mp3Of(bytes);
    expect(mp3).toMatchObject(format);
    expect(mp3.seconds).toBeGreaterThanOrEqual(seconds);
    expect(mp3.seconds).toBeLessThan(seconds + 0.15);
    expect((8 * bytes.length) / mp3.seconds / 1_000).toBeCloseTo(kilobits, 0);
  });

  it("is the same however the samples come", async () => {
    const samples = samplesOf(0.4);
    const whole = await encoded(samples);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 12 }), async (lengths) => {
        expect(await encoded(samples, lengths)).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  it("of several sounds at once is not mixed up, and encoders are used again", async () => {
    const sounds = [samplesOf(0.5, 200), samplesOf(0.7, 300), samplesOf(0.3, 400), samplesOf(0.9, 500)];
    const alone: Buffer[] = [];
    for (const sound of sounds) alone.push(await encoded(sound));
    const together = await Promise.all(sounds.map((sound) => encoded(sound, [1_000, 1_000, 1_000])));
    expect(together).toEqual(alone);
  });

  it("begins with the first tenth of a second", async () => {
    let received = 0;
    async function* endless(): AsyncGenerator<Buffer, void, undefined> {
      for (;;) {
        received += 1;
        yield samplesOf(0.1);
      }
    }
    const frames = encodeMp3(endless(), () => SPEECH_PCM);
    expect((await frames.next()).done).toBe(false);
    expect(received).toBe(1);
    await frames.return();
  });

  it("of nothing is nothing", async () => {
    expect(await encoded(Buffer.alloc(0))).toHaveLength(0);
  });
});
