import type { Reset } from "../../contract/key.ts";
import { utcDay, utcMonth } from "../../lib/clock.ts";

/** What of a local key decides its state. Money in nano USD, times in Unix milliseconds. */
export interface KeyLimitsRecord {
  readonly disabled: boolean;
  readonly expires_at: number | null;
  readonly limit_nano: number | null;
  readonly reset: Reset;
}

/** Running spend of one key: its whole, and that of the day and month of its last charge. */
export interface RunningSpend {
  readonly total_nano: number;
  readonly day: string;
  readonly day_nano: number;
  readonly month: string;
  readonly month_nano: number;
}

export type KeyState = "active" | "disabled" | "expired" | "spent";

/**
 * What was spent in the period of `reset` that `at` lies in; a period without a charge yet has spent nothing. A clock
 * that was set back finds the later period's spend, so that no limit starts anew twice.
 */
export function spentInPeriod(spend: RunningSpend | undefined, reset: Reset, at: number): number {
  if (spend === undefined) return 0;
  if (reset === "daily") return spend.day >= utcDay(at) ? spend.day_nano : 0;
  if (reset === "monthly") return spend.month >= utcMonth(at) ? spend.month_nano : 0;
  return spend.total_nano;
}

/** The first reason for which a key cannot pay for a call, the owner's own decision first. */
export function keyState(key: KeyLimitsRecord, spend: RunningSpend | undefined, at: number): KeyState {
  if (key.disabled) return "disabled";
  if (key.expires_at !== null && at >= key.expires_at) return "expired";
  if (key.limit_nano !== null && spentInPeriod(spend, key.reset, at) >= key.limit_nano) return "spent";
  return "active";
}

/** When the next period begins, UTC; null for a limit that never resets. */
export function nextReset(reset: Reset, at: number): number | null {
  if (reset === "never") return null;
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return reset === "daily" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}
