import * as z from "zod";

/** Bounded numbers, as in the specification's tables. Messages state the accepted range (core/validation.ts). */

export function between(least: number, most: number) {
  const error = `expected a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
}

/** An amount in USD, which is counted as an integer of 10⁻⁹ USD. */
export function usdUpTo(most: number) {
  const error = `expected an amount in USD from 0 to ${most}`;
  return z.number({ error }).min(0, { error }).max(most, { error });
}

export function getWholeBetween(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

export function wholeFrom(least: number) {
  const error = `expected a whole number of at least ${least}`;
  return z.int({ error }).min(least, { error });
}
