import { classEscape, negated, spread, type Range } from "./pattern-sets.ts";

/** A regular expression, as far as it is needed to write a match. */
export type PatternNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "set"; readonly characters: readonly string[] }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "either"; readonly options: readonly PatternNode[] }
  | { readonly kind: "group"; readonly part: PatternNode; readonly names: readonly string[] }
  | { readonly kind: "back"; readonly name: string }
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number };

const LONGEST_PATTERN = 2_000;
const NOTHING: PatternNode = { kind: "text", text: "" };
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };

/** Reads a pattern; undefined when it is too long or uses what is not known here. */
export function parsePattern(pattern: string): PatternNode | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const reader: Reader = { text: pattern, at: 0, groups: 0 };
  try {
    const tree = readEither(reader);
    return reader.at === pattern.length ? tree : undefined;
  } catch (error) {
    if (error instanceof UnreadablePattern) return undefined;
    throw error;
  }
}

class UnreadablePattern extends Error {
  override readonly name = "UnreadablePattern";
}

interface Reader {
  readonly text: string;
  at: number;
  groups: number;
}

/** Takes what `expression` (sticky) finds here. */
function take(reader: Reader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.text);
  if (!found) return undefined;
  reader.at += found[0].length;
  return found;
}

function readEither(reader: Reader): PatternNode {
  const options = [readSequence(reader)];
  while (take(reader, /\|/y)) options.push(readSequence(reader));
  return options.length === 1 && options[0] ? options[0] : { kind: "either", options };
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = [];
  while (reader.at < reader.text.length && !/[|)]/.test(reader.text.charAt(reader.at))) {
    parts.push(readQuantified(reader));
  }
  return { kind: "sequence", parts };
}

function readQuantified(reader: Reader): PatternNode {
  const part = readAtom(reader);
  const quantifier = take(reader, /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
  if (!quantifier) return part;
  const [, sign, least, comma, most] = quantifier;
  if (sign) return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Infinity };
  const upper = comma === undefined ? Number(least) : most ? Number(most) : Infinity;
  return { kind: "repeat", part, least: Number(least), most: upper };
}

function readAtom(reader: Reader): PatternNode {
  if (take(reader, /[$^]|\\[bB]/y)) return NOTHING;
  if (take(reader, /\./y)) return { kind: "set", characters: negated([]) };
  if (take(reader, /\[/y)) return readClass(reader);
  const lookAround = take(reader, /\(\?<?[=!]/y);
  if (lookAround) {
    readGroupEnd(reader);
    return NOTHING;
  }
  const group = take(reader, /\((?:(\?:)|\?<([^>]*)>)?/y);
  if (group) return readGroup(reader, group[1] !== undefined, group[2]);
  const reference = take(reader, /\\(?:k<([^>]*)>|([1-9]\d?))/y);
  if (reference) return { kind: "back", name: reference[1] ?? reference[2] ?? "" };
  if (reader.text.charAt(reader.at) === "\\") return readEscape(reader);
  const literal = take(reader, /[^*+?()]/uy);
  if (!literal) throw new UnreadablePattern();
  return { kind: "text", text: literal[0] };
}

function readGroup(reader: Reader, unnamed: boolean, name: string | undefined): PatternNode {
  const names: string[] = [];
  if (!unnamed) {
    reader.groups += 1;
    names.push(String(reader.groups), ...(name === undefined ? [] : [name]));
  }
  return { kind: "group", part: readGroupEnd(reader), names };
}

function readGroupEnd(reader: Reader): PatternNode {
  const part = readEither(reader);
  if (!take(reader, /\)/y)) throw new UnreadablePattern();
  return part;
}

function readEscape(reader: Reader): PatternNode {
  const set = take(reader, /\\([dDsSwW]|[pP]\{[^}]*\})/y);
  if (set) return { kind: "set", characters: spread(classEscape(set[1] ?? "")) };
  return { kind: "text", text: readEscapedCharacter(reader) };
}

function readEscapedCharacter(reader: Reader): string {
  const code = take(reader, /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/iy);
  if (code) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
    if (point > 0x10_ff_ff) throw new UnreadablePattern();
    return String.fromCodePoint(point);
  }
  const escaped = take(reader, /\\([\s\S])/uy)?.[1];
  if (escaped === undefined) throw new UnreadablePattern();
  return CONTROL[escaped] ?? escaped;
}

function readClass(reader: Reader): PatternNode {
  const inverted = take(reader, /\^/y) !== undefined;
  const ranges: Range[] = [];
  while (!take(reader, /\]/y)) {
    const set = take(reader, /\\([dDsSwW]|[pP]\{[^}]*\})/y);
    if (set) ranges.push(...classEscape(set[1] ?? ""));
    else ranges.push(readRange(reader));
  }
  return { kind: "set", characters: inverted ? negated(ranges) : spread(ranges) };
}

function readRange(reader: Reader): Range {
  const from = readClassCharacter(reader);
  const to = take(reader, /-(?!\])/y) ? readClassCharacter(reader) : from;
  return [from, to];
}

function readClassCharacter(reader: Reader): number {
  if (take(reader, /\\b/y)) return 8;
  const text = reader.text.charAt(reader.at) === "\\" ? readEscapedCharacter(reader) : take(reader, /[^\]]/uy)?.[0];
  const point = text?.codePointAt(0);
  if (point === undefined) throw new UnreadablePattern();
  return point;
}
