/** Whether this run takes the long doses: `npm run test:all` sets it. */
const isLong = process.env["POSTERN_TEST_DOSE"] === "long";

/**
 * Chooses how much of a heavy check runs. The short dose keeps every kind of check and takes fewer seeds, steps or rows.
 * A file that calls this is listed by `npm test` as one that `npm run test:all` runs at full length.
 * @param short for `npm test` and for single files
 * @param long for `npm run test:all`
 */
export function dose<T>(short: T, long: T): T {
  return isLong ? long : short;
}

/**
 * Thins a list for the short dose.
 * @param first index of the first entry that is taken
 * @returns every `step`th entry; in the long dose all entries
 */
export function thin<T>(entries: readonly T[], step: number, first = 0): readonly T[] {
  return isLong ? entries : entries.filter((_, index) => index % step === first);
}
