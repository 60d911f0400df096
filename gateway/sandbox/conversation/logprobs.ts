import type { Seed } from "../seed.ts";

interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

/** Log probabilities of some tokens, in OpenAI's shape. */
export interface Logprobs {
  readonly content: readonly (TokenLogprob & { readonly top_logprobs: readonly TokenLogprob[] })[];
  readonly refusal: null;
}

/**
 * Invented log probabilities: the chosen token is the likeliest, its alternatives follow in falling order.
 * @param top how many to list for each token, the chosen one among them
 */
export function logprobsOf(tokens: readonly string[], top: number, seed: Seed): Logprobs {
  const content = tokens.map((token) => {
    const chosen = entryOf(token, -seed.number(`likely ${token}`, 500) / 1_000);
    const others = Array.from({ length: Math.max(0, top - 1) }, (_, index) =>
      entryOf(alternativeTo(token, index), chosen.logprob - (index + 1) * 0.75),
    );
    return { ...chosen, top_logprobs: top === 0 ? [] : [chosen, ...others] };
  });
  return { content, refusal: null };
}

function entryOf(token: string, logprob: number): TokenLogprob {
  return { token, logprob: Math.round(logprob * 1e6) / 1e6, bytes: [...Buffer.from(token)] };
}

function alternativeTo(token: string, index: number): string {
  return `${token.startsWith(" ") ? " " : ""}alternative${index + 1}`;
}
