import { cutEscapeLength, unescapeJson } from "./json-escapes.ts";

/** Characters of a secret in a stream that are shown before it is recognised. */
const TOLD = 8;

type Span = readonly [start: number, end: number];

/** Finds secrets in texts, in all of their forms. */
export interface SecretFinder {
  /** Tells whether the text certainly contains no secret, and does not end with the start of one. */
  isClean(text: string): boolean;
  findWhole(text: string): readonly Span[];
  /** Finds the offsets at which a start of a secret at the end of the text may begin. */
  findBeginnings(text: string): readonly number[];
}

/**
 * Redacts secrets in text that arrives in pieces, even if no piece holds a whole secret. Nothing is buffered: a secret
 * is redacted from its ninth character on.
 */
export class SecretVeil {
  readonly #finder: SecretFinder;
  /** Possible start of a secret at the end of each text, as received; null before the first one. */
  #tails: Map<string, string> | null = null;

  constructor(finder: SecretFinder) {
    this.#finder = finder;
  }

  /** @param run the text that the piece goes on, with `field` of several. @returns the piece, as long as it was. */
  piece(run: string, piece: string, field = ""): string {
    const before = this.#tails?.get(`${run} ${field}`) ?? "";
    if (before === "" && !piece.includes("\\") && this.#finder.isClean(piece)) return piece;
    const raw = before + piece;
    const whole = raw.slice(0, raw.length - cutEscapeLength(raw));
    const plain = unescapeJson(whole);
    const text = plain?.text ?? whole;
    const secrets = this.#finder.findWhole(text);
    const beginnings = this.#finder.findBeginnings(text);
    const [first = text.length] = beginnings;
    const partialStart = Math.min(whole.length, plain?.rawAt(first) ?? first);
    if (partialStart < raw.length) (this.#tails ??= new Map()).set(`${run} ${field}`, raw.slice(partialStart));
    else if (before !== "") this.#tails?.delete(`${run} ${field}`);
    if (secrets.length === 0 && first + TOLD >= text.length) return piece;
    const cut = beginnings.map((start): Span => [start + TOLD, text.length]);
    const placeInPiece = (index: number): number => Math.max(0, (plain?.rawAt(index) ?? index) - before.length);
    return hideSecrets(piece, [...secrets, ...cut], placeInPiece);
  }
}

function hideSecrets(piece: string, secrets: readonly Span[], placeInPiece: (index: number) => number): string {
  let shown = "";
  for (const [start, end] of secrets.toSorted(([a], [b]) => a - b)) {
    const from = Math.max(shown.length, placeInPiece(start));
    const to = placeInPiece(end);
    if (from < to) shown += piece.slice(shown.length, from) + "*".repeat(to - from);
  }
  return shown + piece.slice(shown.length);
}
