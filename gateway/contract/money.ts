/** The most that one amount in USD is. As 10⁻⁹ USD, as which it is counted, not much more is a safe integer. */
export const MOST_USD = 9_000_000;

/**
 * The most that the owner's own price of a million tokens or characters is, in USD: a thousand million of them, more than
 * any request has, cost no more than one amount may be. Thirty times what the most expensive model costs.
 */
export const MOST_USD_PER_MILLION = 9_000;

/** Max price of one piece of anything else: an image, a second, a search. */
export const MOST_USD_PER_PIECE = 9;
