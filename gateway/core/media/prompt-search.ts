const CHARACTERS = 2_000;

/** Text of a prompt that is searched: its first 2,000 characters in lower case. */
export const searchText = (prompt: string): string => prompt.slice(0, CHARACTERS).toLowerCase();

/** The words that must all be in it. The longest is first: mostly it is the rarest, and one look is enough. */
export function searchWords(query: string): readonly string[] {
  const words = searchText(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.toSorted((a, b) => b.length - a.length);
}
