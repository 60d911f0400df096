import type { SaidPart } from "../../contract/sessions.ts";
import type { Part } from "./request-parts.ts";

/** Characters of one part that are shown; files and outputs of tools are longer. */
const MOST_CHARACTERS = 20_000;

const sameAs = ({ role, kind, name, text }: Part): string => `${role}\n${kind}\n${name}\n${text}`;

/** Returns the parts that are new, counting duplicates; agents also remove, move and edit parts. */
export function newParts(before: readonly Part[], parts: readonly Part[]): Part[] {
  const known = new Map<string, number>();
  for (const part of before) known.set(sameAs(part), (known.get(sameAs(part)) ?? 0) + 1);
  return parts.filter((part) => {
    const left = known.get(sameAs(part)) ?? 0;
    if (left > 0) known.set(sameAs(part), left - 1);
    return left === 0;
  });
}

/** Shortens a long text for display. */
export function trimPart(part: Part): SaidPart {
  const { text } = part;
  if (text.length <= MOST_CHARACTERS) return { ...part, cut: 0 };
  return { ...part, text: text.slice(0, MOST_CHARACTERS).toWellFormed(), cut: text.length - MOST_CHARACTERS };
}
