/** How a column of figures is written: as what each is above the least one, in as few bytes as take the largest. */
export interface ColumnForm {
  readonly base: number;
  /** Bytes of a figure; 0 where all are the same. With 8 the figures are as they are. */
  readonly width: number;
  /** Whether some are null: all bits of their bytes are set. */
  readonly hasNull: boolean;
}

const WIDTHS = [1, 2, 4] as const;

/** Columns begin at multiples of eight bytes, where figures of any width may lie. */
export const paddedTo8 = (length: number): number => Math.ceil(length / 8) * 8;

/** @param values NaN: null */
export function encodeColumn(values: Float64Array): ColumnForm & { readonly bytes: Uint8Array } {
  let [least, most, hasNull, isWhole] = [Infinity, -Infinity, false, true];
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] as number;
    if (Number.isNaN(value)) {
      hasNull = true;
      continue;
    }
    if (value < least) least = value;
    if (value > most) most = value;
    isWhole &&= Number.isSafeInteger(value);
  }
  if (least > most) return { base: Number.NaN, width: 0, hasNull, bytes: new Uint8Array() };
  if (least === most && !hasNull) return { base: least, width: 0, hasNull, bytes: new Uint8Array() };
  const width = isWhole ? WIDTHS.find((bytes) => most - least < 256 ** bytes - 1) : undefined;
  const bytes = new Uint8Array(paddedTo8(values.length * (width ?? 8)));
  if (width === undefined) {
    new Float64Array(bytes.buffer).set(values);
    return { base: 0, width: 8, hasNull, bytes };
  }
  const written = arrayOf(width, bytes, 0, values.length);
  const nothing = 256 ** width - 1;
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] as number;
    written[place] = Number.isNaN(value) ? nothing : value - least;
  }
  return { base: least, width, hasNull, bytes };
}

/** @param start of the column in `bytes`, where figures of its width may lie @param into as many as there are */
export function decodeColumn(
  { base, width, hasNull }: ColumnForm,
  bytes: Uint8Array,
  start: number,
  into: Float64Array,
): void {
  if (width === 0) {
    into.fill(base);
    return;
  }
  const written = arrayOf(width, bytes, start, into.length);
  if (width === 8) {
    into.set(written);
    return;
  }
  for (let place = 0; place < into.length; place += 1) into[place] = base + (written[place] as number);
  if (!hasNull) return;
  const nothing = base + 256 ** width - 1;
  for (let place = 0; place < into.length; place += 1) if (into[place] === nothing) into[place] = Number.NaN;
}

function arrayOf(width: number, { buffer, byteOffset }: Uint8Array, start: number, length: number) {
  const at = byteOffset + start;
  if (width === 1) return new Uint8Array(buffer, at, length);
  if (width === 2) return new Uint16Array(buffer, at, length);
  return width === 4 ? new Uint32Array(buffer, at, length) : new Float64Array(buffer, at, length);
}
