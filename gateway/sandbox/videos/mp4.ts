/** A coded film, picture by picture. */
export interface CodedFilm {
  readonly width: number;
  readonly height: number;
  /** Pictures a second. */
  readonly rate: number;
  /** The two units that a decoder needs first. */
  readonly sequence: Buffer;
  readonly pictures: Buffer;
  /** Each picture's unit. */
  readonly samples: readonly Buffer[];
  /** Indices of the pictures that stand by themselves. */
  readonly keys: readonly number[];
}

/** Parts of one picture's time: a common multiple, as other writers have it. */
const TICKS = 512;
const UNITY = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1_073_741_824];
const UNDETERMINED = 0x55c4;

/** An MP4 file with one track of H.264 (ISO/IEC 14496-12 and -15), its index before its pictures. */
export function mp4Of(film: CodedFilm): Buffer {
  const type = box("ftyp", text("isom"), u32(0x200), text("isomiso2avc1mp41"));
  const { length } = moov(film, 0);
  const head = Buffer.concat([type, moov(film, type.length + length + 8)]);
  const pictures = film.samples.flatMap((sample) => [u32(sample.length), sample]);
  return Buffer.concat([head, box("mdat", ...pictures)]);
}

/** @param offset of the first picture in the file. */
function moov(film: CodedFilm, offset: number): Buffer {
  const { width, height, rate, samples } = film;
  const duration = u32(samples.length * TICKS);
  const scale = u32(rate * TICKS);
  const noTimes = u32(0, 0);
  return box(
    "moov",
    // Speed 1, volume 1, the next free track is 2.
    full("mvhd", 0, noTimes, scale, duration, u32(65_536), u16(256), zeros(10), u32(...UNITY), zeros(24), u32(2)),
    box(
      "trak",
      // Enabled, in the film and in its preview.
      full("tkhd", 3, noTimes, u32(1, 0), duration, zeros(16), u32(...UNITY, width * 65_536, height * 65_536)),
      box(
        "mdia",
        full("mdhd", 0, noTimes, scale, duration, u16(UNDETERMINED, 0)),
        full("hdlr", 0, u32(0), text("vide"), zeros(12), text("Postern sandbox\0")),
        box(
          "minf",
          full("vmhd", 1, zeros(8)),
          box("dinf", full("dref", 0, u32(1), full("url ", 1))),
          sampleTable(film, offset),
        ),
      ),
    ),
  );
}

function sampleTable(film: CodedFilm, offset: number): Buffer {
  const { samples, keys } = film;
  const sizes = samples.map((sample) => sample.length + 4);
  return box(
    "stbl",
    full("stsd", 0, u32(1), avc1(film)),
    full("stts", 0, u32(1, samples.length, TICKS)),
    full("stss", 0, u32(keys.length, ...keys.map((index) => index + 1))),
    full("stsc", 0, u32(1, 1, samples.length, 1)),
    full("stsz", 0, u32(0, sizes.length, ...sizes)),
    full("stco", 0, u32(1, offset)),
  );
}

function avc1({ width, height, sequence, pictures }: CodedFilm): Buffer {
  // Version, profile as the sequence has it, lengths of four bytes; one unit of each kind.
  const profile = sequence.subarray(1, 4);
  const avcC = box(
    "avcC",
    Buffer.from([1, ...profile, 0xff, 0xe1]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(pictures.length),
    pictures,
  );
  const dotsPerInch = u32(72 * 65_536, 72 * 65_536);
  // The first description of data; one picture a sample; no name; 24 bits of colour, no palette.
  const head = [zeros(6), u16(1), zeros(16), u16(width, height), dotsPerInch, u32(0), u16(1), zeros(32)];
  return box("avc1", ...head, u16(24, 0xffff), avcC);
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), text(type), ...content], length);
}

/** A box with a version, 0, and flags. */
function full(type: string, flags: number, ...content: readonly Buffer[]): Buffer {
  return box(type, u32(flags), ...content);
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

function zeros(length: number): Buffer {
  return Buffer.alloc(length);
}

function text(value: string): Buffer {
  return Buffer.from(value, "latin1");
}
