import { cutEscapeLength, unescapeJson } from "./json-escapes.ts";

/** Characters of a secret in a stream that are shown before it is recognised. */
const TOLD = 8;

/** Ways in which secrets may be written, by their first character. */
export type VeiledForms = ReadonlyMap<number, readonly string[]>;

/**
 * Hides secrets in texts that come piece by piece, where no piece holds a whole one. Nothing is held back for it: a
 * secret is hidden from its ninth character on.
 */
export class SecretVeil {
  readonly #forms: VeiledForms;
  /** The end of each text that may be the beginning of a secret, as received; null before the first one. */
  #begun: Map<string, string> | null = null;

  constructor(forms: VeiledForms) {
    this.#forms = forms;
  }

  /** @param run the text that the piece goes on, with `field` of several. @returns the piece, as long as it was. */
  piece(run: string, piece: string, field = ""): string {
    const before = this.#begun?.get(`${run} ${field}`) ?? "";
    const raw = before + piece;
    const whole = raw.slice(0, raw.length - cutEscapeLength(raw));
    const plain = unescapeJson(whole);
    const text = plain?.text ?? whole;
    const pieceAt = (index: number): number => Math.max(0, (plain?.rawAt(index) ?? index) - before.length);
    let shown = piece;
    let begun = raw.slice(whole.length);
    for (let start = 0; start < text.length; start++) {
      const forms = this.#forms.get(text.charCodeAt(start));
      if (forms === undefined) continue;
      for (const form of forms) {
        const length = Math.min(form.length, text.length - start);
        if (!text.startsWith(form.slice(0, length), start)) continue;
        const isWhole = length === form.length;
        if (!isWhole && begun.length <= raw.length - whole.length) begun = raw.slice(plain?.rawAt(start) ?? start);
        const from = pieceAt(start + (isWhole ? 0 : TOLD));
        const to = pieceAt(start + length);
        if (from < to) shown = shown.slice(0, from) + "*".repeat(to - from) + shown.slice(to);
      }
    }
    if (begun !== "") (this.#begun ??= new Map()).set(`${run} ${field}`, begun);
    else if (before !== "") this.#begun?.delete(`${run} ${field}`);
    return shown;
  }
}
