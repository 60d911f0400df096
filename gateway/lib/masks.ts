import { createHmac } from "node:crypto";
import { findSecretAcross, replaceSecrets } from "./redact.ts";
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

/** The shared facts of the masks of one local key. */
export interface MaskSource {
  /** Key of the masks, so that no one else can compute them. */
  readonly secret: string;
  /** Null without words. */
  readonly words: MaskedWords | null;
  /** Secrets by their masks, of earlier requests too: a conversation may continue one that the provider keeps. */
  readonly known: BoundedMap<string, string>;
}

/** The owner's own words, as texts are searched for them. */
export interface MaskedWords {
  /** Finds the longest first. */
  readonly pattern: RegExp;
  readonly forms: readonly (readonly [word: string, form: RegExp])[];
}

/** @param words of at least 4 characters each */
export function compileWords(words: readonly string[]): MaskedWords | null {
  if (words.length === 0) return null;
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const patterns = longestFirst.map(writePattern);
  return {
    pattern: new RegExp(patterns.join("|"), "g"),
    forms: longestFirst.map((word, index) => [word, new RegExp(`^(?:${patterns[index]})$`)]),
  };
}

/** How one text is masked. */
export interface MaskOptions {
  /** False in fields of the protocol, whose values are not the owner's text. */
  readonly withWords?: boolean;
  /** Whether the text is JSON itself, as arguments of tools are. */
  readonly inJson?: boolean;
  /** Whether only secrets that were masked before are. */
  readonly isOnlyKnown?: boolean;
}

/** Replaces the secrets of one request with masks, and masks in its response with the secrets. */
export class Masks {
  readonly #source: MaskSource;
  /** Secrets by their masks, however many there are, and masks by what was found. */
  readonly #used = new Map<string, string>();
  readonly #made = new Map<string, string>();

  constructor(source: MaskSource) {
    this.#source = source;
  }

  /** Different secrets that were masked so far. */
  get count(): number {
    return this.#used.size;
  }

  mask(text: string, { withWords = true, inJson = false, isOnlyKnown = false }: MaskOptions = {}): string {
    const { words } = this.#source;
    const replace = (secret: string): string => this.#replace(secret, inJson, isOnlyKnown);
    const replaceWord = (found: string): string =>
      replace(words?.forms.find(([word, form]) => word === found || form.test(found))?.[0] ?? found);
    const masked = words === null || !withWords ? text : text.replace(words.pattern, replaceWord);
    return replaceSecrets(masked, replace);
  }

  /** Returns where the first secret begins that an offset may be in; null without one. */
  findSecretAcross(text: string, at: number): number | null {
    const { words } = this.#source;
    return findSecretAcross(text, at, words === null ? [] : [words.pattern]);
  }

  /**
   * Puts secrets back.
   * @param inJson whether the text is JSON itself, as arguments of tools are
   */
  restore(text: string, inJson = false): string {
    if (!text.includes(PREFIX)) return text;
    return text.replace(MASK, (mask) => {
      const secret = this.#find(mask);
      if (secret === undefined) return mask;
      return inJson ? escapeJson(secret) : secret;
    });
  }

  /** Returns how many characters at the end of a text may be the start of a mask. */
  static measureStart(text: string): number {
    // Masks have the letter M in them too, and at their end.
    const rest = text.includes(PREFIX) ? text.replace(MASK, " ") : text;
    const first = Math.max(0, rest.length - LENGTH + 1);
    for (let start = rest.indexOf("M", first); start >= 0; start = rest.indexOf("M", start + 1)) {
      const end = rest.slice(start);
      if (PREFIX.startsWith(end) || MASK_START.test(end)) return end.length;
    }
    return 0;
  }

  #replace(found: string, inJson: boolean, isOnlyKnown: boolean): string {
    // A word, or another form, may have been masked within it: `Bearer sk-…`, `?key=sk-…`.
    const shown = this.restore(found, inJson);
    const secret = inJson ? unescapeText(shown) : shown;
    const mask = this.#made.get(secret) ?? this.#createMask(secret);
    if (isOnlyKnown && this.#find(mask) === undefined) return found;
    this.#source.known.set(mask, secret);
    this.#used.set(mask, secret);
    this.#made.set(secret, mask);
    return mask;
  }

  #find(mask: string): string | undefined {
    return this.#source.known.get(mask) ?? this.#used.get(mask);
  }

  #createMask(secret: string): string {
    const digest = createHmac("sha256", this.#source.secret).update(secret).digest();
    let mask = PREFIX;
    for (let index = 0; index < DIGITS; index++) mask += ALPHABET.charAt((digest[index] ?? 0) % ALPHABET.length);
    return mask;
  }
}

/** Writes a text as it is in JSON, without quotes. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns what a slice of JSON stands for. */
function unescapeText(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** Characters that writers of JSON escape: PHP slashes, Go signs of HTML, Python all that is not ASCII. */
const ESCAPABLE = /["/<>&'\x7f]|[^\x20-\x7e]/;

/** Returns the pattern of a word, also as it is within JSON that is a text of JSON itself. */
function writePattern(word: string): string {
  return word.replace(/(\\*)([^\\]?)/g, (_whole, { length }: string, character: string) => {
    const slashes = (least: number): string => `\\\\{${least},${8 * length + 8}}`;
    const plain = character.replace(/[.*+?^${}()|[\]/-]/g, "\\$&");
    if (!ESCAPABLE.test(character)) return length === 0 ? plain : slashes(length) + plain;
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${slashes(length)}${plain}|${slashes(length + 1)}u${digits})`;
  });
}
