import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { type Mosaic, TILE } from "./mosaic.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const PALETTE_COLOURS = 3;
/** A row that is written as its difference to the row above. */
const FILTER_UP = 2;
const compress = promisify(deflate);

/** A PNG with a palette. It is compressed on another thread. */
export async function pngOf(mosaic: Mosaic): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(mosaic.width, 0);
  header.writeUInt32BE(mosaic.height, 4);
  header.set([8, PALETTE_COLOURS, 0, 0, 0], 8);
  const colours = Buffer.from(mosaic.palette.flatMap(([red, green, blue]) => [red, green, blue]));
  const opacity = Buffer.from(mosaic.palette.map((colour) => colour[3]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    ...(mosaic.transparent ? [chunk("tRNS", opacity)] : []),
    chunk("IDAT", await compress(rowsOf(mosaic), { level: 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Rows within a tile are the same as the row above: zeros. */
function rowsOf({ width, height, columns, tiles }: Mosaic): Buffer {
  const line = width + 1;
  const bytes = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * line;
    if (y % TILE !== 0) {
      bytes[start] = FILTER_UP;
      continue;
    }
    const first = (y / TILE) * columns;
    for (let column = 0; column < columns; column += 1) {
      const from = start + 1 + column * TILE;
      bytes.fill(tiles[first + column] ?? 0, from, Math.min(from + TILE, start + line));
    }
  }
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
