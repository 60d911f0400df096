/** The most that one amount in USD is. As 10⁻⁹ USD, as which it is counted, not much more is a safe integer. */
export const MOST_USD = 9_000_000;
