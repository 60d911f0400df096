/**
 * Vectors of the sandbox: of unit length, the same for the same text, and nearer to each other the more words and
 * letters two texts share. Each word and each run of three letters pushes a few numbers up or down.
 */

/** A text feature with its weight: a shared word weighs more than a shared run of letters. */
interface Feature {
  readonly name: string;
  readonly weight: number;
}

const WORD_WEIGHT = 2;
const RUN_LENGTH = 3;
/** Max characters used of a text, so that no text blocks the gateway. */
const MOST_CHARACTERS = 50_000;

/**
 * Ranges of numbers that features change: the first 64, the first 256, and so on. A vector that is cut to its beginning
 * still separates texts, as those of the providers do.
 */
const SCALES = [64, 256, 1_024, Infinity] as const;
const PUSHES_PER_SCALE = 8;

/** Decimal places of a number, about what providers write. */
const PRECISION = 1e8;

/**
 * @param input a text or an array of tokens; not empty.
 * @param whole the longest vector that the model makes. @param dimensions how much of its beginning is wanted.
 */
export function getVector(input: string | readonly number[], whole: number, dimensions: number): readonly number[] {
  const vector = new Float64Array(whole);
  for (const { name, weight } of typeof input === "string" ? getFeatures(input) : input.map(tokenFeature)) {
    let state = hashText(name);
    for (const scale of SCALES) {
      const size = Math.min(scale, whole);
      for (let push = 0; push < PUSHES_PER_SCALE; push += 1) {
        state = next(state);
        const position = (state >>> 1) % size;
        vector[position] = (vector[position] ?? 0) + (state & 1 ? weight : -weight);
      }
    }
  }
  return unit(vector.subarray(0, dimensions));
}

function* getFeatures(text: string): Generator<Feature, void, undefined> {
  const plain = text.slice(0, MOST_CHARACTERS).normalize("NFKC").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu);
  if (words === null) {
    yield { name: `=${plain}`, weight: 1 };
    return;
  }
  for (const word of words) {
    yield { name: `=${word}`, weight: WORD_WEIGHT };
    const padded = ` ${word} `;
    for (let start = 0; start + RUN_LENGTH <= padded.length; start += 1) {
      yield { name: padded.slice(start, start + RUN_LENGTH), weight: 1 };
    }
  }
}

function tokenFeature(token: number): Feature {
  return { name: `#${token}`, weight: 1 };
}

/** Divided by its length; where all pushes met and cancelled out, a vector along its first number. */
function unit(vector: Float64Array): readonly number[] {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  if (length === 0) return Array.from(vector, (_, index) => (index === 0 ? 1 : 0));
  // Adding 0 makes 0 of -0, which JSON cannot write.
  return Array.from(vector, (number) => Math.round((number / length) * PRECISION) / PRECISION + 0);
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  return next(hash);
}

/** Advances a 32-bit generator whose every bit depends on every bit before (splitmix32's finish). */
function next(state: number): number {
  let mixed = (state + 0x9e_37_79_b9) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
