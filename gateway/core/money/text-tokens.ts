import { estimateTokenCount } from "tokenx";

/** Max characters that are counted exactly, which takes some 25 ms; for longer texts a sample is extrapolated. */
const COUNTED = 32 * 1_024;
/** Characters of a piece of the sample. */
const PIECE = 1_024;

/** Counts tokens of a text whose provider reported none, within a few percent of the real tokenizers. */
export function countTokens(text: string): number {
  if (text === "") return 0;
  if (text.length <= COUNTED) return estimateTokenCount(text);
  const counted = new CountedText();
  counted.add(text);
  return counted.tokens;
}

/** Returns a counter for many texts of one request: beyond a limit it extrapolates from the counted ones. */
export function getTokenCounter(): (text: string) => number {
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

/** A growing text, for counting: of a long one evenly spaced samples are kept; a short one is kept whole. */
export class CountedText {
  #characters = 0;
  readonly #pieces: string[] = [];
  /** Every `#stride`-th piece is stored. */
  #stride = 1;
  /** The piece being stored. */
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
      // Text between two pieces is skipped.
      const isSampled = place < PIECE;
      const end = at + (isSampled ? PIECE : PIECE * this.#stride) - place;
      const part = text.slice(at, end);
      at += part.length;
      this.#characters += part.length;
      if (!isSampled) continue;
      this.#piece += part;
      if (this.#piece.length === PIECE) this.#finish();
    }
  }

  #finish(): void {
    // Copied: V8's concatenated small strings take ten times their size, and a slice keeps the whole string alive.
    this.#pieces.push(Buffer.from(this.#piece).toString());
    this.#piece = "";
    if (this.#pieces.length <= COUNTED / PIECE) return;
    // Every other sample is dropped, and from now on only every other one is added.
    for (let index = 1; index < this.#pieces.length; index += 1) this.#pieces.splice(index, 1);
    this.#stride *= 2;
  }
}

/**
 * Token bounds without a tokenizer: there are dozens of tokenizers of several megabytes each, and a hold must be valid
 * for any provider's.
 */

const ASCII_CHARACTERS_PER_TOKEN = 4;

/** About how many tokens a text has: 4 ASCII characters, or 1 character of other scripts, each. */
export function estimateTextTokens(text: string): number {
  // UTF-8 takes 1 byte for ASCII and 3 for most other scripts, so the byte length shows the mix much faster than
  // inspecting characters.
  const other = (Buffer.byteLength(text, "utf8") - text.length) / 2;
  return (text.length - other) / ASCII_CHARACTERS_PER_TOKEN + other;
}

/**
 * Costs in thousandths of a token. They were fitted to OpenAI's tokenizers and lie a third to a half above them for
 * prose, because Anthropic's newer ones make up to a third more tokens. A digit costs a whole token, as at Google and
 * Qwen.
 */
const WORD_BEHIND_SPACE = 960;
const WORD = 1_120;
const NEXT_CAPITAL = 450;
const FIRST_DIGIT = 1_250;
const NEXT_DIGIT = 1_000;
const SPACE = 320;
const NEXT_SPACE = 300;
const LINE = 800;
const NEXT_LINE = 450;
const SIGN = 880;
/** Rows of one sign are few tokens. */
const SAME_SIGN = 220;
const CONTROL = 1_250;
const BEHIND_ACCENT = 600;

/** Costs of a letter following another, by the pair's frequency in European languages. */
const USUAL_PAIR = 20;
const SELDOM_PAIR = 150;
/** No word is written so: tokenizers cut between them. */
const STRANGE_PAIR = 1_600;

/** Letters that usually, and now and then, follow each letter from `a` on; `-` for nothing. */
const USUAL =
  "clnrst - aehot ei acdnrstx io e aet clnost - - eil ae cdegost dfmnpru aers - aeios eiot aehioprst rst e i - - -";
const SELDOM =
  "abdgikmpuvwy aeijloruy ciklrsu adlosuy befgilmpqvwy aeflrstu ahinrsu ioru abdefgmprvxz eps aeis adostuy bdilmopsu " +
  "afiklnpuvy abcgklostvw ilmoptuy u cdgklmnrtuvy achpsuy cluwy abcdegilmnp ai aehnorsw aept nopst e";

/** Max characters of a text that may be a random non-word, with more tokens than its letter pairs suggest. */
const NO_WORD = 5;

/** Extra cost of letters beyond this run length, which no word has. */
const LONG_ROW = 16;
const BEYOND_LONG_ROW = 500;

const SPACE_BYTE = 0x20;
const CAPITAL_A = 0x41;
const SMALL_A = 0x61;
const ALPHABET = 26;

const isCapital = (byte: number): boolean => byte >= CAPITAL_A && byte <= 0x5a;
const isSmall = (byte: number): boolean => byte >= SMALL_A && byte <= 0x7a;
const isLetter = (byte: number): boolean => isCapital(byte) || isSmall(byte);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLine = (byte: number): boolean => byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Returns the cost of an ASCII byte by the byte before it; letters after letters cost what their pairs do (`addPairs`). */
function computeByteCost(before: number, byte: number): number {
  if (isLetter(byte)) {
    if (before > 0x7f) return BEHIND_ACCENT;
    return before === SPACE_BYTE ? WORD_BEHIND_SPACE : WORD;
  }
  if (isDigit(byte)) return isDigit(before) ? NEXT_DIGIT : FIRST_DIGIT;
  if (byte === SPACE_BYTE) return before === byte ? NEXT_SPACE : SPACE;
  if (isLine(byte)) return before === byte ? NEXT_LINE : LINE;
  if (byte < SPACE_BYTE || byte === 0x7f) return CONTROL;
  return before === byte ? SAME_SIGN : SIGN;
}

function getLetterPairs(): Uint16Array {
  const pairs = new Uint16Array(ALPHABET * ALPHABET).fill(STRANGE_PAIR);
  const put = (followers: string, cost: number): void => {
    for (const [first, letters] of followers.split(" ").entries()) {
      if (letters === "-") continue;
      for (const letter of letters) pairs[first * ALPHABET + letter.charCodeAt(0) - SMALL_A] = cost;
    }
  };
  put(USUAL, USUAL_PAIR);
  put(SELDOM, SELDOM_PAIR);
  return pairs;
}

/**
 * Costs of characters beyond ASCII, by the first two bytes of their UTF-8; later rows override earlier ones. No
 * tokenizer makes more tokens than bytes per character, and fewer for widespread scripts.
 */
const BLOCKS: readonly (readonly [
  firsts: readonly [number, number],
  seconds: readonly [number, number],
  cost: number,
])[] = [
  [[0xc0, 0xdf], [0x80, 0xbf], 2_000],
  [[0xe0, 0xef], [0x80, 0xbf], 3_000],
  [[0xf0, 0xff], [0x80, 0xbf], 4_000],
  [[0xc3, 0xc9], [0x80, 0xbf], 1_900], // Latin with accents
  [[0xce, 0xcf], [0x80, 0xbf], 1_850], // Greek
  [[0xd0, 0xd0], [0x80, 0xbf], 1_400], // Cyrillic
  [[0xd1, 0xd1], [0x80, 0x9f], 1_400],
  [[0xd7, 0xdb], [0x80, 0xbf], 1_850], // Hebrew, Arabic
  [[0xe0, 0xe0], [0xa4, 0xb7], 2_200], // scripts of India
  [[0xe0, 0xe0], [0xb8, 0xb9], 1_800], // Thai
  [[0xe2, 0xe2], [0x80, 0x80], 1_900], // dashes and quotation marks
  [[0xe3, 0xe3], [0x80, 0x83], 1_900], // kana
  [[0xe4, 0xe4], [0xb8, 0xbf], 2_500], // ideographs
  [[0xe5, 0xe9], [0x80, 0xbf], 2_500],
  [[0xea, 0xea], [0xb0, 0xbf], 2_700], // Hangul
  [[0xeb, 0xed], [0x80, 0xbf], 2_700],
  [[0xef, 0xef], [0xbc, 0xbf], 2_200], // full width
];

/** Returns the first byte after which ASCII costs the same, except for doubles and pairs of letters. */
function findFirstAlike(before: number): number {
  if (before > 0x7f) return 0x80;
  if (isSmall(before)) return SMALL_A;
  if (isCapital(before)) return CAPITAL_A;
  if (isDigit(before)) return 0x30;
  return before === SPACE_BYTE ? before : 0;
}

/** Writes the cost of each letter pair; a capital after a small letter starts a word. */
function addPairs(costs: Uint16Array): void {
  const pairs = getLetterPairs();
  for (let first = 0; first < ALPHABET; first++) {
    const small = (SMALL_A + first) * 256;
    const capital = (CAPITAL_A + first) * 256;
    for (let second = 0; second < ALPHABET; second++) {
      const cost = pairs[first * ALPHABET + second] as number;
      costs[small + SMALL_A + second] = cost;
      costs[small + CAPITAL_A + second] = WORD;
      costs[capital + SMALL_A + second] = cost;
      costs[capital + CAPITAL_A + second] = cost + NEXT_CAPITAL;
    }
  }
}

/**
 * Returns the cost of each byte after each other one. Rows are copied if possible: this delays the start, and a
 * function called thousands of times would load V8's optimizing compiler into memory permanently.
 */
function getByteCosts(): Uint16Array {
  const costs = new Uint16Array(256 * 256);
  for (let before = 0; before < 256; before++) {
    const put = (byte: number): void => {
      costs[before * 256 + byte] = computeByteCost(before, byte);
    };
    const alike = findFirstAlike(before);
    if (before === alike) for (let byte = 0; byte < 128; byte++) put(byte);
    else costs.copyWithin(before * 256, alike * 256, alike * 256 + 128);
    // The copied row marks another byte as repeated, so both bytes are computed again.
    for (const byte of [before, alike]) if (byte < 128) put(byte);
  }
  addPairs(costs);
  for (const [[first, last], [from, to], cost] of BLOCKS) {
    for (let byte = first; byte <= last; byte++) costs.fill(cost, byte * 256 + from, byte * 256 + to + 1);
  }
  return costs;
}

/** Made with the first text: only limited keys need it. */
let counter: ((text: string) => number) | null = null;

/**
 * Counts the max tokens of a text, for holds. The result is a third to a half above tokenizers' counts for prose, and
 * not below them for dense text: code, digits, base64, rare scripts, random characters. A megabyte takes a few ms.
 */
export function mostTextTokens(text: string): number {
  counter ??= mostTokensCounter();
  return counter(text);
}

/** Size of a shared buffer for scanned texts, because allocating one per text would cost as much as the scan. */
const SCRATCH = 64 * 1_024;
const BYTES_PER_CHARACTER = 3;

/** `mostTextTokens` as a closure with constant tables, which V8 runs a third faster. */
function mostTokensCounter(): (text: string) => number {
  const costs = getByteCosts();
  const scratch = Buffer.allocUnsafeSlow(SCRATCH);
  return (text) => {
    const short = text.length <= LONG_ROW ? countShortCost(text, costs) : null;
    if (short !== null) return Math.ceil(short / 1_000) + (text.length < NO_WORD ? 0 : 1);
    const fits = text.length * BYTES_PER_CHARACTER <= SCRATCH;
    const bytes = fits ? scratch : Buffer.from(text, "utf8");
    const length = fits ? scratch.write(text, "utf8") : bytes.length;
    // Four independent sums, which the CPU can compute in parallel.
    let [one, two, three, four] = [0, 0, 0, 0];
    let before = 0;
    let at = 0;
    for (; at + 3 < length; at += 4) {
      const a = bytes[at] as number;
      const b = bytes[at + 1] as number;
      const c = bytes[at + 2] as number;
      one += costs[(before << 8) | a] as number;
      two += costs[(a << 8) | b] as number;
      three += costs[(b << 8) | c] as number;
      before = bytes[at + 3] as number;
      four += costs[(c << 8) | before] as number;
    }
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      one += costs[(before << 8) | byte] as number;
      before = byte;
    }
    return Math.ceil((one + two + three + four + beyondLongRows(bytes, length) * BEYOND_LONG_ROW) / 1_000);
  };
}

/** Counts names and other short, mostly ASCII texts without a copy; null for those that are not ASCII. */
function countShortCost(text: string, table: Uint16Array): number | null {
  let sum = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return null;
    sum += table[(before << 8) | code] as number;
    before = code;
  }
  return sum;
}

/** Counts the letters beyond `LONG_ROW` in runs of letters. A longer run has a letter at each first probe. */
function beyondLongRows(bytes: Buffer, length: number): number {
  let beyond = 0;
  let end = 0;
  for (let at = LONG_ROW; at < length; at += LONG_ROW) {
    if (at < end) continue;
    let first = at;
    while (first >= 0 && letters[bytes[first] as number] === 1) first -= 1;
    end = at;
    while (end < length && letters[bytes[end] as number] === 1) end += 1;
    beyond += Math.max(0, end - first - 1 - LONG_ROW);
  }
  return beyond;
}

const letters = Uint8Array.from({ length: 256 }, (_, byte) => Number(isLetter(byte)));
