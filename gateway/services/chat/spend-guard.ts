import { GatewayError } from "../../core/errors.ts";
import { ASSUMED_PRICE } from "../../core/money/estimate.ts";
import type { HoldEstimate } from "../../core/money/estimate.ts";
import type { Price } from "../../core/models/model.ts";
import { rateOf, tierFor } from "../../core/money/price.ts";
import { priceOf } from "../../lib/money.ts";
import type { CallRecord } from "../calls/call-record.ts";

/** Answer tokens that are held besides, each time a stream turns out longer than was foreseen. */
const STEP_TOKENS = 4_096;
/** Characters of an answer token, on the small side, so that we look early rather than late. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * Keeps a stream whose length nobody limited within the key's money: when it passes what was held for it, more is held,
 * and when there is no more, it is ended. So a key overspends by no more than one step, however long the answer.
 * @returns a function from delivered characters to the next count to look at, or to the error that ends the stream.
 */
export function spendGuard(
  record: CallRecord,
  price: Price | null,
  estimate: (() => HoldEstimate) | null,
): (characters: number) => number | GatewayError {
  // A limit that the client gave is kept by the vendor; without limited money there is nothing to guard.
  const { held } = record;
  if (held === 0 || estimate === null) return () => Number.POSITIVE_INFINITY;
  const { open, input: prompt } = estimate();
  const tier = tierFor(price ?? ASSUMED_PRICE, prompt);
  const rate = rateOf(tier, "output") ?? 0;
  const input = priceOf(prompt, rateOf(tier, "input") ?? 0);
  if (!open || rate === 0) return () => Number.POSITIVE_INFINITY;
  let covered = Math.floor(((held - input) * 1_000_000) / rate);
  return (characters) => {
    while (characters >= covered * CHARACTERS_PER_TOKEN) {
      if (!record.extend(priceOf(STEP_TOKENS, rate))) {
        return new GatewayError(
          "insufficient_quota",
          "The key's limit is reached in the middle of this answer, so it was ended. Raise the limit on the Keys page.",
        );
      }
      covered += STEP_TOKENS;
    }
    return covered * CHARACTERS_PER_TOKEN;
  };
}
