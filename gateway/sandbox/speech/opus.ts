import samples from "./opus-notes.json" with { type: "json" };
import type { Melody } from "./tones.ts";

/** Opus always counts 48,000 samples a second; a packet here has 20 ms. */
const RATE = 48_000;
const SAMPLES_PER_PACKET = 960;
/** Samples that a decoder drops at the start (RFC 7845, 4.2): the encoder's delay. */
const PRE_SKIP = 312;
const PACKETS_PER_PAGE = 25;
const HALF_TONES_PER_NOTE = 2;
/** Twenty milliseconds of nothing, in a mode that the notes may change to and from. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

/** A melody as an Ogg Opus file (RFC 7845), page by page. */
export async function* writeOpus(melody: Melody): AsyncGenerator<Buffer, void, undefined> {
  const packets = [...listPackets(melody)];
  const stream = packets.length;
  yield oggPage(stream, { packets: [identity()], position: 0, number: 0, last: false });
  yield oggPage(stream, { packets: [comment()], position: 0, number: 1, last: false });
  let number = 2;
  for (let at = 0; at < packets.length; at += PACKETS_PER_PAGE) {
    const end = Math.min(packets.length, at + PACKETS_PER_PAGE);
    const last = end === packets.length;
    const position = end * SAMPLES_PER_PACKET;
    yield oggPage(stream, { packets: packets.slice(at, end), position, number, last });
    number += 1;
  }
}

function* listPackets({ notes }: Melody): Generator<Buffer, void, undefined> {
  let due = 0;
  let made = 0;
  for (const { pitch, seconds } of notes) {
    due += (seconds * RATE) / SAMPLES_PER_PACKET;
    for (let index = 0; made < due; index += 1) {
      yield pitch === 0 ? SILENCE : pickPacket(pitch, index);
      made += 1;
    }
  }
}

/**
 * Recorded notes, because there is no Opus encoder here: twelve ascending tones, two semitones apart. Encoded with
 * libopus 1.3.1: 24 kHz, mono, CELT only, constant bit rate, without prediction, so that packets can be combined in any
 * order.
 */
const notes = Buffer.from(samples.notes, "base64");

/** A packet of the recorded note that is nearest to a pitch. */
function pickPacket(pitch: number, index: number): Buffer {
  const { lowestHertz, packetsPerNote, bytesPerPacket } = samples;
  const count = notes.length / (packetsPerNote * bytesPerPacket);
  const nearest = Math.round((12 * Math.log2(pitch / lowestHertz)) / HALF_TONES_PER_NOTE);
  const note = Math.max(0, Math.min(count - 1, nearest));
  const at = (note * packetsPerNote + (index % packetsPerNote)) * bytesPerPacket;
  return notes.subarray(at, at + bytesPerPacket);
}

function identity(): Buffer {
  const head = Buffer.alloc(19);
  head.write("OpusHead", 0, "latin1");
  head[8] = 1;
  head[9] = 1;
  head.writeUInt16LE(PRE_SKIP, 10);
  head.writeUInt32LE(24_000, 12);
  return head;
}

function comment(): Buffer {
  const maker = Buffer.from("Postern sandbox");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(maker.length);
  return Buffer.concat([Buffer.from("OpusTags"), length, maker, Buffer.alloc(4)]);
}

const HEAD_BYTES = 27;
/** Max lacing value: a packet's length is a sum of 255s and a last value below. */
const LACE = 255;

export interface OggPage {
  readonly packets: readonly Buffer[];
  /** Samples until the end of this page, at the codec's own rate. */
  readonly position: number;
  /** From 0 up. */
  readonly number: number;
  readonly last: boolean;
}

/** Encodes an Ogg page. Its packets begin and end in it, and have at most 255 lengths in total. */
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
