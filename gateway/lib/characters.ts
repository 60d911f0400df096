/** Characters of a text as people and providers count them: code points, not UTF-16 units. */
export function characterCount(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Whether a text has more characters than `most`; they are counted only where that can matter. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && characterCount(text) > most;
}
