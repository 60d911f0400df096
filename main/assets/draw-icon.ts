import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { markCoverage } from "../policy/mark.ts";

/**
 * Draws icon.png, from which electron-builder makes the icons of all platforms: the mark in white on the accent
 * colour. Run by hand after a change of the mark: `node main/assets/draw-icon.ts`.
 */

const SIZE = 1024;
/** Part of the icon that the mark fills; the rest is its margin. */
const MARK_SIZE = 640;
const MARGIN = (SIZE - MARK_SIZE) / 2;
/** macOS expects about a tenth of air around the tile and corners of about a fifth. */
const TILE_INSET = 92;
const TILE_RADIUS = 188;
/** `--accent` of renderer/styles/tokens.css in sRGB. */
const ACCENT = [15, 92, 98] as const;

/** How much of the pixel the rounded tile covers, 0 to 1. */
function tileCoverage(x: number, y: number): number {
  const half = SIZE / 2 - TILE_INSET - TILE_RADIUS;
  const dx = Math.max(0, Math.abs(x + 0.5 - SIZE / 2) - half);
  const dy = Math.max(0, Math.abs(y + 0.5 - SIZE / 2) - half);
  return Math.max(0, Math.min(1, TILE_RADIUS - Math.hypot(dx, dy) + 0.5));
}

/** RGBA, row by row from the top. */
function drawIcon(): Buffer {
  const mark = markCoverage(MARK_SIZE);
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const isOnMark = x >= MARGIN && x < SIZE - MARGIN && y >= MARGIN && y < SIZE - MARGIN;
      const white = isOnMark ? (mark[(y - MARGIN) * MARK_SIZE + x - MARGIN] ?? 0) / 255 : 0;
      const at = (y * SIZE + x) * 4;
      ACCENT.forEach((channel, index) => (pixels[at + index] = Math.round(channel + (255 - channel) * white)));
      pixels[at + 3] = Math.round(255 * tileCoverage(x, y));
    }
  }
  return pixels;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** PNG 1.2, 8 bits a channel, RGBA, every row unfiltered. */
function encodePng(pixels: Buffer, size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: size }, (_, y) => [
    Buffer.of(0),
    pixels.subarray(y * size * 4, (y + 1) * size * 4),
  ]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

writeFileSync(join(import.meta.dirname, "icon.png"), encodePng(drawIcon(), SIZE));
