/** Returns the display name of a gateway term; an unknown term is unchanged. */
export function getName(names: Readonly<Record<string, string>>, word: string): string {
  return (Object.hasOwn(names, word) ? names[word] : undefined) ?? word;
}
