import { cutEscapeLength, unescapeJson } from "./json-escapes.ts";
import { SecretVeil } from "./secret-veil.ts";
import type { SecretFinder } from "./secret-veil.ts";

/** Min characters of a secret; shorter ones are values such as `none`, or ordinary words. */
const SHORTEST = 12;
/** Bytes per lookup. */
const GRAM = 4;
const BITS = 17;
/** Same text as in lib/redact.ts. */
const NOTE = "[redacted]";

/** A form in which a secret may be written, and its replacement of the same length and alphabet. */
interface Form {
  readonly bytes: Buffer;
  readonly mask: Buffer;
  /** The bytes as characters, for comparison with texts. */
  readonly text: string;
}

/** Place of a gram in a form. */
interface Place {
  readonly form: Form;
  readonly offset: number;
}

/**
 * Redacts exactly known secrets in bytes and texts: in plain form, in base64 at any alignment, in hexadecimal, and
 * escaped for URLs or JSON. Replacements have the same length and alphabet, so that lengths and JSON stay valid.
 *
 * A search costs some nanoseconds per hundred bytes for any number of secrets: an occurrence of a form of at least `n`
 * bytes has a gram of its start at one of every `n - 3` positions, so only those are checked.
 */
export class KnownSecrets implements SecretFinder {
  #known = "";
  /** The secrets that are searched for. */
  list: readonly string[] = [];
  #forms: readonly Form[] = [];
  #places = new Map<number, Place[]>();
  #bits = new Uint8Array(0);
  #stride = 0;
  #longest = 0;
  #alphabet: ReadonlySet<number> = new Set();
  #byFirstByte: readonly (readonly Form[])[] = [];

  /** Replaces the known secrets. */
  set(secrets: Iterable<string>): void {
    const long = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST);
    const known = long.toSorted().join("\n");
    if (known === this.#known) return;
    this.#known = known;
    this.list = long;
    this.#forms = long.flatMap(getForms);
    this.#index();
  }

  /** Returns the bytes without secrets; the same buffer if it has no secret. */
  clean(bytes: Buffer): Buffer {
    let cleaned = bytes;
    const hide = (start: number, end: number, { mask }: Form): void => {
      if (cleaned === bytes) cleaned = Buffer.from(bytes);
      mask.copy(cleaned.fill(mask.at(-1) ?? 0, start, end), start);
    };
    this.#find(bytes, (start, form) => hide(start, start + form.bytes.length, form));
    const plain = this.#stride === 0 ? null : unescapedBytes(bytes);
    if (plain === null) return cleaned;
    this.#find(plain.bytes, (start, form) => hide(plain.rawAt(start), plain.rawAt(start + form.bytes.length), form));
    return cleaned;
  }

  /** Returns the text without secrets. */
  cleanText(text: string): string {
    if (this.#stride === 0) return text;
    if (this.#nextInText(text, 0) >= 0) return this.#getCleanBytes(text);
    return text.includes("\\u00") || text.includes("\\/") ? this.#getCleanBytes(text) : text;
  }

  /** Returns how many trailing bytes may be the start of a secret, which the following bytes decide. */
  findBeginning(bytes: Buffer): number {
    if (!this.#alphabet.has(bytes.at(-1) ?? 0)) return 0;
    const raw = this.#findStart(bytes, Math.max(0, bytes.length - this.#longest + 1));
    const tail = bytes.subarray(-this.#longest);
    if (!tail.includes("\\")) return raw;
    const cut = cutEscapeLength(tail.toString("latin1"));
    const whole = tail.subarray(0, tail.length - cut);
    const plain = unescapedBytes(whole) ?? { bytes: whole, rawAt: (index: number) => index };
    const partial = this.#findStart(plain.bytes, 0);
    return Math.max(raw, cut, partial === 0 ? 0 : tail.length - plain.rawAt(plain.bytes.length - partial));
  }

  #findStart(bytes: Buffer, from: number): number {
    for (let start = from; start < bytes.length; start++) {
      for (const { bytes: form } of this.#byFirstByte[bytes[start] ?? 0] ?? []) {
        if (form.length > bytes.length - start && endsWithBeginning(bytes, form, start)) return bytes.length - start;
      }
    }
    return 0;
  }

  /** Returns a redactor for one or several chunked texts. Null if there are no secrets. */
  veil(): SecretVeil | null {
    return this.#stride === 0 ? null : new SecretVeil(this);
  }

  isClean(text: string): boolean {
    return this.#nextInText(text, 0) < 0 && this.#nextBeginning(text, 0) < 0;
  }

  findWhole(text: string): readonly (readonly [start: number, end: number])[] {
    let at = this.#nextInText(text, 0);
    if (at < 0) return NONE;
    const found: (readonly [number, number])[] = [];
    for (; at >= 0; at = this.#nextInText(text, at + this.#stride)) {
      for (const { form, offset } of this.#places.get(readGram(text, at)) ?? []) {
        const start = at - offset;
        if (start >= 0 && text.startsWith(form.text, start)) found.push([start, start + form.text.length]);
      }
    }
    return found;
  }

  findBeginnings(text: string): readonly number[] {
    let start = this.#nextBeginning(text, 0);
    if (start < 0) return NONE;
    const found: number[] = [];
    for (; start >= 0; start = this.#nextBeginning(text, start + 1)) found.push(start);
    return found;
  }

  /** Returns the first position from `from` at which the rest may be the start of a secret; -1 without any. */
  #nextBeginning(text: string, from: number): number {
    for (let start = Math.max(from, text.length - this.#longest + 1); start < text.length; start++) {
      const forms = this.#byFirstByte[text.charCodeAt(start)];
      if (forms === undefined) continue;
      for (const form of forms) if (continuesAs(text, form.text, start)) return start;
    }
    return -1;
  }

  #getCleanBytes(text: string): string {
    const bytes = Buffer.from(text, "utf8");
    const cleaned = this.clean(bytes);
    return cleaned === bytes ? text : cleaned.toString("utf8");
  }

  #find(bytes: Buffer, found: (start: number, form: Form) => void): void {
    for (let at = this.#next(bytes, 0); at >= 0; at = this.#next(bytes, at + this.#stride)) {
      for (const { form, offset } of this.#getPlaces(bytes, at)) {
        if (at >= offset && startsWith(bytes, form.bytes, at - offset)) found(at - offset, form);
      }
    }
  }

  /** Returns the first candidate position from `from`; -1 without any. */
  #next(bytes: Buffer, from: number): number {
    const stride = this.#stride;
    const bits = this.#bits;
    if (stride === 0) return -1;
    const last = bytes.length - GRAM;
    for (let at = from; at <= last; at += stride) {
      // Written out: a call for each would cost more than the rest.
      const hash = hashGram(
        ((bytes[at] as number) << 24) |
          ((bytes[at + 1] as number) << 16) |
          ((bytes[at + 2] as number) << 8) |
          (bytes[at + 3] as number),
      );
      if (((bits[hash >>> 3] as number) & (1 << (hash & 7))) !== 0) return at;
    }
    return -1;
  }

  /** Returns the first candidate position of a text from `from`; -1 without any. */
  #nextInText(text: string, from: number): number {
    const stride = this.#stride;
    const bits = this.#bits;
    const last = text.length - GRAM;
    for (let at = from; at <= last; at += stride) {
      const hash = hashGram(readGram(text, at));
      if (((bits[hash >>> 3] as number) & (1 << (hash & 7))) !== 0) return at;
    }
    return -1;
  }

  #getPlaces(bytes: Buffer, at: number): readonly Place[] {
    return this.#places.get(bytes.readInt32BE(at)) ?? [];
  }

  #index(): void {
    const forms = this.#forms;
    const lengths = forms.map(({ bytes }) => bytes.length);
    this.#stride = forms.length === 0 ? 0 : Math.min(...lengths) - GRAM + 1;
    this.#longest = Math.max(0, ...lengths);
    this.#places = new Map();
    this.#bits = new Uint8Array(forms.length === 0 ? 0 : 1 << (BITS - 3));
    const byFirstByte: Form[][] = [];
    for (const form of forms) {
      const { bytes } = form;
      (byFirstByte[bytes[0] ?? 0] ??= []).push(form);
      for (let offset = 0; offset < this.#stride; offset++) {
        const gram = bytes.readInt32BE(offset);
        const hash = hashGram(gram);
        this.#bits[hash >>> 3] = (this.#bits[hash >>> 3] ?? 0) | (1 << (hash & 7));
        const places = this.#places.get(gram) ?? [];
        this.#places.set(gram, [...places, { form, offset }]);
      }
    }
    this.#byFirstByte = byFirstByte;
    this.#alphabet = new Set(forms.flatMap(({ bytes }) => [...bytes]));
  }
}

/** Shared, so that most pieces allocate no list. */
const NONE: readonly never[] = [];

function readGram(text: string, at: number): number {
  return (
    (text.charCodeAt(at) << 24) |
    (text.charCodeAt(at + 1) << 16) |
    (text.charCodeAt(at + 2) << 8) |
    text.charCodeAt(at + 3)
  );
}

function hashGram(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> (32 - BITS);
}

const BACKSLASH = 0x5c;
const ESCAPED_CODE = Buffer.from("\\u00");
const ESCAPED_SLASH = Buffer.from("\\/");

function unescapedBytes(bytes: Buffer): { readonly bytes: Buffer; readonly rawAt: (index: number) => number } | null {
  if (!bytes.includes(BACKSLASH) || (!bytes.includes(ESCAPED_CODE) && !bytes.includes(ESCAPED_SLASH))) return null;
  const plain = unescapeJson(bytes.toString("latin1"));
  return plain && { bytes: Buffer.from(plain.text, "latin1"), rawAt: plain.rawAt };
}

function startsWith(bytes: Buffer, form: Buffer, start: number): boolean {
  return start + form.length <= bytes.length && form.compare(bytes, start, start + form.length) === 0;
}

/** Tells whether a text ends, from `start` on, with the start of a longer form. */
function continuesAs(text: string, form: string, start: number): boolean {
  const length = text.length - start;
  if (length >= form.length) return false;
  for (let at = 1; at < length; at++) if (text.charCodeAt(start + at) !== form.charCodeAt(at)) return false;
  return true;
}

function endsWithBeginning(bytes: Buffer, form: Buffer, start: number): boolean {
  return form.compare(bytes, start, bytes.length, 0, bytes.length - start) === 0;
}

function getForms(secret: string): Form[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const codes = hex.match(/../g) ?? [];
  const texts = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    codes.map((code) => `%${code}`).join(""),
    codes.map((code) => `%${code.toUpperCase()}`).join(""),
    codes.map((code) => `\\u00${code}`).join(""),
    codes.map((code) => `\\u00${code.toUpperCase()}`).join(""),
    hex,
    hex.toUpperCase(),
  ];
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = inBase64(bytes, before);
    return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [
    ...[...new Set(texts)].map((text) => getForm(text, NOTE.padEnd(text.length, "*"))),
    // Base64 stays decodable.
    ...[...new Set(base64)].map((text) => getForm(text, "A".repeat(text.length))),
  ];
}

/** A text of digits alone may be a number in JSON, and has to stay one. */
function getForm(text: string, mask: string): Form {
  const bytes = Buffer.from(text, "utf8");
  const filled = Buffer.alloc(bytes.length, /^\d+$/.test(text) ? "1" : mask);
  return { bytes, mask: filled, text: bytes.toString("latin1") };
}

/** Returns the base64 characters that depend on these bytes alone, if `before` other bytes come first. */
function inBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
