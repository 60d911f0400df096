/** Bytes of JSON. */
export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

/** A member at the top level of an object: where its name begins, and where its value begins and ends. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/**
 * The JSON text of an object with some of its members changed; every other byte stays as it is. A value takes the place
 * of the one that was there under its name, `undefined` takes the member out, and what was not there comes first. A name
 * that is there more than once is changed everywhere, so that readers who take the first and readers who take the last
 * agree.
 * @param json a valid JSON object in UTF-8.
 * @param object what it says.
 */
export function withMembers(
  json: Buffer,
  object: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Buffer {
  const added = Object.entries(changes).filter(([name, value]) => value !== undefined && !Object.hasOwn(object, name));
  const there = new Set(Object.keys(changes).filter((name) => Object.hasOwn(object, name)));
  const kept = there.size === 0 ? [json] : changed(json, changes, there);
  if (added.length === 0) return Buffer.concat(kept);
  const brace = json.indexOf(OPEN_BRACE) + 1;
  const first = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
  const isEmpty = Object.keys(object).every((name) => there.has(name) && changes[name] === undefined);
  const rest = Buffer.concat(kept);
  return Buffer.concat([rest.subarray(0, brace), Buffer.from(isEmpty ? first : `${first},`), rest.subarray(brace)]);
}

/** The pieces of the text with the members of these names replaced or taken out. */
function changed(json: Buffer, changes: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  /** Where the last member that stays ends, with those that went behind it; null while there is none. */
  let stays: number | null = null;
  for (const { name, start, value, end } of membersOf(json)) {
    const isChanged = names.has(name);
    if (isChanged && changes[name] === undefined) {
      // The comma in front goes along; of the first members the one behind.
      pieces.push(json.subarray(from, stays ?? start));
      from = stays === null ? (nextMember(json, end) ?? end) : end;
      if (stays !== null) stays = end;
      continue;
    }
    if (isChanged) {
      pieces.push(json.subarray(from, value), Buffer.from(JSON.stringify(changes[name])));
      from = end;
    }
    stays = end;
  }
  return [...pieces, json.subarray(from)];
}

/** Where the next member begins behind a value that ends at `end`; null when it was the last. */
function nextMember(json: Buffer, end: number): number | null {
  const comma = afterSpace(json, end);
  return json[comma] === COMMA ? afterSpace(json, comma + 1) : null;
}

function* membersOf(json: Buffer): Generator<Member> {
  let at: number | null = afterSpace(json, json.indexOf(OPEN_BRACE) + 1);
  if (json[at] !== QUOTE) return;
  while (at !== null) {
    const nameEnd = endOfText(json, at);
    const value = afterSpace(json, afterSpace(json, nameEnd) + 1);
    const end = endOfValue(json, value);
    yield { name: JSON.parse(json.toString("utf8", at, nameEnd)) as string, start: at, value, end };
    at = nextMember(json, end);
  }
}

/** The place behind the value that begins at `start`. */
export function endOfValue(json: Buffer, start: number): number {
  if (json[start] === QUOTE) return endOfText(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // The end of the object itself, behind a number or a word.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at;
  }
  return json.length;
}

/** The place behind the closing quote of the text that begins at `start`. */
export function endOfText(json: Buffer, start: number): number {
  let quote = start;
  do {
    quote = json.indexOf(QUOTE, quote + 1);
    if (quote < 0) return json.length;
  } while (isEscaped(json, quote, start));
  return quote + 1;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(json: Buffer, quote: number, start: number): boolean {
  let before = quote - 1;
  while (before > start && json[before] === BACKSLASH) before -= 1;
  return (quote - 1 - before) % 2 === 1;
}

/** The place of the first byte from `at` on that is not white space. */
export function afterSpace(json: Buffer, at: number): number {
  let place = at;
  while (isSpace(json[place])) place += 1;
  return place;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
