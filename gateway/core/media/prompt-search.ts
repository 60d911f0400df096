const CHARACTERS = 2_000;

/** Text of a prompt that is searched: its first 2,000 characters in lower case. */
export const searchText = (prompt: string): string => prompt.slice(0, CHARACTERS).toLowerCase();

/** Splits a query into words that must all match. The longest comes first, because it is usually the rarest. */
export function searchWords(query: string): readonly string[] {
  const words = searchText(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.toSorted((a, b) => b.length - a.length);
}
