import * as z from "zod";
import { searchText } from "../../core/media/prompt-search.ts";
import type { LinePlace } from "../disk/line-log.ts";
import type { MediaLine } from "./media-lines.ts";
import { hashOf } from "./row-table.ts";

/** Rows of a page that is full. */
export const PAGE_ROWS = 2_048;
/** Version of a page's content and of its derivation from lines. With another number the pages of a folder are rebuilt. */
const FORMAT = 1;
const HASH_BYTES = 32;

/** A line that changes rows or says something else, in its place. */
export interface PlacedLine {
  readonly line: Exclude<MediaLine, { readonly op: "add" | "begun" }>;
  readonly place: LinePlace;
}

/** The widest first, so that each lies where its kind of number may lie. */
const NUMBERS = {
  at: Float64Array,
  offset: Float64Array,
  bytes: Float64Array,
  /** Not a number: unpriced. */
  nano: Float64Array,
  length: Uint32Array,
  idHash: Uint32Array,
  idEnd: Uint32Array,
  promptStart: Uint32Array,
  promptEnd: Uint32Array,
  kind: Uint16Array,
  model: Uint16Array,
  key: Uint16Array,
  extension: Uint16Array,
} as const;

type Columns = { readonly [Name in keyof typeof NUMBERS]: InstanceType<(typeof NUMBERS)[Name]> } & {
  readonly sha256: Uint8Array;
};

const ROW_BYTES = Object.values(NUMBERS).reduce((sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT, HASH_BYTES);
/** Bytes of the columns of a page. */
export const COLUMN_BYTES = PAGE_ROWS * ROW_BYTES;

function columnsIn(memory: ArrayBuffer): Columns {
  let at = 0;
  const columns: Record<string, unknown> = {};
  for (const [name, Numbers] of Object.entries(NUMBERS)) {
    columns[name] = new Numbers(memory, at, PAGE_ROWS);
    at += PAGE_ROWS * Numbers.BYTES_PER_ELEMENT;
  }
  return { ...columns, sha256: new Uint8Array(memory, at, PAGE_ROWS * HASH_BYTES) } as Columns;
}

const textsSchema = z.object({
  format: z.literal(FORMAT),
  from: z.number().int(),
  to: z.number().int(),
  words: z.array(z.string()),
  ids: z.string(),
  prompts: z.string(),
  lines: z.array(z.custom<PlacedLine>()),
});
type PageTexts = z.infer<typeof textsSchema>;

/** Consecutive texts, each by its start and end. */
class Texts {
  #joined: string;
  #parts: string[] = [];
  #length: number;

  constructor(joined = "") {
    this.#joined = joined;
    this.#length = joined.length;
  }

  /** @returns its end */
  add(text: string): number {
    this.#parts.push(text);
    return (this.#length += text.length);
  }

  get length(): number {
    return this.#length;
  }

  get joined(): string {
    if (this.#parts.length > 0) {
      this.#joined += this.#parts.join("");
      this.#parts = [];
    }
    return this.#joined;
  }

  get(start: number, end: number): string {
    return this.joined.slice(start, end);
  }
}

/** Up to 2,048 entries in the order of saving, each field in one array, and the other lines that came between them. */
export class MediaPage {
  readonly columns: Columns;
  readonly #memory: ArrayBuffer;
  /** Range of its lines in the log. */
  readonly from: number;
  to: number;
  count: number;
  /** Flags of rows that were removed for good, and of rows whose file is missing. */
  readonly removed = new Uint8Array(PAGE_ROWS);
  readonly missing = new Uint8Array(PAGE_ROWS);
  readonly #words: string[];
  readonly #numbers = new Map<string, number>();
  readonly #ids: Texts;
  readonly #prompts: Texts;
  /** Lines in their order; lines that add an entry are its rows. */
  readonly lines: PlacedLine[];
  #lastPrompt = "";

  private constructor(memory: ArrayBuffer, count: number, texts: Omit<PageTexts, "format">) {
    this.#memory = memory;
    this.columns = columnsIn(memory);
    this.count = count;
    this.from = texts.from;
    this.to = texts.to;
    this.#words = texts.words;
    this.#ids = new Texts(texts.ids);
    this.#prompts = new Texts(texts.prompts);
    this.lines = texts.lines;
  }

  /** @param from offset of its first line in the log */
  static empty(from: number): MediaPage {
    const texts = { from, to: from, words: [], ids: "", prompts: "", lines: [] };
    return new MediaPage(new ArrayBuffer(COLUMN_BYTES), 0, texts);
  }

  /**
   * @param columns become those of the page
   * @returns null for what is no page of this version
   */
  static decode(columns: ArrayBuffer, texts: Buffer): MediaPage | null {
    try {
      return new MediaPage(columns, PAGE_ROWS, textsSchema.parse(JSON.parse(texts.toString("utf8"))));
    } catch {
      return null;
    }
  }

  /** Encodes a full page for `index.pages`. */
  encode(): { readonly columns: Uint8Array; readonly texts: Buffer } {
    const { from, to, lines } = this;
    const [ids, prompts] = [this.#ids.joined, this.#prompts.joined];
    const texts: PageTexts = { format: FORMAT, from, to, words: this.#words, ids, prompts, lines };
    return { columns: new Uint8Array(this.#memory), texts: Buffer.from(JSON.stringify(texts)) };
  }

  get full(): boolean {
    return this.count === PAGE_ROWS;
  }

  /** The next row is this entry's. */
  add({ entry, extension }: MediaLine & { readonly op: "add" }, { offset, length }: LinePlace): void {
    const { columns } = this;
    const row = this.count++;
    const { id, at, kind, bytes, sha256, origin } = entry;
    columns.at[row] = at;
    columns.offset[row] = offset;
    columns.length[row] = length;
    columns.bytes[row] = bytes;
    columns.nano[row] = origin?.nano ?? Number.NaN;
    columns.kind[row] = this.#word(kind);
    columns.model[row] = this.#word(origin?.model ?? "");
    columns.key[row] = this.#word(origin?.key ?? "");
    columns.extension[row] = this.#word(extension);
    columns.idHash[row] = hashOf(id);
    columns.idEnd[row] = this.#ids.add(id);
    columns.sha256.set(Buffer.from(sha256, "hex"), row * HASH_BYTES);
    this.#addPrompt(row, searchText(origin?.prompt ?? ""));
  }

  id(row: number): string {
    return this.#ids.get(row === 0 ? 0 : (this.columns.idEnd[row - 1] ?? 0), this.columns.idEnd[row] ?? 0);
  }

  prompt(row: number): string {
    return this.#prompts.get(this.columns.promptStart[row] ?? 0, this.columns.promptEnd[row] ?? 0);
  }

  word(field: "kind" | "model" | "key" | "extension", row: number): string {
    return this.#words[this.columns[field][row] ?? 0] ?? "";
  }

  hashAt(row: number): Buffer {
    const { buffer, byteOffset } = this.columns.sha256;
    return Buffer.from(buffer, byteOffset + row * HASH_BYTES, HASH_BYTES);
  }

  /** The results of one call come one after another, with the same prompt. */
  #addPrompt(row: number, prompt: string): void {
    const { promptStart, promptEnd } = this.columns;
    if (row > 0 && this.#lastPrompt === prompt) {
      promptStart[row] = promptStart[row - 1] ?? 0;
      promptEnd[row] = promptEnd[row - 1] ?? 0;
    } else {
      promptStart[row] = this.#prompts.length;
      promptEnd[row] = this.#prompts.add(prompt);
      this.#lastPrompt = prompt;
    }
  }

  #word(text: string): number {
    if (this.#numbers.size < this.#words.length)
      for (const [at, one] of this.#words.entries()) this.#numbers.set(one, at);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#words.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }
}
