/** Moments in a time zone: the one that the page counts in. */

const writers = new Map<string, Intl.DateTimeFormat>();

function write(at: number, name: string, language: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${name} ${language} ${options.timeZone}`;
  const writer = writers.get(key) ?? new Intl.DateTimeFormat(language, { hourCycle: "h23", ...options });
  writers.set(key, writer);
  return writer.format(at);
}

export const UTC = "UTC";

/** Returns the user's IANA time zone; UTC if the browser does not know it. */
export function ownZone(): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return timeZone === "" || timeZone === "Etc/Unknown" || timeZone.startsWith("Etc/UTC") ? UTC : timeZone;
  } catch {
    return UTC;
  }
}

/** The day of a moment in a zone, `YYYY-MM-DD`. */
export const findDay = (zone: string, at: number): string =>
  write(at, "iso", "sv-SE", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });

/** The clock of a moment in a zone: 00:30. */
export const findClock = (zone: string, at: number, language: string): string =>
  write(at, "clock", language, { timeZone: zone, hour: "2-digit", minute: "2-digit" });

/** How moments are written. */
export interface MomentWords {
  /** 22 Nov 2026. */
  day(at: number): string;
  /** 22 Nov. */
  shortDay(at: number): string;
  /** Formats 14:00; at midnight the day. */
  hourTick(at: number): string;
  /** 22 Nov, 14:00. */
  hour(at: number): string;
}

/** @param utcUntil days that start up to this time are UTC days; null: no such days */
export function momentWords(zone: string, language: string, utcUntil: number | null = null): MomentWords {
  const zoneOf = (at: number): string => (utcUntil !== null && at <= utcUntil ? UTC : zone);
  const hour = { hour: "2-digit", minute: "2-digit" } as const;
  const shortDay = { day: "numeric", month: "short" } as const;
  const words: MomentWords = {
    day: (at) => write(at, "day", language, { timeZone: zoneOf(at), dateStyle: "medium" }),
    shortDay: (at) => write(at, "short", language, { timeZone: zoneOf(at), ...shortDay }),
    hourTick: (at) => {
      const clock = findClock(zone, at, language);
      return clock.startsWith("00") ? words.shortDay(at) : clock;
    },
    hour: (at) => write(at, "dayhour", language, { timeZone: zone, ...shortDay, ...hour }),
  };
  return words;
}
