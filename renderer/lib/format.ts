/** Number formats of the pages. Pure: time and texts are arguments. */

const NANO_PER_USD = 1_000_000_000;
const SIGNIFICANT_BELOW_ONE = 3;

/**
 * Formats 1,234.5: grouped thousands, between `fewest` and `most` decimals. Implemented here because creating an
 * `Intl.NumberFormat` costs more than rendering a row, and each pair of digits needs one.
 */
function groupDigits(value: number, fewest: number, most: number): string {
  const [whole = "", fraction = ""] = roundValue(Math.abs(value), most).split(".");
  const apart = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const decimals = fraction.slice(0, fewest).padEnd(fewest, "0") + fraction.slice(fewest).replace(/0+$/, "");
  return `${value < 0 ? "-" : ""}${decimals === "" ? apart : `${apart}.${decimals}`}`;
}

/** Rounds the displayed number (1.005, not the binary 1.00499…) to at most this many digits. */
function roundValue(value: number, most: number): string {
  const written = String(value);
  if (!/^\d+\.\d+$/.test(written)) return value < 1 ? value.toFixed(most) : written;
  if (written.length - written.indexOf(".") - 1 <= most) return written;
  return (Math.round(Number(`${written}e${most}`)) / 10 ** most).toFixed(most);
}

/**
 * 10⁻⁹ USD as dollars: cents from one dollar up, below that as many digits as show three that are not zero
 * ($0.125, $0.00042). Only a true zero is "$0.00".
 */
export function formatMoney(nano: number): string {
  if (nano === 0) return "$0.00";
  if (nano >= NANO_PER_USD) return `$${groupDigits(nano / NANO_PER_USD, 2, 2)}`;
  const leadingZeros = 9 - String(nano).length;
  return `$${groupDigits(nano / NANO_PER_USD, 2, Math.min(9, leadingZeros + SIGNIFICANT_BELOW_ONE))}`;
}

/** Formats the exact amount, for hover and copy. */
export function formatMoneyExact(nano: number): string {
  return `$${groupDigits(Math.floor(nano / NANO_PER_USD), 0, 0)}.${exactFraction(nano)}`;
}

function exactFraction(nano: number): string {
  const digits = String(nano % NANO_PER_USD).padStart(9, "0");
  return digits.slice(0, 2) + digits.slice(2).replace(/0+$/, "");
}

/**
 * Formats a price per unit or per million units exactly ("$0.15", "$0.0375").
 * @param nanoPerMillion 10⁻⁹ USD per 10⁶ units
 */
export function formatRate(nanoPerMillion: number, units: 1 | 1_000_000): string {
  return `$${groupDigits((nanoPerMillion / NANO_PER_USD) * (units / 1_000_000), 2, 12)}`;
}

/** A dollar figure as its owner typed it: "$5", "$0.25". */
export function formatUsd(usd: number): string {
  return `$${groupDigits(usd, Number.isInteger(usd) ? 0 : 2, 9)}`;
}

/** Formats 1,234,567, and 13.24 for fractional units (seconds). */
export function formatCount(count: number): string {
  return groupDigits(count, 0, 3);
}

/** 950, 12.3k, 4.1M: for narrow places; the whole figure belongs on hover. */
export function formatCompact(count: number): string {
  if (count < 10_000) return formatCount(count);
  const [value, unit] =
    count < 999_500 ? [count / 1e3, "k"] : count < 999_500_000 ? [count / 1e6, "M"] : [count / 1e9, "B"];
  return `${groupDigits(value, 0, value < 100 ? 1 : 0)}${unit}`;
}

/** 820 ms, 4.2 s, 3 min 10 s, 2 h 5 min. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${groupDigits(milliseconds / 1_000, 1, 1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 3_600) return join(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return join(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(minutes / 60);
  return join(Math.floor(hours / 24), "d", hours % 24, "h");
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** 0:07, 12:30, 1:02:03: how long a recording lasts, as players write it. */
export function formatLength(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3_600) parts.unshift(Math.floor(seconds / 3_600));
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** 812 B, 12.3 kB, 4.1 MB, 2 GB: of a thousand each, as file managers count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 999_950 ? [1e3, "kB"] : bytes < 999_950_000 ? [1e6, "MB"] : [1e9, "GB"];
  return `${groupDigits(bytes / size, 0, 1)} ${unit}`;
}

export type Age =
  | { readonly kind: "now" }
  | { readonly kind: "past" | "future"; readonly unit: "s" | "min" | "h"; readonly value: number }
  | { readonly kind: "date" };

/** How far `at` lies from `now`: relative within a day, else a date. Differences below five seconds are "now". */
export function getAge(at: number, now: number): Age {
  const distance = Math.abs(now - at);
  const kind = at > now ? "future" : "past";
  if (distance < 5_000) return { kind: "now" };
  if (distance < 60_000) return { kind, unit: "s", value: Math.floor(distance / 1_000) };
  if (distance < 3_600_000) return { kind, unit: "min", value: Math.floor(distance / 60_000) };
  if (distance < 86_400_000) return { kind, unit: "h", value: Math.floor(distance / 3_600_000) };
  return { kind: "date" };
}

/** 18 Nov 2026, 14:02:31 in the owner's own zone. */
export function formatMoment(at: number, locale: string): string {
  return getWriter("moment", locale, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }).format(at);
}

/** 18 Nov, 14:02. */
export function formatMinute(at: number, locale: string): string {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return getWriter("minute", locale, options).format(at);
}

/** 14:02. */
export function formatTime(at: number, locale: string): string {
  return getWriter("time", locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}

/** Formats 18 Nov, with the year if it differs from that of `now`. */
export function formatNearDay(at: number, now: number, locale: string): string {
  if (new Date(at).getFullYear() !== new Date(now).getFullYear()) return formatDay(at, locale);
  return getWriter("near day", locale, { day: "numeric", month: "short" }).format(at);
}

/** 18 Nov 2026. */
export function formatDay(at: number, locale: string): string {
  return getWriter("day", locale, { dateStyle: "medium" }).format(at);
}

const writers = new Map<string, Intl.DateTimeFormat>();

/** Making a writer of moments costs more than drawing a row: each is made once. */
function getWriter(name: string, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${locale}`;
  const writer = writers.get(key) ?? new Intl.DateTimeFormat(locale, options);
  writers.set(key, writer);
  return writer;
}

/** Returns a percentage for bars: 0 to 100. */
export function getPercent(part: number, whole: number): number {
  if (whole <= 0) return part > 0 ? 100 : 0;
  return Math.min(100, Math.max(0, (part / whole) * 100));
}
