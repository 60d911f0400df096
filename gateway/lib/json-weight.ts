const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/** What a JSON text asks of its parser. */
export interface JsonWeight {
  /** Objects and arrays inside of each other. */
  readonly depth: number;
  /** Objects, arrays and texts, names included: each is an allocation. */
  readonly pieces: number;
  /** Values of any kind that another one follows; numbers among them, which are cheap, but not for nothing. */
  readonly values: number;
}

/**
 * Looks at the bytes of a JSON text, valid or not, without making anything of them: some megabytes of `[[[[` or `"a","b",`
 * keep `JSON.parse` busy for seconds in which nobody else is served. It stops early once a limit is passed.
 */
export function weighJson(json: Buffer, limits: JsonWeight): JsonWeight {
  let level = 0;
  let depth = 0;
  let pieces = 0;
  let values = 0;
  let inText = false;
  for (
    let at = 0;
    at < json.length && depth <= limits.depth && pieces <= limits.pieces && values <= limits.values;
    at++
  ) {
    const byte = json[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === COMMA) values += 1;
    else if (byte === QUOTE) {
      inText = true;
      pieces += 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      pieces += 1;
      level += 1;
      if (level > depth) depth = level;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) level -= 1;
  }
  return { depth, pieces, values };
}
