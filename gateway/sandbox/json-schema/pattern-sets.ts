/** Code points from the first to the second, both included. */
export type Range = readonly [from: number, to: number];

const DIGITS: readonly Range[] = [[48, 57]];
const UPPER: readonly Range[] = [[65, 90]];
const LOWER: readonly Range[] = [[97, 122]];
const WORD: readonly Range[] = [...LOWER, ...UPPER, ...DIGITS, [95, 95]];
const SPACE: readonly Range[] = [
  [32, 32],
  [9, 10],
  [13, 13],
];
const PUNCTUATION: readonly Range[] = [
  [45, 45],
  [33, 44],
  [46, 47],
  [58, 64],
];
/** What a negated set is sampled from, and no more: letters first, so that samples stay readable. */
const COMMON: readonly Range[] = [...LOWER, ...UPPER, ...DIGITS, ...PUNCTUATION, [32, 32], [95, 95], [224, 246]];

const MOST_PER_RANGE = 32;

/** The characters of `\d`, `\W`, `\p{Lu}` and their like (written without the backslash), as samples. */
export function classEscape(escape: string): readonly Range[] {
  const inverse = "DSWP".includes(escape.charAt(0));
  const ranges = escape.length > 1 ? propertyRanges(escape) : basicRanges(escape.toLowerCase());
  return inverse ? negated(ranges).map((character) => [pointOf(character), pointOf(character)]) : ranges;
}

function basicRanges(letter: string): readonly Range[] {
  if (letter === "d") return DIGITS;
  return letter === "s" ? SPACE : WORD;
}

function propertyRanges(escape: string): readonly Range[] {
  const property = escape.slice(2, -1).replace(/^(?:General_Category|gc)=/, "");
  if (/^(?:Lu|Uppercase)/.test(property)) return UPPER;
  if (/^(?:N|Nd|Number|Decimal)/.test(property)) return DIGITS;
  if (/^(?:P|S)(?:[a-z]$|$|unct|ymbol)/.test(property)) return PUNCTUATION;
  if (/^(?:Z|White_Space|Separator)/.test(property)) return [[32, 32]];
  return LOWER;
}

/** Samples of the characters in `ranges`. */
export function spread(ranges: readonly Range[]): string[] {
  return ranges.flatMap(([from, to]) => {
    const count = Math.max(0, Math.min(to - from + 1, MOST_PER_RANGE));
    return Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index));
  });
}

/** Samples of the characters that are in none of `ranges`. */
export function negated(ranges: readonly Range[]): string[] {
  return spread(COMMON).filter((character) => !ranges.some(([from, to]) => isBetween(pointOf(character), from, to)));
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function isBetween(value: number, from: number, to: number): boolean {
  return value >= from && value <= to;
}
