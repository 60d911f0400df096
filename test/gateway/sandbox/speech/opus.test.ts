import { createOggEncoder } from "wasm-media-encoders/esnext";
import { describe, expect, it } from "vitest";
import { oggSeconds } from "../../../../gateway/core/media/frame-duration.ts";
import { oggPage, writeOpus } from "../../../../gateway/sandbox/speech/opus.ts";
import { composeMelody } from "../../../../gateway/sandbox/speech/tones.ts";

interface Page {
  readonly bytes: Buffer;
  readonly flags: number;
  readonly position: number;
  readonly stream: number;
  readonly number: number;
  readonly packets: readonly Buffer[];
  /** Whether its last packet goes on in the next page. */
  readonly open: boolean;
}

function pagesOf(file: Buffer): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < file.length;) {
    if (file.toString("latin1", at, at + 4) !== "OggS") throw new Error(`no page at byte ${at}`);
    const count = file.readUInt8(at + 26);
    const lengths = [...file.subarray(at + 27, at + 27 + count)];
    let end = at + 27 + count;
    const packets: Buffer[] = [];
    let packet: Buffer[] = [];
    for (const length of lengths) {
      packet.push(file.subarray(end, end + length));
      end += length;
      if (length === 255) continue;
      packets.push(Buffer.concat(packet));
      packet = [];
    }
    pages.push({
      bytes: file.subarray(at, end),
      flags: file.readUInt8(at + 5),
      position: Number(file.readBigInt64LE(at + 6)),
      stream: file.readUInt32LE(at + 14),
      number: file.readUInt32LE(at + 18),
      packets,
      open: packet.length > 0,
    });
    at = end;
  }
  return pages;
}

async function fileOf(text: string): Promise<Buffer> {
  const pages: Buffer[] = [];
  for await (const page of writeOpus(composeMelody(text, "nova"))) pages.push(page);
  return Buffer.concat(pages);
}

it("makes the same pages of the same packets as libogg does, checksums included", async () => {
  const encoder = await createOggEncoder();
  encoder.configure({ channels: 1, sampleRate: 24_000, vbrQuality: 3, oggSerialNo: 77 });
  const sound = Float32Array.from({ length: 48_000 }, (_, index) => Math.sin(index / 20) / 2);
  const file = Buffer.concat([Buffer.from(encoder.encode([sound])), Buffer.from(encoder.finalize())]);
  // The second page of Vorbis holds packets that are cut; only whole ones are compared.
  const whole = pagesOf(file).filter(({ flags, open }) => (flags & 1) === 0 && !open);
  expect(whole.length).toBeGreaterThan(1);
  for (const { bytes, flags, position, stream, number, packets } of whole) {
    expect(oggPage(stream, { packets, position, number, last: (flags & 4) !== 0 })).toEqual(bytes);
  }
});

describe("the sandbox's Opus", () => {
  it("is an Ogg Opus file as long as the melody", async () => {
    const file = await fileOf("Hello there, how are you? 你好。");
    const pages = pagesOf(file);
    expect(pages[0]?.packets[0]?.toString("latin1", 0, 8)).toBe("OpusHead");
    expect(pages[1]?.packets[0]?.toString("latin1", 0, 8)).toBe("OpusTags");
    expect(pages.map(({ number }) => number)).toEqual(pages.map((_, index) => index));
    expect(pages.map(({ flags }) => flags)).toEqual([2, ...pages.slice(1, -1).map(() => 0), 4]);
    const { seconds } = composeMelody("Hello there, how are you? 你好。", "nova");
    const reportCount = 1_000 * (oggSeconds(file) ?? 0);
    expect(Math.abs((reportCount ?? 0) - 1_000 * seconds)).toBeLessThan(30);
  });

  it("has a packet for each 20 ms, with tones for syllables and silence between words", async () => {
    const packets = pagesOf(await fileOf("one two"))
      .flatMap(({ packets: inside }) => inside)
      .slice(2);
    const tones = packets.filter(({ length }) => length > 3);
    // One mono mode for the tones and one for silence (RFC 6716, 3.1): CELT, 20 ms.
    expect(new Set(packets.map(([first]) => first))).toEqual(new Set([0xd8, 0xf8]));
    expect(tones.length).toBeGreaterThan(packets.length / 2);
    expect(tones.length).toBeLessThan(packets.length);
    expect(new Set(tones.map((packet) => packet.toString("hex"))).size).toBeGreaterThan(8);
  });
});
