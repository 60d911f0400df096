import { unitSides } from "./units.ts";
import type { RequestFigure } from "./list.ts";
import type { Receipt } from "./receipt.ts";

/** Fields of a receipt from which sort values are computed. */
export interface RequestFigures extends Pick<Receipt, "nano" | "ms" | "first_ms" | "stream"> {
  /** Input and output together. */
  readonly tokens: number;
  readonly output_tokens: number;
}

/** Returns a request's sort value, for the gateway and the pages. Null if it has none. */
export function pickFigure(figures: RequestFigures, by: RequestFigure): number | null {
  // Tokens are read only when needed: the gateway counts them on access.
  if (by === "cost") return figures.nano;
  if (by === "ms") return figures.ms;
  if (by === "first_ms") return figures.first_ms;
  if (by === "tokens") return figures.tokens || null;
  const { ms, first_ms, stream } = figures;
  // A response that arrives in one chunk has no rate.
  if (!stream || first_ms === null || ms <= first_ms) return null;
  return (figures.output_tokens * 1_000) / (ms - first_ms) || null;
}

/** The figures of a receipt. */
export function getFigures({ nano, ms, first_ms, stream, terms }: Receipt): RequestFigures {
  let [tokens, output_tokens] = [0, 0];
  for (const { unit, quantity } of terms) {
    const side = unitSides[unit];
    if (side === "input" || side === "output") tokens += quantity;
    if (side === "output") output_tokens += quantity;
  }
  return { nano, ms, first_ms, stream, tokens, output_tokens };
}
