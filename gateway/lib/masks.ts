import { createHmac } from "node:crypto";
import { SECRET_HINT, replaceSecrets } from "./redact.ts";
import type { BoundedMap } from "./bounded-map.ts";

/** First characters of each mask: letters that tools, shells and addresses take as they are. */
const PREFIX = "MASKED_";
/** Digits and capital letters that are not mistaken for each other. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Characters after the prefix: 60 bits. */
const DIGITS = 12;
const LENGTH = PREFIX.length + DIGITS;
const MASK = new RegExp(`${PREFIX}[${ALPHABET}]{${DIGITS}}`, "g");
const MASK_START = new RegExp(`^${PREFIX}[${ALPHABET}]*$`);

/** What the masks of one local key have in common. */
export interface MaskSource {
  /** Makes masks of this key, which nobody else can compute. */
  readonly secret: string;
  /** The owner's own words, at least 4 characters each. */
  readonly words: readonly string[];
  /** Secrets by their masks, of earlier requests too: a conversation may continue one that the provider keeps. */
  readonly known: BoundedMap<string, string>;
}

/** Replaces the secrets of one request with masks, and masks in its response with the secrets. */
export class Masks {
  readonly #source: MaskSource;
  readonly #hint: RegExp;
  readonly #words: RegExp | null;
  readonly #used = new Set<string>();

  constructor(source: MaskSource) {
    this.#source = source;
    const forms = source.words.flatMap((word) => [word, escapeJson(word)]);
    const words = [...new Set(forms)].toSorted((a, b) => b.length - a.length).map(escapeRegExp);
    this.#words = words.length === 0 ? null : new RegExp(words.join("|"), "g");
    this.#hint = new RegExp([SECRET_HINT, ...words].join("|"), "g");
  }

  /** Different secrets that were masked so far. */
  get count(): number {
    return this.#used.size;
  }

  /** Whether a word may be written with `\u` escapes in JSON. */
  get hasEscapedForms(): boolean {
    return this.#source.words.some((word) => /[^\x20-\x7e]/.test(word));
  }

  /** Returns where the next possible secret of a text is, from an offset on; its length if there is none. */
  findHint(text: string, from = 0): number {
    this.#hint.lastIndex = from;
    return this.#hint.exec(text)?.index ?? text.length;
  }

  /** @param withWords false in fields of the protocol, whose values are not the owner's text */
  mask(text: string, withWords = true): string {
    const masked = this.#words === null || !withWords ? text : text.replace(this.#words, this.#replaceWord);
    return replaceSecrets(masked, this.#replace);
  }

  /**
   * Puts secrets back.
   * @param inJson whether the text is JSON itself, as arguments of tools are
   */
  restore(text: string, inJson = false): string {
    if (!text.includes(PREFIX)) return text;
    return text.replace(MASK, (mask) => {
      const secret = this.#source.known.get(mask);
      if (secret === undefined) return mask;
      return inJson ? escapeJson(secret) : secret;
    });
  }

  /** Returns how many characters at the end of a text may be the start of a mask. */
  static measureStart(text: string): number {
    // The longest start counts, since the digits of a mask may have an M of their own.
    let start = text.indexOf("M", Math.max(0, text.length - LENGTH + 1));
    for (; start >= 0; start = text.indexOf("M", start + 1)) {
      const end = text.slice(start);
      if (PREFIX.startsWith(end) || MASK_START.test(end)) return end.length;
    }
    return 0;
  }

  /** The escaped form of a word is the same secret. */
  readonly #replaceWord = (found: string): string =>
    this.#replace(this.#source.words.find((word) => word === found || escapeJson(word) === found) ?? found);

  readonly #replace = (found: string): string => {
    // A key in PEM has the same mask with its line breaks escaped.
    const secret = found.startsWith("-----BEGIN") ? found.replaceAll("\\n", "\n") : found;
    const mask = this.#createMask(secret);
    this.#source.known.set(mask, secret);
    this.#used.add(mask);
    return mask;
  };

  #createMask(secret: string): string {
    const digest = createHmac("sha256", this.#source.secret).update(secret).digest();
    let mask = PREFIX;
    for (let index = 0; index < DIGITS; index++) mask += ALPHABET.charAt((digest[index] ?? 0) % ALPHABET.length);
    return mask;
  }
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
