import { crc32, deflateSync } from "node:zlib";

/** Writers of pictures in one colour: files of any size from a few bytes of work, in each format that can be asked for. */

export type PictureFormat = "png" | "jpeg" | "webp";

/** Red, green, blue, opacity: 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

export interface FlatPicture {
  readonly colour: Colour;
  readonly width: number;
  readonly height: number;
}

/** A picture as a file. A JPEG has no opacity. */
export function writePicture(picture: FlatPicture, format: PictureFormat): Buffer {
  switch (format) {
    case "png":
      return writePng(picture);
    case "jpeg":
      return writeJpeg(picture);
    case "webp":
      return writeWebp(picture);
  }
}

/** Writes a PNG with a one-colour palette and one zero bit per pixel. */
function writePng({ colour: [red, green, blue, alpha], width, height }: FlatPicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3, 0, 0, 0], 8);
  const pixels = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("PLTE", Buffer.from([red, green, blue])),
    ...(alpha === 255 ? [] : [pngChunk("tRNS", Buffer.from([alpha]))]),
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}

/** Components of a JPEG: brightness and two colour differences, each in full size. */
const COMPONENTS = [1, 2, 3];

/**
 * Writes a baseline JPEG (ITU T.81) whose blocks have a mean and no detail. With a step of 8 the coded number is the
 * block's mean; lengths of differences have four-bit codes, "no detail" is a zero.
 */
function writeJpeg({ colour: [red, green, blue], width, height }: FlatPicture): Buffer {
  const means = [
    Math.round(0.299 * red + 0.587 * green + 0.114 * blue) - 128,
    Math.round(-0.168_7 * red - 0.331_3 * green + 0.5 * blue),
    Math.round(0.5 * red - 0.418_7 * green - 0.081_3 * blue),
  ];
  const first = means
    .map((mean) => {
      const length = 32 - Math.clz32(Math.abs(mean));
      const digits = mean < 0 ? mean + (1 << length) - 1 : mean;
      return `${writeBits(length, 4)}${writeBits(digits, length)}0`;
    })
    .join("");
  // Every block after the first has no difference: 15 zeros, padded with ones to a full byte.
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) - 1;
  const bits = first.length + blocks * COMPONENTS.length * 5;
  const scan = Buffer.alloc(Math.ceil(bits / 8));
  scan.set(packBits(first));
  const last = scan.length - 1;
  scan[last] = (scan[last] ?? 0) | (0xff >> (bits % 8 || 8));
  const stuffed = [...scan.subarray(0, 8)].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    // JFIF 1.1, without a density and without a thumbnail.
    jpegSegment(0xe0, [...Buffer.from("JFIF\0", "latin1"), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    jpegSegment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    jpegSegment(0xc0, [
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      3,
      ...COMPONENTS.flatMap((id) => [id, 0x11, 0]),
    ]),
    jpegSegment(0xc4, [0x00, ...countCodes(4, 12), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    jpegSegment(0xc4, [0x10, ...countCodes(1, 1), 0]),
    jpegSegment(0xda, [3, ...COMPONENTS.flatMap((id) => [id, 0x00]), 0, 63, 0]),
    Buffer.from(stuffed),
    scan.subarray(8),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function jpegSegment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** How many codes there are of each length from 1 to 16. */
function countCodes(length: number, codes: number): readonly number[] {
  return Array.from({ length: 16 }, (_, index) => (index + 1 === length ? codes : 0));
}

/** A lossless WebP (RFC 9649) without a single pixel in it: a prefix code with one value takes no bits. */
function writeWebp({ colour: [red, green, blue, alpha], width, height }: FlatPicture): Buffer {
  const fields: readonly (readonly [value: number, length: number])[] = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    [alpha === 255 ? 0 : 1, 1],
    // Version; no transform, no colour cache, no groups of codes.
    [0, 6],
    // A code with one value of eight bits for each channel, and one for distances.
    ...[green, red, blue, alpha, 0].flatMap((value) => [[0b101, 3] as const, [value, 8] as const]),
  ];
  // Numbers are written from their lowest bit on.
  const bits = fields.map(([value, length]) => reverseText(writeBits(value, length))).join("");
  const content = packBits(bits.padEnd(Math.ceil(bits.length / 16) * 16, "0")).map(reverseByte);
  const head = Buffer.alloc(20);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(12 + content.length, 4);
  head.write("WEBPVP8L", 8, "latin1");
  head.writeUInt32LE(content.length, 16);
  return Buffer.concat([head, content]);
}

const writeBits = (value: number, length: number): string =>
  length === 0 ? "" : value.toString(2).padStart(length, "0");

/** Bits as bytes, the last one filled up with zeros. */
const packBits = (bits: string): Uint8Array =>
  Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, "0"), 2));

const reverseText = (text: string): string => Array.from(text).toReversed().join("");

const reverseByte = (byte: number): number => Number.parseInt(reverseText(writeBits(byte, 8)), 2);
