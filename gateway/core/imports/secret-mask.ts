/** Prefix length by which secrets are looked up, and their min length: shorter values name no key, such as `none`. */
const BEGINNING = 8;

/** Exact texts that are never shown, found in time that grows with the text and not with their number. */
export class SecretMask {
  readonly #secrets = new Set<string>();
  /** Lengths of secrets with the same prefix, longest first, as one may be a prefix of another. */
  readonly #lengths = new Map<string, number[]>();

  /** Hides this text from now on. */
  add(text: string): void {
    if (text.length < BEGINNING || this.#secrets.has(text)) return;
    this.#secrets.add(text);
    const beginning = text.slice(0, BEGINNING);
    const lengths = new Set(this.#lengths.get(beginning)).add(text.length);
    this.#lengths.set(
      beginning,
      [...lengths].toSorted((a, b) => b - a),
    );
  }

  /** @param hintOf returns the text shown in place of a secret */
  hide(text: string, hintOf: (secret: string) => string): string {
    let clean = "";
    let from = 0;
    for (let at = 0; at + BEGINNING <= text.length; at++) {
      const lengths = this.#lengths.get(text.slice(at, at + BEGINNING));
      const length = lengths?.find((one) => this.#secrets.has(text.slice(at, at + one)));
      if (length === undefined) continue;
      clean += text.slice(from, at) + hintOf(text.slice(at, at + length));
      from = at + length;
      at = from - 1;
    }
    return clean + text.slice(from);
  }
}
