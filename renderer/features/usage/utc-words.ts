/** Moments in UTC, in which days of usage are counted. */

const DAY_MS = 86_400_000;
const writers = new Map<string, Intl.DateTimeFormat>();

function write(at: number, name: string, language: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${name} ${language}`;
  const writer =
    writers.get(key) ?? new Intl.DateTimeFormat(language, { timeZone: "UTC", hourCycle: "h23", ...options });
  writers.set(key, writer);
  return writer.format(at);
}

/** 22 Nov 2026. */
export const utcDay = (at: number, language: string): string => write(at, "day", language, { dateStyle: "medium" });

/** 22 Nov. */
export const utcShortDay = (at: number, language: string): string =>
  write(at, "short", language, { day: "numeric", month: "short" });

/** 14:00; the day where one begins. */
export const utcHourTick = (at: number, language: string): string =>
  at % DAY_MS === 0 ? utcShortDay(at, language) : write(at, "hour", language, { hour: "2-digit", minute: "2-digit" });

/** 22 Nov, 14:00. */
export const utcHour = (at: number, language: string): string =>
  write(at, "dayhour", language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** When a UTC day begins by the owner's own clock: 01:00. */
export function midnightHere(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    Math.floor(at / DAY_MS) * DAY_MS,
  );
}
