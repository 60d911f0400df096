import { estimateTokenCount } from "tokenx";

/** Characters that are counted one by one, which takes some 25 ms; of longer texts a sample stands for the whole. */
const COUNTED = 32 * 1_024;
/** Characters of a piece of the sample. */
const PIECE = 1_024;

/** Tokens of a text, counted here because the provider reported none. Within some percent of the real tokenizers. */
export function countTokens(text: string): number {
  if (text === "") return 0;
  if (text.length <= COUNTED) return estimateTokenCount(text);
  const counted = new CountedText();
  counted.add(text);
  return counted.tokens;
}

/** The same for the texts of one request, however many there are: what is counted so far stands for the rest. */
export function tokenCounter(): (text: string) => number {
  let characters = 0;
  let tokens = 0;
  return (text) => {
    if (characters > COUNTED) return Math.ceil((text.length * tokens) / characters);
    const own = countTokens(text);
    characters += text.length;
    tokens += own;
    return own;
  };
}

/**
 * A text that grows, for counting: of a long one pieces in even distances are kept, which stand for the whole; a short
 * one is kept as it is.
 */
export class CountedText {
  #characters = 0;
  readonly #pieces: string[] = [];
  /** Of so many pieces one is kept. */
  #stride = 1;
  /** The piece that is being kept. */
  #piece = "";

  get characters(): number {
    return this.#characters;
  }

  get tokens(): number {
    const sample = this.#pieces.join("") + this.#piece;
    if (sample === "") return 0;
    return Math.round((estimateTokenCount(sample) * this.#characters) / sample.length);
  }

  add(text: string): void {
    for (let at = 0; at < text.length;) {
      const place = this.#characters % (PIECE * this.#stride);
      // Between two pieces nothing is looked at.
      const kept = place < PIECE;
      const end = at + (kept ? PIECE : PIECE * this.#stride) - place;
      const part = text.slice(at, end);
      at += part.length;
      this.#characters += part.length;
      if (!kept) continue;
      this.#piece += part;
      if (this.#piece.length === PIECE) this.#finish();
    }
  }

  #finish(): void {
    // Joined, and a text of its own: what V8 makes of small pieces takes ten times its characters, and a slice keeps the whole alive.
    this.#pieces.push(Buffer.from(this.#piece).toString());
    this.#piece = "";
    if (this.#pieces.length <= COUNTED / PIECE) return;
    // Every other one goes, and from here on every other one is kept.
    for (let index = 1; index < this.#pieces.length; index += 1) this.#pieces.splice(index, 1);
    this.#stride *= 2;
  }
}
