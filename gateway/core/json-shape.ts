/** Memory of an object, an array or a text, beside its characters; and of any other value. Measured on V8, roughly. */
export const PIECE_BYTES = 64;
export const VALUE_BYTES = 16;

/** What parsed JSON is made of. */
export interface JsonShape {
  /** Of all objects in it. */
  readonly members: number;
  /** Bytes of memory that it takes beside the characters of its texts, roughly. */
  readonly memory: number;
}

/**
 * Looks at every value of parsed JSON; null when it is nested deeper than `limit` objects and arrays (`{"a":[1]}` is two
 * deep). Never descends further than that, so no depth of the input can exhaust the stack; `JSON.parse` itself has no
 * such limit, `JSON.stringify` and schema checks do. Ask before anything else walks the value.
 */
export function jsonShape(value: unknown, limit: number): JsonShape | null {
  const shape = { members: 0, memory: 0 };
  return measure(value, limit, shape) ? shape : null;
}

interface Tally {
  members: number;
  memory: number;
}

/** False when it is too deep. */
function measure(value: unknown, limit: number, tally: Tally): boolean {
  if (typeof value !== "object" || value === null) {
    tally.memory += typeof value === "string" ? PIECE_BYTES : VALUE_BYTES;
    return true;
  }
  if (limit <= 0) return false;
  tally.memory += PIECE_BYTES;
  if (Array.isArray(value)) {
    for (const item of value) if (!measure(item, limit - 1, tally)) return false;
    return true;
  }
  const record = value as Record<string, unknown>;
  for (const name in record) {
    tally.members += 1;
    if (!measure(record[name], limit - 1, tally)) return false;
  }
  return true;
}
