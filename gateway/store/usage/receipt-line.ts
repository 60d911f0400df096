import { crc32 } from "node:zlib";
import { unitSides } from "../../contract/receipt.ts";
import type { ReceiptTerm } from "../../contract/receipt.ts";
import { receiptTokens } from "../../core/history/receipt-tokens.ts";
import type { ReceiptTokens } from "../../core/history/receipt-tokens.ts";
import type { PassedReceipt } from "../store.ts";
import { RECEIPT_FIELDS as FIELDS } from "./receipt-fields.ts";
import type { ReceiptField as Field, TextField } from "./receipt-fields.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_A = 0x61;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;

/** Checksum and space before the JSON of a line. */
const FRAME = 9;
/** Decimals of a figure, and its digits, that a number of JavaScript holds exactly. */
const MOST_DIGITS = 15;

const HEAD = Buffer.from('{"n":');
const RECEIPT = Buffer.from(',"receipt":{');
const COMPLETED = Buffer.from("completed");
/** The most frequent first. */
const SIDES = Object.entries(unitSides)
  .map(([unit, side]) => ({ name: Buffer.from(unit), side }))
  .toSorted((a, b) => Number(b.name.includes("put")) - Number(a.name.includes("put")));
/** How the classes of input that was read from a cache begin. */
const CACHED = Buffer.from("cached_");
const UNIT = Buffer.from('"unit":"');
const QUANTITY = Buffer.from(',"quantity":');
const CALL = Buffer.from(',"call":{');
/** How a route begins; its name is the text of this field. */
const ROUTE_NAME = Buffer.from('{"name":"');

const NAMES = FIELDS.map((name) => Buffer.from(name));
const PLACES = Object.fromEntries(FIELDS.map((name, place) => [name, place])) as Readonly<Record<Field, number>>;
const { at: AT, status: STATUS, stream: STREAM, ms: MS, first_ms: FIRST_MS, sandbox: SANDBOX } = PLACES;
const { terms: TERMS, nano: NANO, route: ROUTE } = PLACES;
const bitsOf = (names: readonly Field[]): number => names.reduce((bits, name) => bits | (1 << PLACES[name]), 0);
const TEXTS = bitsOf(
  "id key endpoint model provider connection client code outcome session project agent".split(" ") as TextField[],
);
/** What every receipt has as it is written here; `code` and `first_ms` may be null. */
const OTHERS =
  "code first_ms wait_ms connect_ms attempts estimated price kinds route session project agent context finished_for_library".split(
    " ",
  );
const NEEDED = bitsOf(FIELDS.filter((name) => !OTHERS.includes(name)));

/**
 * One line of the usage log, looked at where it lies: the figures of a receipt cost a fifth of making it out. It knows
 * lines as they are written here; any other has to be made out. Used for line after line.
 */
export class ReceiptLine implements PassedReceipt {
  n = 0;
  at = 0;
  status = 0;
  ms = 0;
  first_ms: number | null = null;
  nano: number | null = null;
  stream = false;
  sandbox = false;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** Where the receipt begins. */
  #from = 0;
  /** Behind what was understood so far; -1 once something was not. */
  #place = 0;
  #number: number | null = null;
  readonly #starts = new Int32Array(FIELDS.length);
  readonly #ends = new Int32Array(FIELDS.length);
  #seen = 0;
  #counted = false;
  #tokens = 0;
  #outputTokens = 0;
  #cachedTokens = 0;

  /**
   * @param start of the line, `end` of it without its newline
   * @returns `unknown` for what is not as it is written here; the others say nothing about the checksum
   */
  read(bytes: Buffer, start: number, end: number): "receipt" | "call" | "unknown" {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#seen = 0;
    this.#counted = false;
    this.first_ms = this.nano = null;
    this.#place = start + FRAME;
    if (end - start < FRAME || bytes[this.#place - 1] !== SPACE || !this.#passes(HEAD)) return "unknown";
    this.#readNumber();
    this.n = this.#number ?? -1;
    if (this.n < 0) return "unknown";
    if (this.#hasAt(this.#place, CALL)) return "call";
    this.#from = this.#place + RECEIPT.length - 1;
    return this.#passes(RECEIPT) && this.#readReceipt() ? "receipt" : "unknown";
  }

  #readReceipt(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let next = 0;
    do next = this.#readField(next) + 1;
    while (next > 0 && bytes[this.#place++] === COMMA);
    return (
      next > 0 &&
      bytes[this.#place - 1] === CLOSE_BRACE &&
      this.#place === end - 1 &&
      bytes[this.#place] === CLOSE_BRACE &&
      (this.#seen & NEEDED) === NEEDED &&
      Number.isSafeInteger(this.at) &&
      (this.nano === null || Number.isSafeInteger(this.nano))
    );
  }

  /** Whether its checksum is that of its bytes. */
  isWhole(): boolean {
    const bytes = this.#bytes;
    let sum = crc32(bytes.subarray(this.#start + FRAME, this.#end));
    for (let place = this.#start + FRAME - 2; place >= this.#start; place -= 1) {
      const digit = sum & 15;
      if (bytes[place] !== (digit < 10 ? ZERO : LOWER_A - 10) + digit) return false;
      sum >>>= 4;
    }
    return true;
  }

  used(): ReceiptTokens {
    const terms = this.#bytes.toString("utf8", this.#starts[TERMS], this.#ends[TERMS]);
    return receiptTokens(JSON.parse(terms) as ReceiptTerm[]);
  }

  /** The receipt's JSON. */
  source(): string {
    return this.#bytes.toString("utf8", this.#from, this.#end - 1);
  }

  /** Whether a field of text is this, given as JSON writes it between its quotes. */
  is(field: TextField, written: Buffer): boolean {
    const place = PLACES[field];
    if ((this.#seen & (1 << place)) === 0) return false;
    const start = this.#starts[place] as number;
    return (this.#ends[place] as number) - start === written.length && this.#hasAt(start, written);
  }

  /** What a field of text says, of a route its name; null where it is null or missing. */
  written(field: TextField): string | null {
    const place = PLACES[field];
    if ((this.#seen & (1 << place)) === 0) return null;
    // Nearly always so: nothing to decode.
    if (field === "outcome" && this.is(field, COMPLETED)) return "completed";
    const written = this.#bytes.toString("utf8", this.#starts[place], this.#ends[place]);
    return written.includes("\\") ? (JSON.parse(`"${written}"`) as string) : written;
  }

  /** The same, "" instead of null. */
  text(field: TextField): string {
    return this.written(field) ?? "";
  }

  /**
   * Whether these letters may be among the bytes of some fields of text, for which it is cheaper to look at once.
   * @param low of ASCII, in lower case, as JSON writes it between its quotes
   */
  mayHave(fields: readonly TextField[], low: string): boolean {
    let start = this.#end;
    let end = this.#start;
    for (const field of fields) {
      const place = PLACES[field];
      if ((this.#seen & (1 << place)) === 0) continue;
      start = Math.min(start, this.#starts[place] as number);
      end = Math.max(end, this.#ends[place] as number);
    }
    // A character a byte, so that only letters of ASCII change.
    return start < end && this.#bytes.toString("latin1", start, end).toLowerCase().includes(low);
  }

  get tokens(): number {
    this.#countTokens();
    return this.#tokens;
  }

  get output_tokens(): number {
    this.#countTokens();
    return this.#outputTokens;
  }

  /** Input tokens that were read from a provider's cache. */
  get cached_tokens(): number {
    this.#countTokens();
    return this.#cachedTokens;
  }

  #countTokens(): void {
    if (this.#counted) return;
    this.#counted = true;
    this.#tokens = this.#outputTokens = this.#cachedTokens = 0;
    const bytes = this.#bytes;
    const end = this.#ends[TERMS] as number;
    let place = bytes.indexOf(UNIT, this.#starts[TERMS]);
    while (place !== -1 && place < end) {
      this.#place = place + UNIT.length - 1;
      this.#skipText();
      const side = this.#sideAt(place + UNIT.length, this.#place - 1);
      const isCached = this.#hasAt(place + UNIT.length, CACHED);
      place = this.#place;
      if (this.#passes(QUANTITY)) {
        this.#readNumber();
        if (side === "input" || side === "output") this.#tokens += this.#number ?? 0;
        if (side === "output") this.#outputTokens += this.#number ?? 0;
        if (isCached) this.#cachedTokens += this.#number ?? 0;
      }
      place = bytes.indexOf(UNIT, place);
    }
  }

  #sideAt(start: number, end: number): "input" | "output" | null {
    for (const { name, side } of SIDES) if (name.length === end - start && this.#hasAt(start, name)) return side;
    return null;
  }

  /** @returns the place of the field in their order; -2 when it cannot be made out */
  #readField(expected: number): number {
    const bytes = this.#bytes;
    if (bytes[this.#place] !== QUOTE) return -2;
    const start = this.#place + 1;
    this.#skipText();
    const end = this.#place - 1;
    if (bytes[this.#place++] !== COLON) return -2;
    const place = this.#fieldOf(start, end, expected);
    const from = this.#place;
    const first = bytes[from] as number;
    if (first === QUOTE) {
      this.#skipText();
      if (place < FIELDS.length) {
        this.#starts[place] = from + 1;
        this.#ends[place] = this.#place - 1;
        this.#seen |= (1 << place) & TEXTS;
      }
    } else if (first === MINUS || (first >= ZERO && first <= NINE)) {
      this.#readNumber();
      if (this.#number === null) return -2;
      this.#set(place, this.#number);
    } else if (first === OPEN_BRACKET || first === OPEN_BRACE) {
      if (place === ROUTE && !this.#readRouteName(from)) return -2;
      this.#place = from;
      this.#skipNested();
      if (place === TERMS) {
        this.#starts[place] = from;
        this.#ends[place] = this.#place;
        this.#seen |= first === OPEN_BRACKET ? 1 << place : 0;
      }
    } else this.#readWord(place, first);
    return this.#place > this.#end ? -2 : Math.min(place, FIELDS.length - 1);
  }

  /** @returns false where the route does not begin with its name */
  #readRouteName(from: number): boolean {
    if (!this.#hasAt(from, ROUTE_NAME)) return false;
    this.#starts[ROUTE] = from + ROUTE_NAME.length;
    this.#place = from + ROUTE_NAME.length - 1;
    this.#skipText();
    this.#ends[ROUTE] = this.#place - 1;
    this.#seen |= 1 << ROUTE;
    return true;
  }

  #set(place: number, value: number): void {
    if (place === AT) this.at = value;
    else if (place === STATUS) this.status = value;
    else if (place === MS) this.ms = value;
    else if (place === FIRST_MS) this.first_ms = value;
    else if (place === NANO) this.nano = value;
    else return;
    this.#seen |= 1 << place;
  }

  /** `true`, `false` or `null`. */
  #readWord(place: number, first: number): void {
    this.#place += first === LOWER_F ? 5 : 4;
    if (first === LOWER_N) {
      if (place === NANO) this.#seen |= 1 << place;
      return;
    }
    if (place === STREAM) this.stream = first === LOWER_T;
    else if (place === SANDBOX) this.sandbox = first === LOWER_T;
    else return;
    this.#seen |= 1 << place;
  }

  /** @returns how many there are for one that is not known */
  #fieldOf(start: number, end: number, expected: number): number {
    for (let tries = 0; tries < FIELDS.length; tries += 1) {
      const place = (expected + tries) % FIELDS.length;
      const name = NAMES[place] as Buffer;
      if (name.length === end - start && this.#hasAt(start, name)) return place;
    }
    return FIELDS.length;
  }

  #passes(expected: Buffer): boolean {
    const has = this.#hasAt(this.#place, expected);
    this.#place += expected.length;
    return has;
  }

  #hasAt(start: number, expected: Buffer): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < expected.length; index += 1) {
      if (bytes[start + index] !== expected[index]) return false;
    }
    return true;
  }

  /** From a quote to behind the next one; behind the line where there is none. */
  #skipText(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let place = this.#place + 1;
    while (place < end && bytes[place] !== QUOTE) place += bytes[place] === BACKSLASH ? 2 : 1;
    this.#place = place + 1;
  }

  #skipNested(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let depth = 0;
    while (this.#place < end) {
      const byte = bytes[this.#place] as number;
      if (byte === QUOTE) {
        this.#skipText();
        continue;
      }
      this.#place += 1;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return;
    }
    this.#place = end + 1;
  }

  /** Leaves null for what is no plain number. */
  #readNumber(): void {
    const bytes = this.#bytes;
    const start = this.#place;
    let place = bytes[start] === MINUS ? start + 1 : start;
    const first = place;
    let value = 0;
    let scale = 0;
    for (; ; place += 1) {
      const byte = bytes[place] as number;
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + byte - ZERO;
        scale *= 10;
      } else if (byte === DOT && scale === 0) scale = 1;
      else break;
    }
    this.#place = place;
    const digits = place - first - (scale > 0 ? 1 : 0);
    const byte = bytes[place];
    // An exponent, or more digits than are exact: as JSON reads it.
    if (byte === LOWER_E || byte === UPPER_E || digits > MOST_DIGITS) {
      this.#readOddNumber(start);
      return;
    }
    if (digits === 0) this.#number = null;
    else this.#number = (first === start ? value : -value) / (scale > 1 ? scale : 1);
  }

  #readOddNumber(start: number): void {
    const [written = ""] = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/.exec(
      this.#bytes.toString("latin1", start, Math.min(this.#end, start + 40)),
    ) ?? [""];
    this.#place = start + written.length;
    this.#number = written === "" ? null : Number(written);
  }
}
