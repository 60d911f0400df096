const BEIJING_MS = 8 * 3_600_000;

/** `YYYY-MM-DD HH:mm:ss.SSS` in Beijing, where these providers' clocks stand. @param at Unix milliseconds */
export function beijingTime(at: number): string {
  return new Date(at + BEIJING_MS).toISOString().replace("T", " ").replace("Z", "");
}

/** `YYYYMMDDHHMMSS` in Beijing. */
export function beijingDigits(at: number): string {
  return new Date(at + BEIJING_MS).toISOString().replaceAll(/\D/g, "").slice(0, 14);
}
