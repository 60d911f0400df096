/** Characters of a text as people and providers count them: code points, not UTF-16 units. */
export function characterCount(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Tells whether a text has more characters than `most`; counts only if needed. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && characterCount(text) > most;
}
