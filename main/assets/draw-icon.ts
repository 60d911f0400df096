import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { markCoverage } from "../policy/mark.ts";

/**
 * Draws the icons: the mark in white on the accent colour. electron-builder creates the macOS and Windows icons from
 * icon.png; Linux packages take each size from icons/, because the icon theme has no folder for a larger one. Run
 * manually after a change of the mark: `node main/assets/draw-icon.ts`.
 */

const SIZE = 1024;
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
/** Part of the icon's width that the mark fills; the rest is its margin. */
const MARK = 640 / 1024;
/** macOS expects about a tenth of air around the tile and corners of about a fifth. */
const TILE_INSET = 92 / 1024;
const TILE_RADIUS = 188 / 1024;
/** `--accent` of renderer/styles/tokens.css in sRGB. */
const ACCENT = [15, 92, 98] as const;

/** How much of the pixel the rounded tile covers, 0 to 1. */
function computeTileCoverage(x: number, y: number, size: number): number {
  const half = size / 2 - (TILE_INSET + TILE_RADIUS) * size;
  const dx = Math.max(0, Math.abs(x + 0.5 - size / 2) - half);
  const dy = Math.max(0, Math.abs(y + 0.5 - size / 2) - half);
  return Math.max(0, Math.min(1, TILE_RADIUS * size - Math.hypot(dx, dy) + 0.5));
}

/** RGBA, row by row from the top. */
function drawIcon(size: number): Buffer {
  // Whole pixels on both sides, so that the mark is centred.
  const margin = Math.round((size * (1 - MARK)) / 2);
  const markSize = size - 2 * margin;
  const mark = markCoverage(markSize);
  const pixels = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const isOnMark = x >= margin && x < size - margin && y >= margin && y < size - margin;
      const white = isOnMark ? (mark[(y - margin) * markSize + x - margin] ?? 0) / 255 : 0;
      const at = (y * size + x) * 4;
      ACCENT.forEach((channel, index) => (pixels[at + index] = Math.round(channel + (255 - channel) * white)));
      pixels[at + 3] = Math.round(255 * computeTileCoverage(x, y, size));
    }
  }
  return pixels;
}

function getChunk(type: string, data: Buffer): Buffer {
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
    getChunk("IHDR", header),
    getChunk("IDAT", deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    getChunk("IEND", Buffer.alloc(0)),
  ]);
}

const folder = import.meta.dirname;
mkdirSync(join(folder, "icons"), { recursive: true });
writeFileSync(join(folder, "icon.png"), encodePng(drawIcon(SIZE), SIZE));
for (const size of LINUX_SIZES) {
  writeFileSync(join(folder, "icons", `${size}x${size}.png`), encodePng(drawIcon(size), size));
}
