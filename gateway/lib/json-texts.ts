import type { JsonScan, LongText } from "./json-scan.ts";

/** What is written between two long texts is short; this is how much of it is put together before it becomes bytes. */
const GLUE = 4_096;
/** UTF-8 takes so many bytes for a character of JavaScript at most. */
const BYTES_PER_CHARACTER = 3;

interface Found extends LongText {
  readonly text: string;
}

/** Who writes less has nothing to win. */
const WORTH_BYTES = 16 * 1_024;

/** @param value what `json` says. @returns null where looking for its texts is not worth it, or not sure to find them. */
export function writtenTexts(json: Buffer, value: unknown, scan: JsonScan): WrittenTexts | null {
  // Only then do values stand in objects in the order in which they are written.
  if (!scan.inOrder || scan.mayRepeat || json.length < WORTH_BYTES || scan.texts.length === 0) return null;
  return new WrittenTexts(json, value, scan.texts);
}

/**
 * The long texts of a JSON text, as they are written in it. A request that is put into other words says most of them as
 * they came: copying their bytes takes a third of what escaping them again does.
 */
export class WrittenTexts {
  readonly #json: Buffer;
  readonly #value: unknown;
  readonly #texts: readonly LongText[];
  /** By their length: hashing a long text takes longer than to compare it with the few of its length. */
  #byLength: Map<number, Found[]> | null = null;

  constructor(json: Buffer, value: unknown, texts: readonly LongText[]) {
    this.#json = json;
    this.#value = value;
    this.#texts = texts;
  }

  /** What `JSON.stringify` writes of plain data, in UTF-8, but that known texts keep their escapes. */
  stringify(value: unknown): Buffer {
    const writer = new Writer(this.#json, (text) => this.#find(text));
    writer.write(value);
    return writer.end();
  }

  #find(text: string): LongText | undefined {
    this.#byLength ??= this.#match();
    return this.#byLength.get(text.length)?.find((found) => found.text === text);
  }

  #match(): Map<number, Found[]> {
    const byLength = new Map<number, Found[]>();
    let ordinal = 0;
    let next = 0;
    const visit = (value: unknown): void => {
      if (typeof value === "string") {
        const known = this.#texts[next];
        if (known?.ordinal === ordinal) {
          next += 1;
          const same = byLength.get(value.length);
          if (same === undefined) byLength.set(value.length, [{ ...known, text: value }]);
          else same.push({ ...known, text: value });
        }
        ordinal += 1;
      } else if (Array.isArray(value)) {
        for (const item of value) visit(item);
      } else if (typeof value === "object" && value !== null) {
        const record = value as Record<string, unknown>;
        for (const name in record) visit(record[name]);
      }
    };
    visit(this.#value);
    return byLength;
  }
}

/** Bytes of a JSON text, put together of new ones and of those of another. */
class Writer {
  readonly #json: Buffer;
  readonly #find: (text: string) => LongText | undefined;
  readonly #names = new Map<string, string>();
  #bytes: Buffer;
  #length = 0;
  #glue = "";

  constructor(json: Buffer, find: (text: string) => LongText | undefined) {
    this.#json = json;
    this.#find = find;
    this.#bytes = Buffer.allocUnsafeSlow(json.length + GLUE * BYTES_PER_CHARACTER);
  }

  write(value: unknown): void {
    if (typeof value === "string") this.#text(value);
    else if (Array.isArray(value)) {
      let before = "[";
      for (const item of value as readonly unknown[]) {
        this.#glue += before;
        this.write(item);
        before = ",";
      }
      this.#glue += before === "[" ? "[]" : "]";
    } else if (typeof value === "object" && value !== null) {
      const record = value as Record<string, unknown>;
      let before = "{";
      for (const name in record) {
        const member = record[name];
        if (member === undefined) continue;
        this.#glue += before + this.#named(name);
        this.write(member);
        before = ",";
      }
      this.#glue += before === "{" ? "{}" : "}";
    } else this.#glue += JSON.stringify(value ?? null);
    if (this.#glue.length > GLUE) this.#flush();
  }

  end(): Buffer {
    this.#flush();
    return this.#bytes.subarray(0, this.#length);
  }

  #text(text: string): void {
    const known = text.length < SHORTEST ? undefined : this.#find(text);
    if (known === undefined) {
      this.#glue += JSON.stringify(text);
      return;
    }
    this.#flush();
    this.#reserve(known.end - known.start);
    this.#length += this.#json.copy(this.#bytes, this.#length, known.start, known.end);
  }

  /** A name with its colon: there are few of them. */
  #named(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const written = `${JSON.stringify(name)}:`;
    this.#names.set(name, written);
    return written;
  }

  #flush(): void {
    const glue = this.#glue;
    this.#glue = "";
    this.#reserve(glue.length * BYTES_PER_CHARACTER);
    this.#length += this.#bytes.write(glue, this.#length, "utf8");
  }

  #reserve(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#bytes.length) return;
    const more = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    this.#bytes.copy(more, 0, 0, this.#length);
    this.#bytes = more;
  }
}

/** A known text may be so short when each of its characters was written as an escape. */
const SHORTEST = 42;
