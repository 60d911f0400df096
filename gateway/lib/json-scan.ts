const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Max members of an object whose names are compared here; a consumer of the object counts more of them faster. */
const MOST_NAMES = 32;
/** Shorter texts are looked at byte by byte, as names are; in longer ones the end is searched for. */
const SHORT_TEXT = 32;
/** Bytes per piece: V8 makes much longer texts in pages of their own, which cost as much as parsing. */
const PIECE_BYTES = 40 * 1_024;
/** Bytes after which a piece ends inside of an item, too. */
const MAX_PIECE_BYTES = 96 * 1_024;
/** Level of the lists of messages, tools and inputs, whose items stay whole if they can. */
const LIST_LEVEL = 2;

/** Limits at which a scan stops. */
export interface JsonLimits {
  readonly depth: number;
  readonly pieces: number;
  readonly values: number;
}

/** Costs of a JSON text for its parser, and for each later reader. */
export interface JsonScan {
  /** Nesting depth of objects and arrays. */
  readonly depth: number;
  /** Objects, arrays and texts, names included: each is an allocation. */
  readonly pieces: number;
  /** Values of any kind that another one follows; numbers among them, which are cheap, but not for nothing. */
  readonly values: number;
  /** Members that are written, of all objects: one colon each. */
  readonly members: number;
  /** Whether an object may say a name twice. False: none does. */
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
  /** Brackets that close what the piece leaves open, the innermost first. */
  readonly closers: string;
  /** Way from the container of the piece to the innermost one that is open: quotes around a name, null for the last item. */
  readonly path: readonly (readonly [open: number, close: number] | null)[];
}

/**
 * Looks once at the bytes of a JSON text, valid or not, without making anything of them: some megabytes of `[[[[` or
 * `"a","b",` keep `JSON.parse` busy for seconds in which no one else is served. It stops early once a limit is passed.
 */
export function scanJson(json: Buffer, limits: JsonLimits): JsonScan {
  let level = 0;
  let depth = 0;
  let pieces = 0;
  let values = 0;
  let members = 0;
  let mayRepeat = false;
  let hasEscapedName = false;
  // Hashes of the names of the objects that are open, those of the innermost last; and where those of each level begin.
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
  // Innermost level whose container has more than one piece.
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

/** Whether a comma of a level stands between items of a list that is cut anyway, or is likely to be. */
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

/** Notes a name. @returns whether the object may have said it before. @param begin of its names. */
function isKnown(hash: number, names: number[], begin: number): boolean {
  if (names.length - begin >= MOST_NAMES) return true;
  for (let at = begin; at < names.length; at++) if (names[at] === hash) return true;
  names.push(hash);
  return false;
}

/** The place of the quote that ends a text, from a place inside of it on. */
function closingQuote(json: Buffer, inside: number): number {
  let at = json.indexOf(QUOTE, inside);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf(QUOTE, at + 1);
  return at < 0 ? json.length : at;
}

/** An odd number of backslashes stands before it. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at - 1;
  while (json[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/**
 * Whether an object somewhere in the text says a name more than once: `{"n":1,"n":9}`. `JSON.parse` takes the last and
 * other readers the first, so that two readers of the same bytes can understand two requests.
 * @param value what `JSON.parse` made of the text; not deeper than the stack.
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
