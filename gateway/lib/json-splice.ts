/** Bytes of JSON. */
export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

/** Bytes that are replaced by a text. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Returns the JSON text of an object with some of its members changed; all other bytes are unchanged. A value replaces
 * the member of its name, `undefined` removes it, and new members come first.
 * @param json a valid JSON object in UTF-8 without duplicate names (http/middleware/json-body.ts): the text after the
 * last changed member is not read.
 * @param object its parsed value.
 */
export function withMembers(
  json: Buffer,
  object: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Buffer {
  let added = "";
  let there = 0;
  for (const name of Object.keys(changes)) {
    if (Object.hasOwn(object, name)) there += 1;
    else if (changes[name] !== undefined) added += `,${JSON.stringify(name)}:${JSON.stringify(changes[name])}`;
  }
  const edits: Edit[] = [];
  if (added !== "") {
    const brace = json.indexOf(OPEN_BRACE) + 1;
    const isEmpty = Object.keys(object).every((name) => name in changes && changes[name] === undefined);
    edits.push({ from: brace, to: brace, text: isEmpty ? added.slice(1) : `${added.slice(1)},` });
  }
  if (there > 0) addEdits(edits, json, changes, there);
  return applyEdits(json, edits);
}

/**
 * Replaces a text that is the first member of its object, as clients write `model`, without reading the rest.
 * @returns null if it is not there in plain letters and without white space: then `withMembers` finds it
 */
export function withFirstText(json: Buffer, name: string, before: string, after: string): Buffer | null {
  const head = `{"${name}":"${before}"`;
  if (json.length <= head.length || !isPlain(after)) return null;
  for (let at = 0; at < head.length; at += 1) {
    const code = head.charCodeAt(at);
    if (json[at] !== code || !isPlainCode(code)) return null;
  }
  const start = `{"${name}":"${after}"`;
  const result = Buffer.allocUnsafe(json.length - head.length + start.length);
  result.write(start, "latin1");
  json.copy(result, start.length, head.length);
  return result;
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!isPlainCode(text.charCodeAt(at)) || text[at] === '"') return false;
  return true;
}

/** Tells whether a character is one byte in UTF-8 that JSON writes as it is, or the quotes around it. */
const isPlainCode = (code: number): boolean => code >= 0x20 && code < 0x7f && code !== BACKSLASH;

/** @param there how many of the names are in the text */
function addEdits(edits: Edit[], json: Buffer, changes: Readonly<Record<string, unknown>>, there: number): void {
  /** End of the last member that stays, with the removed ones after it; null while no member stays. */
  let stays: number | null = null;
  let left = there;
  let at: number | null = afterSpace(json, json.indexOf(OPEN_BRACE) + 1);
  while (at !== null && json[at] === QUOTE) {
    const nameEnd = endOfText(json, at);
    const value = afterSpace(json, afterSpace(json, nameEnd) + 1);
    const end = endOfValue(json, value);
    const name = findName(json.toString("utf8", at, nameEnd));
    const next = nextMember(json, end);
    if (!Object.hasOwn(changes, name)) stays = end;
    else {
      if (changes[name] !== undefined) {
        edits.push({ from: value, to: end, text: JSON.stringify(changes[name]) });
        stays = end;
      } else if (stays === null) {
        // Leading members are removed with the comma after them; others with the comma before them.
        edits.push({ from: at, to: next ?? end, text: "" });
      } else {
        edits.push({ from: stays, to: end, text: "" });
        stays = end;
      }
      left -= 1;
      if (left === 0) return;
    }
    at = next;
  }
}

/** @param text a name as it is written, with its quotes */
function findName(text: string): string {
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** @param edits in their order */
function applyEdits(json: Buffer, edits: readonly Edit[]): Buffer {
  let size = json.length;
  for (const { from, to, text } of edits) size += Buffer.byteLength(text) - (to - from);
  // Not from the shared pool: a stream holds its request until it ends, and with it 64 kB of other data.
  const result = Buffer.allocUnsafeSlow(size);
  let read = 0;
  let written = 0;
  for (const { from, to, text } of edits) {
    written += json.copy(result, written, read, from);
    written += result.write(text, written);
    read = to;
  }
  json.copy(result, written, read);
  return result;
}

/** Returns the offset of the next member after a value that ends at `end`; null after the last one. */
function nextMember(json: Buffer, end: number): number | null {
  const comma = afterSpace(json, end);
  return json[comma] === COMMA ? afterSpace(json, comma + 1) : null;
}

/** Returns the offset after the value that starts at `start`. */
export function endOfValue(json: Buffer, start: number): number {
  if (json[start] === QUOTE) return endOfText(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // The object itself ends after a number or a literal.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at;
  }
  return json.length;
}

/** Returns the offset after the closing quote of the string that starts at `start`. */
export function endOfText(json: Buffer, start: number): number {
  let quote = start;
  do {
    quote = json.indexOf(QUOTE, quote + 1);
    if (quote < 0) return json.length;
  } while (isEscaped(json, quote, start));
  return quote + 1;
}

/** Tells whether an odd number of backslashes precedes the quote. */
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
