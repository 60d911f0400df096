/** A text node of a page; `joined` if it continues the previous element's text. */
export interface TextPiece {
  readonly text: string;
  readonly joined: boolean;
}

/** A position in text nodes: index of a node, and offset in it. */
export type TextPlace = readonly [piece: number, at: number];

/** Max matches that are marked and counted. */
export const MOST_MATCHES = 1_000;

/** Finds a text in any letter case, with any white space for a space, also where it spans joined pieces. */
export function findText(
  pieces: readonly TextPiece[],
  query: string,
): readonly { readonly from: TextPlace; readonly to: TextPlace }[] {
  const words = query.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const pattern = new RegExp(words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "giu");
  const starts: number[] = [];
  let whole = "";
  for (const { text, joined } of pieces) {
    // Users cannot type this character, so no match spans it.
    if (!joined) whole += "\0";
    starts.push(whole.length);
    whole += text;
  }
  let piece = 0;
  // Locates an offset; offsets of a match are ascending.
  const locate = (at: number): TextPlace => {
    while ((starts[piece + 1] ?? Number.POSITIVE_INFINITY) <= at) piece += 1;
    return [piece, at - (starts[piece] ?? 0)];
  };
  return [...whole.matchAll(pattern).take(MOST_MATCHES)].map(({ 0: found, index }) => {
    const from = locate(index);
    const [last, at] = locate(index + found.length - 1);
    return { from, to: [last, at + 1] };
  });
}
