/** Parsers for filters and addresses: days and amounts. They return null for invalid text. */

const NANO_DIGITS = 9;

/**
 * Returns when a day `YYYY-MM-DD` starts in the user's zone, in Unix ms, not before 1970; null for an invalid day.
 * @param later number of days to add
 */
export function startOfDay(text: string | null, later = 0): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? "") ?? [];
  if (day === undefined) return null;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  // 31 February is no day, although a calendar would make one of it.
  if (date.getMonth() !== Number(month) - 1 || date.getFullYear() !== Number(year)) return null;
  date.setDate(date.getDate() + later);
  return Math.max(0, date.getTime());
}

/** Tells whether these are valid days with at most one missing, the first not after the last. */
export function areOpenDays(first: string, last: string): boolean {
  const [from, to] = [startOfDay(first), startOfDay(last)];
  return from === null ? to !== null : to === null || from <= to;
}

/** Parses USD ("0.05", "$1", ".5") to 10⁻⁹ USD; null for an invalid amount. */
export function getNano(text: string | null): number | null {
  const [, whole = "", part = ""] = /^\$?(\d{0,6})(?:\.(\d{0,9}))?$/.exec((text ?? "").trim()) ?? [];
  if (whole === "" && part === "") return null;
  return Number(whole) * 10 ** NANO_DIGITS + Number(part.padEnd(NANO_DIGITS, "0"));
}
