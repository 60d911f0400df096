/** What an MP4 file says of itself, read from its boxes. */
export interface ReadFilm {
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  /** Types of the units of each picture (5: stands by itself, 1: does not). */
  readonly pictures: readonly number[];
  /** Numbers of the pictures at which players can begin, from 1. */
  readonly keys: readonly number[];
  /** `42c01f`: profile, constraints, level. */
  readonly profile: string;
}

/** @throws Error when the index does not fit the pictures to the byte. */
export function readFilm(file: Buffer): ReadFilm {
  const top = boxesIn(file);
  const moov = boxesIn(at(top, "moov"));
  const trak = boxesIn(at(moov, "trak"));
  const mdia = boxesIn(at(trak, "mdia"));
  const table = boxesIn(at(boxesIn(at(mdia, "minf")), "stbl"));
  const [mvhd, mdhd, tkhd] = [at(moov, "mvhd"), at(mdia, "mdhd"), at(trak, "tkhd")];
  const [avc1] = boxesIn(at(table, "stsd").subarray(8));
  const content = avc1?.content ?? Buffer.alloc(0);
  const avcC = at(boxesIn(content.subarray(78)), "avcC");
  const [width, height] = [content.readUInt16BE(24), content.readUInt16BE(26)];
  const sizes = figures(at(table, "stsz").subarray(12));
  let offset = at(table, "stco").readUInt32BE(8);
  const pictures = sizes.map((size) => {
    if (file.readUInt32BE(offset) !== size - 4) throw new Error("a picture's length is not that of the index");
    const type = (file[offset + 4] ?? 0) & 31;
    offset += size;
    return type;
  });
  if (offset !== file.length) throw new Error("there are bytes behind the last picture");
  const [entries, count = 0, ticks = 0] = figures(at(table, "stts").subarray(4));
  if (entries !== 1 || count !== sizes.length) throw new Error("the times are not those of the pictures");
  const seconds = (count * ticks) / mdhd.readUInt32BE(12);
  for (const header of [mvhd, mdhd]) {
    if (header.readUInt32BE(16) / header.readUInt32BE(12) !== seconds) throw new Error("two lengths");
  }
  if (tkhd.readUInt32BE(76) / 65_536 !== width || tkhd.readUInt32BE(80) / 65_536 !== height)
    throw new Error("two sizes");
  return {
    seconds,
    width,
    height,
    pictures,
    keys: keysIn(table, pictures),
    profile: avcC.toString("hex", 1, 4),
  };
}

/** Without a list of them, players can begin at each picture. */
function keysIn(table: readonly Box[], pictures: readonly number[]): readonly number[] {
  return table.some(({ type }) => type === "stss")
    ? figures(at(table, "stss").subarray(8))
    : pictures.map((_, index) => index + 1);
}

interface Box {
  readonly type: string;
  readonly content: Buffer;
}

function boxesIn(bytes: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  for (let from = 0; from < bytes.length;) {
    const length = bytes.readUInt32BE(from);
    if (length < 8 || from + length > bytes.length) throw new Error("a box does not fit");
    boxes.push({
      type: bytes.toString("latin1", from + 4, from + 8),
      content: bytes.subarray(from + 8, from + length),
    });
    from += length;
  }
  return boxes;
}

function at(boxes: readonly Box[], type: string): Buffer {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new Error(`no ${type} among ${boxes.map((box) => box.type).join(", ")}`);
  return found.content;
}

function figures(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4));
}
