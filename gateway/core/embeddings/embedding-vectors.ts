/**
 * A vector as it goes over the wire: numbers, or base64 of its little-endian float32 values
 * (docs/providers/openai.md#embeddings).
 */
export type Vector = readonly number[] | string;

export type VectorEncoding = "float" | "base64";

const FLOAT_BYTES = 4;

/** A number with all its digits, on a line of its own, as some providers write JSON. */
const NUMBER_BYTES = 40;
/** Max bytes around a vector, and around all of them. */
const ITEM_BYTES = 1_024;
const LIST_BYTES = 64 * 1_024;
const MOST_BYTES = 256 * 1_024 * 1_024;

/** Returns the max bytes of a response with this many vectors of this length. */
export function computeLargestEmbeddings(count: number, numbers: number): number {
  return Math.min(MOST_BYTES, LIST_BYTES + count * (ITEM_BYTES + numbers * NUMBER_BYTES));
}

/**
 * Returns the vector in the requested encoding. It is unchanged if already in that encoding, so that numbers and base64
 * stay exactly the provider's.
 */
export function encodeVector(vector: Vector, encoding: VectorEncoding): Vector {
  if (encoding === "base64") return typeof vector === "string" ? vector : toBase64(vector);
  return typeof vector === "string" ? fromBase64(vector) : vector;
}

/** Whether a value of a provider's response is a vector. */
export function isVector(value: unknown): value is Vector {
  if (typeof value === "string") return isBase64Vector(value);
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

/** Each number rounded to the nearest float32, which is the number itself where a provider wrote a float32. */
function toBase64(numbers: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(numbers.length * FLOAT_BYTES));
  for (let index = 0; index < numbers.length; index += 1)
    view.setFloat32(index * FLOAT_BYTES, numbers[index] ?? 0, true);
  return Buffer.from(view.buffer).toString("base64");
}

function fromBase64(text: string): readonly number[] {
  const bytes = Buffer.from(text, "base64");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) => view.getFloat32(index * FLOAT_BYTES, true));
}

/** Complete float32 values in padded base64; checked by length and alphabet, without decoding. */
function isBase64Vector(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return ((text.length / 4) * 3 - padding) % FLOAT_BYTES === 0;
}
