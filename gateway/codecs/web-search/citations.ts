/** A part of a model's text: text, or a mark after text that cites results by their numbers. */
export type CitedPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mark"; readonly written: string; readonly numbers: readonly number[] };

/** `[1]`, `[2, 5]`, and 【3†source】 as gpt-oss writes it, with the blanks in front of it. */
const MARK = /(?<![ \t])[ \t]*(?:\[(\d{1,3}(?: ?, ?\d{1,3}){0,7})\]|【(\d{1,3})(?:†[^】\n]{0,60})?】)/g;
/** Max characters that are held back. */
const MAX_HELD = 192;
/**
 * Matches text that may become a citation mark with the next characters, or is a mark that the next character decides.
 */
const OPEN = /(?<![ \t])[ \t]*(?:\[[\d ,]{0,46}\]?|【[^】\n]{0,66}】?)?$/;
/** Matches characters that make a link or a footnote of the mark before them. */
const NO_MARK = /^[(:]/;
const TICKS = /`+/g;

/**
 * Finds citations of results in a streamed text. Marks in code do not count, and neither do numbers without a result. The
 * output, joined, equals the input.
 */
export class CitationReader {
  readonly #isKnown: (number: number) => boolean;
  #pending = "";
  /** How many backticks opened the code that is written now; 0 outside of code. */
  #ticks = 0;

  constructor(isKnown: (number: number) => boolean) {
    this.#isKnown = isKnown;
  }

  push(piece: string): readonly CitedPart[] {
    const text = this.#pending + piece;
    const tail = text.slice(-MAX_HELD);
    const open = OPEN.exec(tail)?.index ?? tail.length;
    const ticks = /(?<!`)`+$/.exec(tail.slice(0, open))?.index ?? open;
    this.#pending = tail.slice(ticks);
    const end = text.length - this.#pending.length;
    return this.#read(text.slice(0, end), this.#pending);
  }

  /** Ends the text. */
  flush(): readonly CitedPart[] {
    const text = this.#pending;
    this.#pending = "";
    return this.#read(text, "");
  }

  #read(text: string, next: string): readonly CitedPart[] {
    const parts: CitedPart[] = [];
    let start = 0;
    const addText = (end: number): void => {
      if (end > start) parts.push({ kind: "text", text: text.slice(start, end) });
    };
    for (const found of text.matchAll(MARK)) {
      const end = found.index + found[0].length;
      this.#pass(text.slice(start, found.index));
      const numbers = (found[1] ?? found[2] ?? "").split(",").map(Number);
      const after = text.slice(end, end + 1) || next.slice(0, 1);
      const isLink = found[1] !== undefined && NO_MARK.test(after);
      if (this.#ticks > 0 || isLink || !numbers.every(this.#isKnown)) {
        // The text is kept; its part before the mark is scanned for code.
        addText(end);
      } else {
        addText(found.index);
        parts.push({ kind: "mark", written: found[0], numbers });
      }
      start = end;
    }
    this.#pass(text.slice(start));
    addText(text.length);
    return joinParts(parts);
  }

  /** Tracks code spans and blocks. Inline code ends with its line. */
  #pass(text: string): void {
    let at = 0;
    for (const found of text.matchAll(TICKS)) {
      this.#line(text.slice(at, found.index));
      at = found.index + found[0].length;
      if (this.#ticks === 0) this.#ticks = found[0].length;
      else if (found[0].length === this.#ticks) this.#ticks = 0;
    }
    this.#line(text.slice(at));
  }

  #line(text: string): void {
    if (this.#ticks > 0 && this.#ticks < 3 && text.includes("\n")) this.#ticks = 0;
  }
}

function joinParts(parts: readonly CitedPart[]): readonly CitedPart[] {
  const all: CitedPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      all[all.length - 1] = { kind: "text", text: last.text + part.text };
    else all.push(part);
  }
  return all;
}
