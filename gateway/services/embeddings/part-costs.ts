import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import type { Usage } from "../../core/models/model.ts";
import { priceUnits } from "../../core/money/price.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { Candidate } from "../models/served-model.ts";
import { mostTokens } from "../../core/embeddings/embedding-inputs.ts";
import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { getTokenCounter } from "../../core/money/text-tokens.ts";
import { ASSUMED_PRICE } from "../../core/money/hold.ts";
import { findMaxCost } from "../calls/paid-call.ts";
import type { CallCost } from "../calls/paid-call.ts";

/** Result of a completed part. */
export interface DonePart<T> {
  /** Candidate that responded. */
  readonly candidate: Candidate;
  /** Input tokens. */
  readonly tokens: number;
  /** Whether they were counted here. */
  readonly estimated: boolean;
  /** Items of `data`, in the form of the list. */
  readonly items: T;
}

/** Results of the parts of one call, from which it is charged however it ends. */
export class PartsLedger<T> {
  readonly #done = new Map<EmbeddingPart, DonePart<T>>();

  /** Runs a part and records its result. */
  async follow(part: EmbeddingPart, run: () => Promise<DonePart<T>>): Promise<void> {
    this.#done.set(part, await run());
  }

  get anyDone(): boolean {
    return this.#done.size > 0;
  }

  /** The answered parts in the order of their inputs. */
  inOrder(): readonly DonePart<T>[] {
    return [...this.#done].toSorted(([a], [b]) => a.offset - b.offset).map(([, done]) => done);
  }

  /** Tokens of the answered parts. */
  get tokens(): number {
    return [...this.#done.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Returns the billed units of the completed parts: each was a separate request. */
  done(): { readonly units: readonly Usage[]; readonly estimated: boolean } {
    const parts = [...this.#done.values()];
    return {
      units: parts.map(({ tokens }) => ({ units: { input: tokens } })),
      estimated: parts.some(({ estimated }) => estimated),
    };
  }

  /**
   * Sets the provider of the receipt. If failover spread the parts over providers with different prices, it is the most
   * expensive one, so that a key's limit holds in any case.
   */
  chargeTo(record: CallRecord): void {
    const answered = [...this.#done.values()].map(({ candidate }) => candidate);
    const mostExpensive = answered.reduce<Candidate | undefined>(
      (most, candidate) => (most === undefined || getRate(candidate) > getRate(most) ? candidate : most),
      undefined,
    );
    if (mostExpensive !== undefined) record.setBilledCandidate(mostExpensive);
  }
}

/** Nano USD for a million tokens. Unpriced comes last: an unpriced receipt would charge nothing for the priced parts. */
function getRate({ price }: Candidate): number {
  return price === null ? -1 : (priceUnits({ input: 1_000_000 }, price).nano ?? -1);
}

/** Returns the max cost of embedding the parts. */
export function getEmbeddingsCost(candidates: readonly Candidate[], parts: readonly EmbeddingPart[]): CallCost {
  const units = parts.map(findMostUnits);
  return findMaxCost(candidates, (price) => priceUnits(units, price ?? ASSUMED_PRICE).nano ?? 0);
}

/** Returns the max number of tokens that a part can have. */
export function findMostUnits({ inputs }: EmbeddingPart): Usage {
  return { units: { input: inputs.reduce((sum, input) => sum + mostTokens(input), 0) } };
}

/** Tokens of inputs, counted here because the provider reported none. */
export function countedTokens(inputs: readonly EmbeddingInput[]): number {
  const count = getTokenCounter();
  return inputs.reduce((sum, input) => sum + (typeof input === "string" ? count(input) : input.length), 0);
}
