import { latin1, createView } from "./picture-header.ts";
import type { PictureHeader } from "./picture-header.ts";

/** Offset of the first chunk's content: `RIFF`, size, `WEBP`, the chunk's name, its size. */
const CONTENT = 20;
const LOSSLESS_MARK = 0x2f;
const ALPHA_FLAG = 0x10;
const ANIMATION_FLAG = 0x02;

export function isWebp(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, 4) === "RIFF" && latin1(bytes, 8, 4) === "WEBP";
}

/** @returns null when the header is broken (WebP container specification; RFC 9649). */
export function readWebp(bytes: Uint8Array): PictureHeader | null {
  if (bytes.length < CONTENT + 10) return null;
  const view = createView(bytes);
  switch (latin1(bytes, 12, 4)) {
    case "VP8 ":
      return lossy(bytes, view);
    case "VP8L":
      return lossless(view);
    case "VP8X":
      return readExtended(view);
    default:
      return null;
  }
}

/** Three bytes of frame tag, a start code, then 14 bits each; two bits above them scale what is shown. */
function lossy(bytes: Uint8Array, view: DataView): PictureHeader | null {
  if (latin1(bytes, CONTENT + 3, 3) !== "\x9d\x01\x2a") return null;
  const width = view.getUint16(CONTENT + 6, true) & 0x3f_ff;
  const height = view.getUint16(CONTENT + 8, true) & 0x3f_ff;
  return width < 1 || height < 1 ? null : header(width, height, false, false);
}

function lossless(view: DataView): PictureHeader | null {
  if (view.getUint8(CONTENT) !== LOSSLESS_MARK) return null;
  const bits = view.getUint32(CONTENT + 1, true);
  return header((bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1, ((bits >>> 28) & 1) === 1, false);
}

function readExtended(view: DataView): PictureHeader {
  const flags = view.getUint8(CONTENT);
  const side = (offset: number): number => (view.getUint32(offset, true) & 0xff_ff_ff) + 1;
  const width = side(CONTENT + 4);
  // The last three of its ten bytes: read from one byte before, so that nothing after the chunk is needed.
  const height = (view.getUint32(CONTENT + 6, true) >>> 8) + 1;
  return header(width, height, (flags & ALPHA_FLAG) !== 0, (flags & ANIMATION_FLAG) !== 0);
}

function header(width: number, height: number, alpha: boolean, animated: boolean): PictureHeader {
  return { mediaType: "image/webp", width, height, alpha, animated };
}
