/** Returns the display name of a word of the gateway; an unknown word stays as it is. */
export function getName(names: Readonly<Record<string, string>>, word: string): string {
  return (Object.hasOwn(names, word) ? names[word] : undefined) ?? word;
}
