import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";
import decodeWebp, { init } from "@jsquash/webp/decode.js";
import { imageSize } from "image-size";
import jpeg from "jpeg-js";

/** A picture, decoded by someone else's code. */
export interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, opacity of a pixel. */
  at(x: number, y: number): readonly number[];
}

export async function decoded(bytes: Buffer): Promise<Decoded> {
  const { type } = imageSize(bytes);
  if (type === "png") return decodedPng(bytes);
  const image =
    type === "jpg" ? jpeg.decode(bytes, { maxResolutionInMP: 20, maxMemoryUsageInMB: 1_024 }) : await webp(bytes);
  return {
    width: image.width,
    height: image.height,
    at: (x, y) => [...image.data.subarray(4 * (y * image.width + x), 4 * (y * image.width + x) + 4)],
  };
}

let ready: Promise<void> | null = null;

async function webp(bytes: Buffer): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
  // Browsers have it; Node has not.
  (globalThis as { ImageData?: unknown }).ImageData ??= class {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  };
  ready ??= compile();
  await ready;
  return decodeWebp(new Uint8Array(bytes).buffer);
}

async function compile(): Promise<void> {
  const file = createRequire(import.meta.url).resolve("@jsquash/webp/codec/dec/webp_dec.wasm");
  // The types of Node do not know it.
  const { WebAssembly: assembly } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Buffer): Promise<never> };
  };
  await init(await assembly.compile(await readFile(file)));
}

/** Palette images of one bit, which is what the sandbox writes; anything else throws. */
function decodedPng(bytes: Buffer): Decoded {
  const chunks = new Map<string, Buffer>();
  for (let offset = 8; offset < bytes.length;) {
    const length = bytes.readUInt32BE(offset);
    chunks.set(bytes.toString("latin1", offset + 4, offset + 8), bytes.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const header = chunks.get("IHDR") ?? Buffer.alloc(0);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.toString("hex", 8) !== "0103000000") throw new Error("not a palette image of one bit");
  const line = 1 + Math.ceil(width / 8);
  const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  if (rows.length !== line * height) throw new Error("not as many pixels as the header says");
  const palette = chunks.get("PLTE") ?? Buffer.alloc(0);
  const opacity = chunks.get("tRNS");
  return {
    width,
    height,
    at: (x, y) => {
      const index = ((rows[y * line + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      return [...palette.subarray(3 * index, 3 * index + 3), opacity?.[index] ?? 255];
    },
  };
}
