/** Reasoning is sent in larger pieces than the answer: nobody reads it letter by letter. */
export const REASONING_TOKENS_PER_DELTA = 4;
/** Tool inputs likewise. */
export const INPUT_TOKENS_PER_DELTA = 2;

/** The texts of `size` tokens each. */
export function* joined(tokens: readonly string[], size: number): Generator<string, void, undefined> {
  for (let start = 0; start < tokens.length; start += size) yield tokens.slice(start, start + size).join("");
}
