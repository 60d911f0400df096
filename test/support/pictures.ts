import { crc32, deflateSync } from "node:zlib";
import { drawPicture } from "../../gateway/sandbox/images/picture.ts";

export interface PngOptions {
  readonly width?: number;
  readonly height?: number;
  /** As PNG numbers them: 6 is true colour with alpha, 2 without. */
  readonly colourType?: number;
  /** Between the header and the picture. */
  readonly chunks?: readonly (readonly [type: string, content: Buffer])[];
  /** Bytes behind the picture, so that the file has a size. */
  readonly padding?: number;
}

/** A PNG that says what it is reported to say. Its pixels are all zero; a large one has none, as only its header counts. */
export function png({ width = 64, height = 64, colourType = 6, chunks = [], padding = 0 }: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType], 8);
  const channels = colourType === 6 ? 4 : colourType === 2 ? 3 : 1;
  const pixels = width * height > 1_000_000 ? Buffer.alloc(0) : Buffer.alloc((width * channels + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...chunks.map(([type, content]) => chunk(type, content)),
    chunk("IDAT", deflateSync(pixels)),
    ...(padding === 0 ? [] : [chunk("paDd", Buffer.alloc(padding))]),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** An animated PNG, as far as its header goes. */
export function animatedPng(): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(2, 0);
  return png({ chunks: [["acTL", control]] });
}

export function jpeg(width = 64, height = 64): Buffer {
  return drawPicture({ digits: "a test", width, height, format: "jpeg" });
}

export function webp(width = 64, height = 64): Buffer {
  return drawPicture({ digits: "a test", width, height, format: "webp" });
}

/** An extended WebP header: 0x02 is animated, 0x10 has transparency. */
export function extendedWebp(flags: number, width = 64, height = 64): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(32, 4);
  bytes.write("WEBPVP8X", 8, "latin1");
  bytes.writeUInt32LE(10, 16);
  bytes[20] = flags;
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}
