import { unitSides } from "./units.ts";
import type { RequestFigure } from "./list.ts";
import type { Receipt } from "./receipt.ts";

/** What of a receipt its figures are made of. */
export interface RequestFigures extends Pick<Receipt, "nano" | "ms" | "first_ms" | "stream"> {
  /** Of both sides. */
  readonly tokens: number;
  readonly output_tokens: number;
}

/** What a request is sorted by: the gateway and the pages ask the same. Null where it has no such figure. */
export function figureBy(figures: RequestFigures, by: RequestFigure): number | null {
  // Tokens are asked for only where they are needed: the gateway counts them when it is asked.
  if (by === "cost") return figures.nano;
  if (by === "ms") return figures.ms;
  if (by === "first_ms") return figures.first_ms;
  if (by === "tokens") return figures.tokens || null;
  const { ms, first_ms, stream } = figures;
  // What comes in one go has no speed.
  if (!stream || first_ms === null || ms <= first_ms) return null;
  return (figures.output_tokens * 1_000) / (ms - first_ms) || null;
}

/** The figures of a receipt. */
export function figuresOf({ nano, ms, first_ms, stream, terms }: Receipt): RequestFigures {
  let [tokens, output_tokens] = [0, 0];
  for (const { unit, quantity } of terms) {
    const side = unitSides[unit];
    if (side === "input" || side === "output") tokens += quantity;
    if (side === "output") output_tokens += quantity;
  }
  return { nano, ms, first_ms, stream, tokens, output_tokens };
}
