import { MOST_SECTIONS, latin1, createView } from "./picture-header.ts";
import type { PictureHeader } from "./picture-header.ts";

const SIGNATURE = "\x89PNG\r\n\x1a\n";
const FIRST_CHUNK = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_OVERHEAD = 12;
/** Colour types with a channel for transparency: grey with alpha, true colour with alpha. */
const WITH_ALPHA = new Set([4, 6]);
/** PNG specification: "zero is an invalid value", at most 2³¹ - 1. */
const LARGEST_SIDE = 0x7f_ff_ff_ff;

export function isPng(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, SIGNATURE.length) === SIGNATURE;
}

/** @returns null when the header is broken. Chunks are skipped by their length, so none of them is unpacked. */
export function readPng(bytes: Uint8Array): PictureHeader | null {
  const view = createView(bytes);
  if (bytes.length < 33 || view.getUint32(FIRST_CHUNK) !== 13 || latin1(bytes, 12, 4) !== "IHDR") return null;
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) return null;
  const found = listSections(bytes, view);
  if (found === null) return null;
  const alpha = WITH_ALPHA.has(view.getUint8(25)) || found.has("tRNS");
  return { mediaType: "image/png", width, height, alpha, animated: found.has("acTL") };
}

/** Returns the types of the chunks before the image data; null if there is no image data. */
function listSections(bytes: Uint8Array, view: DataView): ReadonlySet<string> | null {
  const found = new Set<string>();
  let offset = FIRST_CHUNK;
  for (let sections = 0; sections < MOST_SECTIONS && offset + 8 <= bytes.length; sections += 1) {
    const type = latin1(bytes, offset + 4, 4);
    if (type === "IDAT") return found;
    if (type === "IEND") return null;
    found.add(type);
    offset += CHUNK_OVERHEAD + view.getUint32(offset);
  }
  return null;
}
