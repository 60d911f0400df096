import type { ReactNode } from "react";

/** Max highlighted matches, as each costs an element. */
const MOST_MARKS = 200;

/** Renders a text with search matches highlighted. @param q empty highlights nothing */
export function Marked({ text, q }: { readonly text: string; readonly q: string }): ReactNode {
  const parts = markedParts(text, q);
  if (parts.length < 2) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <mark key={index} className="rounded-sm bg-warning-soft text-warning-text forced-colors:bg-[Mark]">
        {part}
      </mark>
    ),
  );
}

/** The text in parts: what stands between the places that match, and, at odd places, what matches. In any case. */
export function markedParts(text: string, q: string): readonly string[] {
  const query = q.trim().toLowerCase();
  const low = text.toLowerCase();
  // Lower case may be longer (İ): places would not be the same.
  if (query === "" || low.length !== text.length) return [text];
  const parts: string[] = [];
  let from = 0;
  for (let marks = 0; marks < MOST_MARKS; marks += 1) {
    const at = low.indexOf(query, from);
    if (at === -1) break;
    parts.push(text.slice(from, at), text.slice(at, at + query.length));
    from = at + query.length;
  }
  return [...parts, text.slice(from)];
}
