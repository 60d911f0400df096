import { uptime } from "node:os";

/** Time as an argument: nothing below `services/` reads the machine's clock by itself. */
export interface Clock {
  /** Wall clock, Unix milliseconds. May jump. For records, never for durations. */
  now(): number;
  /** Monotonic milliseconds with fractions. For durations and deadlines. */
  monotonic(): number;
}

/** Milliseconds since the machine was started, its sleep among them. Whole seconds on some systems. */
export const computeMachineUptime = (): number => uptime() * 1_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

const DAY_MS = 86_400_000;
/**
 * Cached, because consecutive times are usually of the same day, and formatting a date costs more than the rest of a
 * receipt.
 */
let lastDay = Number.NaN;
let lastText = "";

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function utcDay(at: number): string {
  const day = Math.floor(at / DAY_MS);
  if (day !== lastDay) {
    lastText = new Date(at).toISOString().slice(0, 10);
    lastDay = day;
  }
  return lastText;
}

/** The UTC month of a moment, `YYYY-MM`. */
export function utcMonth(at: number): string {
  return utcDay(at).slice(0, 7);
}
