import { GatewayError } from "../../core/errors.ts";

/** A text of fewer characters has fewer tokens. */
const CHARACTERS_PER_TOKEN = 3;
/** Counting a long text again for every word of it would take longer than the words. */
const LOOK_AFTER = 512;
/** Our count and a provider's differ by so much, and a few words more. */
const TOLERANCE = 1.25;
const TOLERATED = 64;

/**
 * Keeps a stream within the money that is held for it. Its request bounds it already: this is for providers that pass
 * over the bound. It sees what is delivered, and ends the stream when that is clearly more than the money is enough for.
 * @param covered output tokens that the money is enough for; Infinity without a limit.
 * @param delivered output tokens of the answer so far.
 * @returns a function from delivered characters to the next count to look at, or to the error that ends the stream.
 */
export function spendGuard(covered: number, delivered: () => number): (characters: number) => number | GatewayError {
  const most = covered * TOLERANCE + TOLERATED;
  return (characters) => {
    const spare = most - (characters === 0 ? 0 : delivered());
    if (spare > 0) return characters + Math.max(LOOK_AFTER, spare * CHARACTERS_PER_TOKEN);
    return new GatewayError(
      "insufficient_quota",
      "The key's limit, or the month's budget, is reached in the middle of this answer, so it was ended. Raise the limit on the Keys page, or the budget in the settings.",
    );
  };
}
