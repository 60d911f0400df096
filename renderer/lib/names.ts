/** What people call something that the gateway names by a word; a word that these pages do not know, as it is. */
export function nameOf(names: Readonly<Record<string, string>>, word: string): string {
  return (Object.hasOwn(names, word) ? names[word] : undefined) ?? word;
}
