/**
 * The sandbox's tokenizer: not any provider's, but plausible (about four letters to a token in English, one character
 * in Chinese), deterministic, and lossless, so that counts, truncation, stream deltas and log probabilities agree with
 * each other to the token.
 *
 * A token is: at most one space, then up to six letters, or up to three digits, or one character of a script written
 * without spaces, or one emoji with all its joiners, or one other character with its marks. No token ends inside a
 * character.
 */
const PICTURE = String.raw`\p{ExtPict}(?:\p{EMod}|\u{FE0F})?`;
const PIECE = [
  String.raw`\s?(?:\p{RI}\p{RI}`,
  String.raw`${PICTURE}(?:\u{200D}${PICTURE})*`,
  String.raw`[\d#*]\u{FE0F}?\u{20E3}`,
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]\p{M}*`,
  String.raw`(?:\p{L}\p{M}*){1,6}`,
  String.raw`\p{N}{1,3}`,
  String.raw`[^\s\p{L}\p{N}]\p{M}*)`,
  String.raw`\s`,
].join("|");
/** Made when it is first needed: the tables of Unicode take their time, and a start has none. */
let piece: RegExp | undefined;

/** Longer texts are counted on a sample of their beginning: counting 32 MiB exactly would hold up the gateway. */
const COUNTED_EXACTLY = 100_000;

/** The pieces of `text`; joined they are `text` again. */
export function getTokens(text: string): string[] {
  piece ??= new RegExp(PIECE, "gu");
  return text.match(piece) ?? [];
}

/** Counts the tokens of `text`; beyond 100,000 characters, extrapolated. */
export function countTokens(text: string): number {
  if (text.length <= COUNTED_EXACTLY) return getTokens(text).length;
  const sample = getTokens(text.slice(0, COUNTED_EXACTLY)).length;
  return Math.round((sample * text.length) / COUNTED_EXACTLY);
}

/** Returns the start of `text` in at most `limit` tokens, with an ellipsis if truncated. */
export function excerpt(text: string, limit: number): string {
  const beginning = text.slice(0, limit * 8);
  const pieces = getTokens(beginning);
  if (beginning.length === text.length && pieces.length <= limit) return text;
  // The last piece may have been cut through a character.
  return `${pieces.slice(0, -1).slice(0, limit).join("")}…`;
}
