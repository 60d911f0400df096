import { crc32 } from "node:zlib";

/** Characters at a time. UTF-16 is how V8 holds most long texts: UTF-8 takes up to seven times as long to write. */
const MAX_CHARACTERS = 16 * 1_024;
const room = Buffer.allocUnsafeSlow(2 * MAX_CHARACTERS);

/** Returns the CRC-32 of a text in UTF-16. @param before of what precedes it; 0 at the beginning */
export function sumText(text: string, before: number): number {
  let sum = before;
  for (let at = 0; at < text.length; at += MAX_CHARACTERS) {
    const piece = text.length <= MAX_CHARACTERS ? text : text.slice(at, at + MAX_CHARACTERS);
    sum = crc32(room.subarray(0, room.write(piece, "utf16le")), sum);
  }
  return sum;
}
