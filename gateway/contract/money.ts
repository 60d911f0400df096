/** The most that one amount in USD is. As 10⁻⁹ USD, as which it is counted, not much more is a safe integer. */
export const MOST_USD = 9_000_000;

/**
 * Max custom price in USD per million tokens or characters: a billion of them, more than any request has, still fit
 * into one amount. Thirty times the most expensive model.
 */
export const MOST_USD_PER_MILLION = 9_000;

/** Max custom price in USD of any other unit: an image, a second, a search. */
export const MOST_USD_PER_PIECE = 9;
