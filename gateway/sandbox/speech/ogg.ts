/** Pages of an Ogg stream (RFC 3533). */

const HEAD_BYTES = 27;
/** A packet is told by lengths of 255 and a last one below. */
const LACE = 255;

export interface OggPage {
  readonly packets: readonly Buffer[];
  /** Samples until the end of this page, at the codec's own rate. */
  readonly position: number;
  /** From 0 up. */
  readonly number: number;
  readonly last: boolean;
}

/** The bytes of a page. Its packets begin and end in it, and have at most 255 lengths together. */
export function oggPage(stream: number, { packets, position, number, last }: OggPage): Buffer {
  const lengths = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / LACE) }, () => LACE),
    length % LACE,
  ]);
  const head = Buffer.alloc(HEAD_BYTES + lengths.length);
  head.write("OggS", 0, "latin1");
  head[5] = (number === 0 ? 2 : 0) | (last ? 4 : 0);
  head.writeBigInt64LE(BigInt(position), 6);
  head.writeUInt32LE(stream, 14);
  head.writeUInt32LE(number, 18);
  head[26] = lengths.length;
  head.set(lengths, HEAD_BYTES);
  const page = Buffer.concat([head, ...packets]);
  page.writeUInt32LE(checksum(page), 22);
  return page;
}

/** Ogg's own CRC: the polynomial 0x04c11db7 from the highest bit down, without inversions. */
function checksum(page: Buffer): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  }
  return crc >>> 0;
}
