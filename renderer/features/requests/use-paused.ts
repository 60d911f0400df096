import { useState } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { RECENT_ROWS } from "../../api/live.ts";

/** The log as it stood when it was paused. */
interface PausedList {
  /** When that was, in Unix ms. */
  readonly at: number;
  /** The newest request that was counted. */
  readonly newest: string | undefined;
  /** Number of requests since then. */
  readonly count: number;
  /** Whether some requests may be uncounted, because more arrived than are kept. */
  readonly more: boolean;
}

export interface Paused {
  /** Since when nothing moves; null while the log is live. */
  readonly since: number | null;
  /** Requests since then; `more`: at least this many. */
  readonly waiting: { readonly count: number; readonly more: boolean };
  toggle(): void;
}

/** Pauses the log and counts arriving requests. @param newest newest matching requests, updated by events */
export function usePaused(newest: readonly Receipt[] | undefined, filter: unknown): Paused {
  const [paused, hold] = useState<PausedList | null>(null);
  const [counted, count] = useState({ newest, filter });
  if (counted.newest !== newest || counted.filter !== filter) {
    count({ newest, filter });
    // Another filter is another log: what waits in it is counted from here.
    if (paused !== null)
      hold(counted.filter === filter ? updatePaused(paused, newest ?? []) : createPaused(paused.at, newest));
  }
  return {
    since: paused?.at ?? null,
    waiting: paused ?? { count: 0, more: false },
    toggle: () => hold(paused === null ? createPaused(Date.now(), newest) : null),
  };
}

const createPaused = (at: number, newest: readonly Receipt[] | undefined): PausedList => ({
  at,
  newest: newest?.[0]?.id,
  count: 0,
  more: false,
});

/** Returns the list updated with arrived requests. */
export function updatePaused(list: PausedList, newest: readonly Receipt[]): PausedList {
  const first = newest[0]?.id;
  if (first === undefined || first === list.newest) return list;
  // Before there was one, all are new.
  const known = list.newest === undefined ? newest.length : newest.findIndex(({ id }) => id === list.newest);
  const came = known === -1 ? newest.length : known;
  const more = list.more || (known === -1 && newest.length >= RECENT_ROWS);
  return { ...list, newest: first, count: list.count + came, more };
}
