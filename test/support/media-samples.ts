import { crc32 } from "node:zlib";
import type { MediaOriginRecord } from "../../gateway/contract/media.ts";

/** Small files of every type that the library keeps: whole where a reader looks, otherwise just their beginnings. */

/** A PNG by its header. `seed` makes different bytes of the same picture size. */
export function png(width: number, height: number, seed = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("tEXt", Buffer.from(`seed\0${seed}`)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Mono PCM of 16 bits. `claimed` is the length of the data that the header tells, when it is not the true one. */
export function wav(ms: number, rate = 24_000, claimed?: number): Buffer {
  const data = Buffer.alloc(Math.round((rate * ms) / 1_000) * 2);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(claimed ?? data.length, 40);
  return Buffer.concat([header, data]);
}

/** Frames of MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes and 26.122 ms each. */
export function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** An Ogg file of Opus whose last page says how many 48ths of a millisecond there are. */
export function opus(ms: number, skipped = 312): Buffer {
  const page = (granule: bigint, body: Buffer): Buffer => {
    const header = Buffer.alloc(27);
    header.write("OggS", 0, "latin1");
    header.writeBigInt64LE(granule, 6);
    return Buffer.concat([header, body]);
  };
  const head = Buffer.alloc(19);
  head.write("OpusHead", 0, "latin1");
  head.writeUInt16LE(skipped, 10);
  return Buffer.concat([page(0n, head), page(BigInt(ms * 48 + skipped), Buffer.alloc(200))]);
}

/** A FLAC file of `ms` at 44.1 kHz, by its STREAMINFO. */
export function flac(ms: number): Buffer {
  const bytes = Buffer.alloc(42);
  bytes.write("fLaC", 0, "latin1");
  bytes.writeUInt32BE(34, 4);
  bytes.writeUInt32BE((44_100 << 12) >>> 0, 18);
  bytes.writeUInt32BE(Math.round((44_100 * ms) / 1_000), 22);
  return bytes;
}

/** An ISO file that begins with its brands. */
export function iso(...brands: readonly string[]): Buffer {
  const size = Buffer.alloc(4);
  const [major = "", ...compatible] = brands;
  const body = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join("")}`, "latin1");
  size.writeUInt32BE(body.length + 4);
  return Buffer.concat([size, body, Buffer.alloc(64)]);
}

export const webm = (): Buffer =>
  Buffer.concat([Buffer.from("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm", "latin1"), Buffer.alloc(64)]);

/** What a result came from. */
export function mediaOrigin(changes: Partial<MediaOriginRecord> = {}): MediaOriginRecord {
  return {
    request_id: "req_1",
    key: "key_1",
    endpoint: "images",
    model: "gpt-image-1",
    provider: "openai",
    prompt: "A lighthouse at dusk.",
    parameters: { size: "1024x1024" },
    seed: 7,
    nano: 40_000_000,
    sandbox: false,
    ...changes,
  };
}
