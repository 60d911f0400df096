import type { BitWriter } from "./bit-writer.ts";

/** What a unit holds (ITU-T H.264, table 7-1). */
export const UNIT = { picture: 1, keyPicture: 5, sequence: 7, pictures: 8 } as const;

const REFERENCE = 0x60;
const ESCAPE = 3;

/** A NAL unit: its type, and its bits with an escape wherever they would look like the beginning of another one. */
export function unitOf(type: number, bits: BitWriter): Buffer {
  const content = bits.end();
  const bytes = Buffer.alloc(1 + Math.ceil(content.length * 1.5));
  bytes[0] = REFERENCE | type;
  let length = 1;
  let zeros = 0;
  for (const byte of content) {
    if (zeros === 2 && byte <= ESCAPE) {
      bytes[length] = ESCAPE;
      length += 1;
      zeros = 0;
    }
    bytes[length] = byte;
    length += 1;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return bytes.subarray(0, length);
}
