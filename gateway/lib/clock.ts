/** Time as an argument: nothing below `services/` reads the machine's clock by itself. */
export interface Clock {
  /** Wall clock, Unix milliseconds. May jump. For records, never for durations. */
  now(): number;
  /** Monotonic milliseconds with fractions. For durations and deadlines. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The UTC month of a day or of a moment, `YYYY-MM`. */
export function utcMonth(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}
