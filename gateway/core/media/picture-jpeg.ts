import { MOST_SECTIONS, createView } from "./picture-header.ts";
import type { PictureHeader } from "./picture-header.ts";

const MARK = 0xff;
/** Markers from C0 to CF that are not frame headers: C4 (Huffman tables), C8 (reserved) and CC (arithmetic coding). */
const NO_FRAME = new Set([0xc4, 0xc8, 0xcc]);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === MARK && bytes[1] === 0xd8 && bytes[2] === MARK;
}

/** @returns null when no frame header comes before the picture's data. */
export function readJpeg(bytes: Uint8Array): PictureHeader | null {
  const view = createView(bytes);
  let offset = 2;
  for (let sections = 0; sections < MOST_SECTIONS; sections += 1) {
    if (bytes[offset] !== MARK) return null;
    while (bytes[offset] === MARK) offset += 1;
    const marker = bytes[offset] ?? END_OF_IMAGE;
    offset += 1;
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE || offset + 2 > bytes.length) return null;
    if (isFrame(marker)) return readFrame(view, offset);
    const length = view.getUint16(offset);
    if (length < 2) return null;
    offset += length;
  }
  return null;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.has(marker);
}

/** Reads length, precision, height, width. A height of 0, given only after the picture, is invalid: no encoder writes it. */
function readFrame(view: DataView, offset: number): PictureHeader | null {
  if (offset + 7 > view.byteLength) return null;
  const height = view.getUint16(offset + 3);
  const width = view.getUint16(offset + 5);
  if (width < 1 || height < 1) return null;
  return { mediaType: "image/jpeg", width, height, alpha: false, animated: false };
}
