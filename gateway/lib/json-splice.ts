const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Puts `value` in the place of the text that the top level of a JSON object holds under `name`; every other byte stays
 * as it is. A name that is there more than once is replaced everywhere, so that readers who take the first and readers
 * who take the last agree.
 * @param json a valid JSON object in UTF-8.
 * @returns null when no text is there under that name.
 */
export function withTextField(json: Buffer, name: string, value: string): Buffer | null {
  const parts: Buffer[] = [];
  const written = Buffer.from(JSON.stringify(value));
  let kept = 0;
  for (const [start, end] of textValues(json, name)) {
    parts.push(json.subarray(kept, start), written);
    kept = end;
  }
  return parts.length === 0 ? null : Buffer.concat([...parts, json.subarray(kept)]);
}

/** Where the texts under `name` at the top level begin and end, quotes included. */
function* textValues(json: Buffer, name: string): Generator<readonly [start: number, end: number]> {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    else if (byte === QUOTE) {
      const start = at;
      const end = endOfText(json, start);
      at = end - 1;
      if (depth !== 1) continue;
      const colon = afterSpace(json, end);
      if (json[colon] !== COLON || JSON.parse(json.toString("utf8", start, end)) !== name) continue;
      const value = afterSpace(json, colon + 1);
      at = value - 1;
      if (json[value] !== QUOTE) continue;
      const valueEnd = endOfText(json, value);
      yield [value, valueEnd];
      at = valueEnd - 1;
    }
  }
}

/** The place behind the closing quote of the text that begins at `start`. */
function endOfText(json: Buffer, start: number): number {
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
function afterSpace(json: Buffer, at: number): number {
  let place = at;
  while (json[place] === 0x20 || json[place] === 0x0a || json[place] === 0x0d || json[place] === 0x09) place += 1;
  return place;
}
