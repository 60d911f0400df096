import { oggPage } from "./ogg.ts";
import { LOWEST_NOTE, OPUS_NOTES, PACKETS_PER_NOTE, PACKET_BYTES } from "./opus-notes.ts";
import type { Melody } from "./tones.ts";

/** Opus always counts 48,000 samples a second; a packet here has 20 ms. */
const RATE = 48_000;
const SAMPLES_PER_PACKET = 960;
/** What a decoder throws away at the beginning (RFC 7845, 4.2): the coder's own delay. */
const PRE_SKIP = 312;
const PACKETS_PER_PAGE = 25;
const HALF_TONES_PER_NOTE = 2;
/** Twenty milliseconds of nothing, in a mode that the notes may change to and from. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

/** A melody as an Ogg Opus file (RFC 7845), page by page. */
export async function* opusOf(melody: Melody): AsyncGenerator<Buffer, void, undefined> {
  const packets = [...packetsOf(melody)];
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

function* packetsOf({ notes }: Melody): Generator<Buffer, void, undefined> {
  let due = 0;
  let made = 0;
  for (const { pitch, seconds } of notes) {
    due += (seconds * RATE) / SAMPLES_PER_PACKET;
    for (let index = 0; made < due; index += 1) {
      yield pitch === 0 ? SILENCE : recorded(pitch, index);
      made += 1;
    }
  }
}

let recordings: Buffer | undefined;

/** A packet of the recorded note that is nearest to a pitch. */
function recorded(pitch: number, index: number): Buffer {
  recordings ??= Buffer.from(OPUS_NOTES, "base64");
  const count = recordings.length / (PACKETS_PER_NOTE * PACKET_BYTES);
  const nearest = Math.round((12 * Math.log2(pitch / LOWEST_NOTE)) / HALF_TONES_PER_NOTE);
  const note = Math.max(0, Math.min(count - 1, nearest));
  const at = (note * PACKETS_PER_NOTE + (index % PACKETS_PER_NOTE)) * PACKET_BYTES;
  return recordings.subarray(at, at + PACKET_BYTES);
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
