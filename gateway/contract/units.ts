import type { UnitClass } from "./receipt.ts";

// Without zod, because the pages and the ledger's thread load it first.

/** Side of a conversation per token class; null for other units. */
export const unitSides: Readonly<Record<UnitClass, "input" | "output" | null>> = {
  input: "input",
  cached_input: "input",
  cache_write: "input",
  cache_write_1h: "input",
  audio_input: "input",
  cached_audio_input: "input",
  image_input: "input",
  output: "output",
  reasoning: "output",
  audio_output: "output",
  image_output: "output",
  character: null,
  image: null,
  second: null,
  web_search: null,
  file_search: null,
  container: null,
  request: null,
};

/** Whether the price is shown per unit; else per million. */
export const soldByPiece = (unit: UnitClass): boolean => unitSides[unit] === null && unit !== "character";

/** Fees for one thing that was done, which cost the same however a call is served. */
export const FEES: ReadonlySet<string> = new Set<UnitClass>(["web_search", "file_search", "container", "request"]);
