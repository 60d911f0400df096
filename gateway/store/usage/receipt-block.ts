import { crc32 } from "node:zlib";
import { figureBy, requestFigureSchema } from "../../contract/request-figures.ts";
import { HISTORY_UNITS } from "../../core/history/history-entry.ts";
import type { ReceiptTokens } from "../../core/history/receipt-tokens.ts";
import type { PassedBlock, PassedReceipt, ReceiptSource } from "../store.ts";
import { decodeColumn, encodeColumn, paddedTo8 } from "./number-column.ts";
import { REPEATED_FIELDS } from "./receipt-fields.ts";
import type { RepeatedField } from "./receipt-fields.ts";

/** Receipts of a block. Those behind the last block are read line by line: some milliseconds at the most. */
export const BLOCK_ROWS = 1_024;

const FIGURES = ["n", "at", "start", "length", "status", "stream", "sandbox", "ms", "first_ms", "nano"] as const;
const COUNTS = ["tokens", "output_tokens", "cached_tokens", "fees"] as const;
/** `start` and `length` are those of the line in its segment, from the beginning of the block. */
type NumberColumn = (typeof FIGURES)[number] | (typeof COUNTS)[number];

const UNITS = FIGURES.length + COUNTS.length;
const CODES = UNITS + HISTORY_UNITS.length;
const COLUMNS = CODES + REPEATED_FIELDS.length;
const PLACES = Object.fromEntries([...FIGURES, ...COUNTS].map((name, place) => [name, place])) as Readonly<
  Record<NumberColumn, number>
>;
const CODE_PLACES = Object.fromEntries(REPEATED_FIELDS.map((name, place) => [name, CODES + place])) as Readonly<
  Record<RepeatedField, number>
>;

/** Of each column: the least figure, the bytes of one, and whether some are null. */
const ENTRY_BYTES = 16;
const DIRECTORY_BYTES = paddedTo8(COLUMNS * ENTRY_BYTES + (REPEATED_FIELDS.length + 1) * 4);

/** The least and the most of a figure. */
export type FigureRange = [least: number, most: number];

function widen(range: FigureRange, figure: number | null): void {
  // What is no number comes behind all others, like what has none.
  if (figure === null || !Number.isFinite(figure)) return;
  if (!(figure >= range[0])) range[0] = figure;
  if (!(figure <= range[1])) range[1] = figure;
}

/** What is known of a block without a look at it. */
export interface BlockSummary {
  readonly rows: number;
  readonly firstMoment: number;
  readonly lastMoment: number;
  readonly highestNumber: number;
}

const NOTHING: BlockSummary = { rows: 0, firstMoment: Infinity, lastMoment: -Infinity, highestNumber: -Infinity };

/** A receipt that comes into a block. */
interface BlockRow extends PassedReceipt {
  /** What a field of text says; null where it is null or missing. */
  written(field: RepeatedField): string | null;
}

/** Receipts as they are collected for a block. */
export class BlockBuilder {
  rows = 0;
  /** Of each figure that requests are sorted by, in their order; NaN where no receipt has it. */
  readonly ranges = requestFigureSchema.options.map((): FigureRange => [Number.NaN, Number.NaN]);
  #summary = NOTHING;
  readonly #columns = Array.from({ length: COLUMNS }, () => new Float64Array(BLOCK_ROWS));
  #codes = REPEATED_FIELDS.map(() => new Map<string | null, number>());
  #ids: string[] = [];

  /** The texts of a field. */
  texts(field: RepeatedField): Iterable<string | null> {
    return (this.#codes[REPEATED_FIELDS.indexOf(field)] as Map<string | null, number>).keys();
  }

  /** Where its last line is, from the beginning of the block. */
  get lastLine(): { readonly start: number; readonly length: number } {
    const of = (name: NumberColumn): number => (this.#columns[PLACES[name]] as Float64Array)[this.rows - 1] as number;
    return { start: of("start"), length: of("length") };
  }

  get summary(): BlockSummary {
    return this.#summary;
  }

  clear(): void {
    this.rows = 0;
    this.#summary = NOTHING;
    for (const range of this.ranges) range.fill(Number.NaN);
    this.#codes = REPEATED_FIELDS.map(() => new Map());
    this.#ids = [];
  }

  /** @param start of its line, from the beginning of the block */
  add(line: BlockRow, start: number, length: number): void {
    const row = this.rows;
    const columns = this.#columns;
    const set = (place: number, value: number | null): void => {
      (columns[place] as Float64Array)[row] = value ?? Number.NaN;
    };
    set(PLACES.n, line.n);
    set(PLACES.at, line.at);
    set(PLACES.start, start);
    set(PLACES.length, length);
    set(PLACES.status, line.status);
    set(PLACES.stream, line.stream ? 1 : 0);
    set(PLACES.sandbox, line.sandbox ? 1 : 0);
    set(PLACES.ms, line.ms);
    set(PLACES.first_ms, line.first_ms);
    set(PLACES.nano, line.nano);
    set(PLACES.tokens, line.tokens);
    set(PLACES.output_tokens, line.output_tokens);
    set(PLACES.cached_tokens, line.cached_tokens);
    const { tokens, fees } = line.used();
    set(PLACES.fees, fees);
    for (let unit = 0; unit < tokens.length; unit += 1) set(UNITS + unit, tokens[unit] as number);
    for (let place = 0; place < REPEATED_FIELDS.length; place += 1) {
      const codes = this.#codes[place] as Map<string | null, number>;
      const text = line.written(REPEATED_FIELDS[place] as RepeatedField);
      let code = codes.get(text);
      if (code === undefined) codes.set(text, (code = codes.size));
      set(CODES + place, code);
    }
    this.#ids.push(line.text("id"));
    this.rows = row + 1;
    const { firstMoment, lastMoment, highestNumber } = this.#summary;
    this.#summary = {
      rows: this.rows,
      firstMoment: Math.min(firstMoment, line.at),
      lastMoment: Math.max(lastMoment, line.at),
      highestNumber: Math.max(highestNumber, line.n),
    };
    for (const [place, by] of requestFigureSchema.options.entries())
      widen(this.ranges[place] as FigureRange, figureBy(line, by));
  }

  encode(): Buffer {
    const directory = Buffer.alloc(DIRECTORY_BYTES);
    const parts: Uint8Array[] = [directory];
    for (const [place, column] of this.#columns.entries()) {
      const { base, width, hasNull, bytes } = encodeColumn(column.subarray(0, this.rows));
      directory.writeDoubleLE(base, place * ENTRY_BYTES);
      directory.writeUInt32LE(width, place * ENTRY_BYTES + 8);
      directory.writeUInt32LE(hasNull ? 1 : 0, place * ENTRY_BYTES + 12);
      parts.push(bytes);
    }
    for (const [place, texts] of [...this.#codes.map((codes) => [...codes.keys()]), this.#ids].entries()) {
      const bytes = Buffer.from(JSON.stringify(texts));
      directory.writeUInt32LE(bytes.length, COLUMNS * ENTRY_BYTES + 4 * place);
      parts.push(bytes);
    }
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return Buffer.concat(parts, paddedTo8(length));
  }
}

/** What its head says of a block. */
type BlockPlace = Pick<BlockSummary, "rows" | "firstMoment" | "lastMoment"> & { readonly from: number };

/** The receipts of a block, of which one is looked at: by `row`, from 0. Used for block after block. */
export class ReceiptBlock implements PassedReceipt, PassedBlock {
  row = 0;
  rows = 0;
  /** Those that a search lets in, the newest first. */
  matching: Uint32Array = new Uint32Array();
  firstMoment = 0;
  lastMoment = 0;
  #month = "";
  /** Where it begins in its segment. */
  #from = 0;
  #bytes: Buffer = Buffer.alloc(0);
  /** Of the columns that were asked for, and -1 for the others. */
  readonly #values: Float64Array[] = [];
  readonly #isDecoded = new Uint8Array(COLUMNS);
  readonly #starts = new Int32Array(COLUMNS + REPEATED_FIELDS.length + 2);
  readonly #texts: (readonly (string | null)[] | null)[] = [];

  /** @param bytes as `encode` made them: whoever reads them has compared their checksum */
  read(bytes: Buffer, month: string, { rows, from, firstMoment, lastMoment }: BlockPlace): void {
    this.#bytes = bytes;
    this.#month = month;
    this.rows = rows;
    this.#from = from;
    this.firstMoment = firstMoment;
    this.lastMoment = lastMoment;
    this.#isDecoded.fill(0);
    let start = DIRECTORY_BYTES;
    for (let place = 0; place < COLUMNS; place += 1) {
      this.#starts[place] = start;
      start += paddedTo8(rows * bytes.readUInt32LE(place * ENTRY_BYTES + 8));
    }
    for (let place = 0; place <= REPEATED_FIELDS.length; place += 1) {
      this.#starts[COLUMNS + place] = start;
      start += bytes.readUInt32LE(COLUMNS * ENTRY_BYTES + 4 * place);
      this.#texts[place] = null;
    }
    this.#starts[COLUMNS + REPEATED_FIELDS.length + 1] = start;
  }

  #column(place: number): Float64Array {
    if (this.#isDecoded[place] === 1) return this.#values[place] as Float64Array;
    const values = (this.#values[place] ??= new Float64Array(BLOCK_ROWS));
    const bytes = this.#bytes;
    const at = place * ENTRY_BYTES;
    const form = {
      base: bytes.readDoubleLE(at),
      width: bytes.readUInt32LE(at + 8),
      hasNull: bytes.readUInt32LE(at + 12) === 1,
    };
    decodeColumn(form, bytes, this.#starts[place] as number, values.subarray(0, this.rows));
    this.#isDecoded[place] = 1;
    return values;
  }

  #figure(place: number): number {
    return this.#column(place)[this.row] as number;
  }

  #figureOrNull(place: number): number | null {
    const figure = this.#figure(place);
    return Number.isNaN(figure) ? null : figure;
  }

  /** The figures of all rows; NaN: null. */
  figures(name: NumberColumn): Float64Array {
    return this.#column(PLACES[name]);
  }

  /** The codes of all rows in a field. */
  codes(field: RepeatedField): Float64Array {
    return this.#column(CODE_PLACES[field]);
  }

  /** What the codes of a field mean. */
  texts(field: RepeatedField | "id"): readonly (string | null)[] {
    const place = field === "id" ? REPEATED_FIELDS.length : CODE_PLACES[field] - CODES;
    return (this.#texts[place] ??= JSON.parse(
      this.#bytes.toString("utf8", this.#starts[COLUMNS + place], this.#starts[COLUMNS + place + 1]),
    ) as readonly (string | null)[]);
  }

  /** Whether one of the ids may have these letters. @param low of ASCII, in lower case, as JSON writes it */
  idsMayHave(low: string): boolean {
    const [start, end] = [
      this.#starts[COLUMNS + REPEATED_FIELDS.length],
      this.#starts[COLUMNS + REPEATED_FIELDS.length + 1],
    ];
    return this.#bytes.toString("latin1", start, end).toLowerCase().includes(low);
  }

  written(field: RepeatedField): string | null {
    return this.texts(field)[this.#figure(CODE_PLACES[field])] ?? null;
  }

  text(field: RepeatedField | "id"): string {
    return (field === "id" ? this.texts("id")[this.row] : this.written(field)) ?? "";
  }

  /** Its line without its newline. */
  source(): Exclude<ReceiptSource, string> {
    const from = this.#from + this.#figure(PLACES.start);
    return { month: this.#month, from, to: from + this.#figure(PLACES.length) };
  }

  /** It was when its block was made. */
  isWhole(): boolean {
    return true;
  }

  get n(): number {
    return this.#figure(PLACES.n);
  }
  get at(): number {
    return this.#figure(PLACES.at);
  }
  get status(): number {
    return this.#figure(PLACES.status);
  }
  get stream(): boolean {
    return this.#figure(PLACES.stream) === 1;
  }
  get sandbox(): boolean {
    return this.#figure(PLACES.sandbox) === 1;
  }
  get ms(): number {
    return this.#figure(PLACES.ms);
  }
  get first_ms(): number | null {
    return this.#figureOrNull(PLACES.first_ms);
  }
  get nano(): number | null {
    return this.#figureOrNull(PLACES.nano);
  }
  get tokens(): number {
    return this.#figure(PLACES.tokens);
  }
  get output_tokens(): number {
    return this.#figure(PLACES.output_tokens);
  }
  get cached_tokens(): number {
    return this.#figure(PLACES.cached_tokens);
  }

  used(): ReceiptTokens {
    const tokens: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
    for (let unit = 0; unit < tokens.length; unit += 1) tokens[unit] = this.#figure(UNITS + unit);
    return { tokens, fees: this.#figureOrNull(PLACES.fees) };
  }
}

/** Bits that say which texts are in a block: three for each. With a hundred texts one in a hundred others seems to be. */
export const BLOOM_BYTES = 128;
const BLOOM_BITS = 8 * BLOOM_BYTES;
/** Of sessions there are too many, and no one asks for a code or an agent alone. */
const IN_BLOOM = REPEATED_FIELDS.filter((field) => field !== "session" && field !== "code" && field !== "agent");

function* bitsOf(field: RepeatedField, text: string): Generator<number> {
  const hash = crc32(`${field}\n${text}`);
  for (let shift = 0; shift < 30; shift += 10) yield (hash >>> shift) % BLOOM_BITS;
}

export function bloomOf(block: BlockBuilder): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const field of IN_BLOOM)
    for (const text of block.texts(field)) {
      if (text === null) continue;
      for (const bit of bitsOf(field, text)) bloom[bit >> 3] = (bloom[bit >> 3] as number) | (1 << (bit & 7));
    }
  return bloom;
}

/** The bits of a text that someone looks for; null where blocks do not tell. */
export function bloomBits(field: string, text: string): readonly number[] | null {
  const known = IN_BLOOM.find((one) => one === field);
  return known === undefined ? null : [...bitsOf(known, text)];
}

export function mayHold(bloom: Uint8Array, bits: readonly number[]): boolean {
  return bits.every((bit) => ((bloom[bit >> 3] as number) & (1 << (bit & 7))) !== 0);
}
