const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Whether an object somewhere in the text says a name more than once: `{"n":1,"n":9}`. `JSON.parse` takes the last and
 * other readers the first, so that two readers of the same bytes can understand two requests.
 * @param json valid JSON in UTF-8, not deeper than the stack.
 * @param members of all objects in what `JSON.parse` made of it.
 */
export function hasRepeatedNames(json: Buffer, members: number): boolean {
  return membersWritten(json) !== members;
}

/** Every member of an object is written with one colon; the others stand inside of texts. */
function membersWritten(json: Buffer): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === COLON) count += 1;
    else if (byte === QUOTE) at = closingQuote(json, at);
  }
  return count;
}

/** The place of the quote that ends the text that begins at `start`. */
function closingQuote(json: Buffer, start: number): number {
  let at = json.indexOf(QUOTE, start + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf(QUOTE, at + 1);
  return at < 0 ? json.length : at;
}

/** An odd number of backslashes stands before it. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at - 1;
  while (json[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
