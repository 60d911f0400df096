import { unitSides } from "../../contract/units.ts";
import type { Receipt, UnitClass } from "../../contract/receipt.ts";

/** The facts of a call that telemetry reports in addition to its receipt. */
export interface CallNames {
  /** Name from the conventions' list of providers. */
  readonly provider: string;
  /** Provider's server; null if Postern called no provider, or the connection is gone. */
  readonly server: { readonly address: string; readonly port: number } | null;
  /** The owner's name of the local key. */
  readonly key: string;
}

/** Tokens of a call by the conventions: totals per side, cached and reasoning tokens included. */
export interface TokenSums {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
  readonly reasoning: number;
}

/** A call that was settled, as spans and metrics tell of it. Nothing of its content is in it. */
export interface CallFacts {
  readonly receipt: Receipt;
  readonly names: CallNames;
  /** `gen_ai.operation.name`. */
  readonly operation: string;
  /** Empty for calls without a model. */
  readonly model: string;
  readonly tokens: TokenSums;
  /** `error.type`; null for completed calls. */
  readonly error: string | null;
}

/**
 * Operations by a receipt's endpoint. Names of the conventions are used if they exist: anything but chat and embeddings
 * is generated content. Web search and moderation have custom names.
 */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ["chat", "chat"],
  ["messages", "chat"],
  ["responses", "chat"],
  ["gemini", "chat"],
  ["completions", "text_completion"],
  ["embeddings", "embeddings"],
  ["search", "web_search"],
  ["moderations", "moderation"],
]);

export function callFacts(receipt: Receipt, names: CallNames): CallFacts {
  return {
    receipt,
    names,
    operation: OPERATIONS.get(receipt.endpoint) ?? "generate_content",
    model: receipt.endpoint === "search" ? "" : receipt.model,
    tokens: getTokens(receipt),
    error: getError(receipt),
  };
}

/** Returns the units of these classes. */
export function getQuantity({ terms }: Receipt, ...units: readonly UnitClass[]): number {
  return terms.reduce((sum, term) => (units.includes(term.unit) ? sum + term.quantity : sum), 0);
}

function getTokens(receipt: Receipt): TokenSums {
  const side = (which: "input" | "output"): number =>
    receipt.terms.reduce((sum, term) => (unitSides[term.unit] === which ? sum + term.quantity : sum), 0);
  return {
    input: side("input"),
    output: side("output"),
    cacheRead: getQuantity(receipt, "cached_input", "cached_audio_input"),
    cacheCreation: getQuantity(receipt, "cache_write", "cache_write_1h"),
    reasoning: getQuantity(receipt, "reasoning"),
  };
}

/** Returns our error code if there is one (docs/errors.md). */
function getError({ outcome, code, status }: Receipt): string | null {
  if (outcome === "completed") return null;
  return code ?? (status >= 400 ? String(status) : outcome);
}
