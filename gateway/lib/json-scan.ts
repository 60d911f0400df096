const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Max members of an object whose names are compared here; for more, the consumer of the object is faster. */
const MOST_NAMES = 32;
/** Shorter texts are looked at byte by byte, as names are; in longer ones the end is searched for. */
const SHORT_TEXT = 32;
/** Bytes per piece: V8 makes much longer texts in pages of their own, which cost as much as parsing. */
const PIECE_BYTES = 40 * 1_024;
/** Bytes after which a piece ends even inside of an item. */
const MAX_PIECE_BYTES = 96 * 1_024;
/** Nesting level of the lists of messages, tools and inputs, whose items are kept whole if possible. */
const LIST_LEVEL = 2;

/** Limits at which a scan stops. */
export interface JsonLimits {
  readonly depth: number;
  readonly pieces: number;
  readonly values: number;
}

/** Measures of a JSON text that determine the cost for its parser and later readers. */
export interface JsonScan {
  /** Nesting depth of objects and arrays. */
  readonly depth: number;
  /** Objects, arrays and texts, names included: each is an allocation. */
  readonly pieces: number;
  /** Number of values of any kind followed by another one, including numbers, which are cheap but not free. */
  readonly values: number;
  /** Members that are written, of all objects: one colon each. */
  readonly members: number;
  /** Whether an object may have a duplicate name. False: certainly not. */
  readonly mayRepeat: boolean;
  /** Whether a name is written with an escape. */
  readonly hasEscapedName: boolean;
  /** Offsets at which a long text is split for parsing, the last one excluded; empty for a short text. */
  readonly cuts: readonly Cut[];
}

/** End of a piece. Offsets are of bytes. */
export interface Cut {
  /** Offset of a comma, or of the bracket that closes a container of several pieces. */
  readonly at: number;
  /** Objects, arrays and texts before it. */
  readonly pieces: number;
  /** Closing brackets for the piece's open containers, innermost first. */
  readonly closers: string;
  /** Way from the container of the piece to the innermost one that is open: quotes around a name, null for the last item. */
  readonly path: readonly (readonly [open: number, close: number] | null)[];
}

/**
 * Scans the bytes of a JSON text, valid or not, without parsing them: a few megabytes of `[[[[` or `"a","b",` would
 * block in `JSON.parse` for seconds. It stops early once a limit is exceeded.
 */
export function scanJson(json: Buffer, limits: JsonLimits): JsonScan {
  let level = 0;
  let depth = 0;
  let pieces = 0;
  let values = 0;
  let members = 0;
  let mayRepeat = false;
  let hasEscapedName = false;
  // Hashes of the names of open objects, innermost last; and the start of each level.
  const names: number[] = [];
  const begins: number[] = [];
  // Hash of the last text, which is a name if a colon follows.
  let hash = 0;
  let isHashed = false;
  let open = 0;
  let close = 0;
  // Opening bracket of each level, and the quotes around its last name.
  const brackets: number[] = [0];
  const quotes: number[] = [0, 0];
  const cuts: Cut[] = [];
  let cut = 0;
  // Innermost level whose container spans several pieces.
  let cutLevel = 0;
  for (
    let at = 0;
    at < json.length && depth <= limits.depth && pieces <= limits.pieces && values <= limits.values;
    at++
  ) {
    switch (json[at]) {
      case QUOTE: {
        pieces += 1;
        hash = 0;
        open = at;
        const end = at + SHORT_TEXT;
        let byte = json[++at];
        // An escape may be another spelling of a name: `n` and `\u006e`.
        while (at < end && byte !== QUOTE && byte !== BACKSLASH && byte !== undefined) {
          hash = (Math.imul(hash, 31) + byte) | 0;
          byte = json[++at];
        }
        isHashed = byte === QUOTE;
        if (!isHashed) at = closingQuote(json, at);
        close = at;
        break;
      }
      case COMMA:
        values += 1;
        if (at - cut >= PIECE_BYTES && level > 0 && (isItem(level, cutLevel) || at - cut >= MAX_PIECE_BYTES)) {
          cuts.push(createCut({ at, pieces }, cutLevel, level, { brackets, quotes }));
          cut = at;
          cutLevel = level;
        }
        break;
      case COLON:
        members += 1;
        mayRepeat ||= !isHashed || isKnown(hash, names, begins[level] ?? 0);
        hasEscapedName ||= !isHashed && json.subarray(open, close).includes(BACKSLASH);
        quotes[2 * level] = open;
        quotes[2 * level + 1] = close;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        pieces += 1;
        level += 1;
        begins[level] = names.length;
        brackets[level] = json[at] as number;
        if (level > depth) depth = level;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT: {
        // An unmatched closing bracket is invalid JSON: the parser stops here, so the rest is irrelevant.
        if (level === 0) return { depth, pieces, values, members, mayRepeat, hasEscapedName, cuts };
        if (level === cutLevel) {
          cuts.push({ at, pieces, closers: "", path: [] });
          cut = at;
          cutLevel -= 1;
        }
        const begin = begins[level] ?? 0;
        if (names.length > begin) names.length = begin;
        level -= 1;
        break;
      }
      default:
    }
  }
  return { depth, pieces, values, members, mayRepeat, hasEscapedName, cuts };
}

/** Tells whether a comma of a level separates items of a list that is, or will probably be, split. */
const isItem = (level: number, cutLevel: number): boolean => level <= LIST_LEVEL || level === cutLevel;

function createCut(
  place: Pick<Cut, "at" | "pieces">,
  from: number,
  to: number,
  { brackets, quotes }: { readonly brackets: readonly number[]; readonly quotes: readonly number[] },
): Cut {
  let closers = "";
  const path: ([number, number] | null)[] = [];
  for (let level = from + 1; level <= to; level++) {
    closers = (brackets[level] === OPEN_ARRAY ? "]" : "}") + closers;
    const isNamed = brackets[level - 1] === OPEN_OBJECT;
    path.push(isNamed ? [quotes[2 * level - 2] as number, quotes[2 * level - 1] as number] : null);
  }
  return { ...place, closers, path };
}

/** Records a name. @returns whether the object may already have it. @param begin start of its names */
function isKnown(hash: number, names: number[], begin: number): boolean {
  if (names.length - begin >= MOST_NAMES) return true;
  for (let at = begin; at < names.length; at++) if (names[at] === hash) return true;
  names.push(hash);
  return false;
}

/** Returns the offset of the closing quote of a string, from an offset inside of it. */
function closingQuote(json: Buffer, inside: number): number {
  let at = json.indexOf(QUOTE, inside);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf(QUOTE, at + 1);
  return at < 0 ? json.length : at;
}

/** Tells whether an odd number of backslashes precedes it. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at - 1;
  while (json[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/**
 * Tells whether an object in the text has a duplicate name: `{"n":1,"n":9}`. `JSON.parse` uses the last and other
 * parsers the first, so that they read different requests from the same bytes.
 * @param value result of `JSON.parse`; not deeper than the stack.
 */
export function repeatsNames({ members, mayRepeat }: JsonScan, value: unknown): boolean {
  return mayRepeat && getMembers(value) !== members;
}

/**
 * Tells whether two parsers may read these bytes differently. One such case is an escaped name: V8 (Node 24 and 26,
 * nodejs/node#63785) reads `"\u0061"` as the name `\` after it has seen that name in an object of the same shape.
 * @param value result of `JSON.parse`; not deeper than the stack.
 */
export function mayMislead(scan: JsonScan, value: unknown): boolean {
  return scan.hasEscapedName || repeatsNames(scan, value);
}

/** Members of all objects. */
function getMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += getMembers(item);
    return members;
  }
  const record = value as Record<string, unknown>;
  for (const name in record) members += 1 + getMembers(record[name]);
  return members;
}
