import { mostTokens } from "./embedding-inputs.ts";
import type { EmbeddingInput } from "./embedding-inputs.ts";

/** Limits of one request to a provider (docs/providers/README.md#embedding-batches). */
export interface EmbeddingLimits {
  readonly inputs: number;
  /** Max tokens of all inputs together; Infinity if the provider names no total. */
  readonly tokens: number;
}

/** Consecutive inputs that go to the provider in one request. */
export interface EmbeddingPart {
  /** Position of its first input among all inputs. */
  readonly offset: number;
  readonly inputs: readonly EmbeddingInput[];
}

/**
 * Splits the inputs so that each part stays within the limits. A too long input gets a part of its own: the provider
 * decides whether to truncate or refuse it.
 */
export function splitInputs(inputs: readonly EmbeddingInput[], limits: EmbeddingLimits): readonly EmbeddingPart[] {
  const parts: EmbeddingPart[] = [];
  let offset = 0;
  let tokens = 0;
  for (const [index, input] of inputs.entries()) {
    const more = mostTokens(input);
    const full = index - offset >= limits.inputs || tokens + more > limits.tokens;
    if (full && index > offset) {
      parts.push({ offset, inputs: inputs.slice(offset, index) });
      offset = index;
      tokens = 0;
    }
    tokens += more;
  }
  parts.push({ offset, inputs: inputs.slice(offset) });
  return parts;
}

/** Returns the strictest limits of several providers, because failover may send a part to any of them. */
export function getCommonLimits(all: readonly EmbeddingLimits[]): EmbeddingLimits {
  return {
    inputs: Math.min(...all.map(({ inputs }) => inputs)),
    tokens: Math.min(...all.map(({ tokens }) => tokens)),
  };
}
