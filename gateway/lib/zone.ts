/** Days of a time zone. Node's own zone table has the daylight saving changes. */

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The most used zone; the first formatter of a zone takes 10 ms to create. */
const UTC = "UTC";
const writers = new Map<string, Intl.DateTimeFormat>();
/** Max writers, the number of zones, because names come from outside. */
const MOST_WRITERS = 600;

/** Tells whether Node supports a zone by that IANA name. */
export function isZone(zone: string): boolean {
  if (zone === UTC) return true;
  try {
    getWriter(zone);
    return true;
  } catch {
    return false;
  }
}

/** IANA name of this machine's time zone, UTC if Node does not know it. */
export function machineZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isZone(timeZone) ? timeZone : "UTC";
}

/** The day of a moment (Unix ms) in a zone, `YYYY-MM-DD`. */
export function findDay(zone: string, at: number): string {
  return new Date(at + getOffset(zone, at)).toISOString().slice(0, 10);
}

/** The day after, `days` later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the first whole UTC hour of a day in a zone, in Unix ms. In zones with a half-hour offset that is half past
 * midnight: every hour belongs to the day in which it starts.
 */
export function findFirstHour(zone: string, day: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  // The offset at midnight is the one before or after it: if they differ, the second lookup decides.
  const guess = utc - getOffset(zone, utc);
  const midnight = utc - getOffset(zone, guess);
  let hour = Math.ceil(midnight / HOUR_MS) * HOUR_MS;
  while (findDay(zone, hour) < day) hour += HOUR_MS;
  while (findDay(zone, hour - HOUR_MS) >= day) hour -= HOUR_MS;
  return hour;
}

/** Milliseconds that clocks in a zone are ahead of UTC at a moment. */
function getOffset(zone: string, at: number): number {
  if (zone === UTC) return 0;
  const name = getWriter(zone)
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? "") ?? [];
  const offset = Number(hours) * HOUR_MS + Number(minutes) * 60_000;
  return sign === "-" ? -offset : offset;
}

/** @throws RangeError for an invalid zone */
function getWriter(zone: string): Intl.DateTimeFormat {
  const known = writers.get(zone);
  if (known !== undefined) return known;
  const writer = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  if (writers.size >= MOST_WRITERS) writers.clear();
  writers.set(zone, writer);
  return writer;
}
