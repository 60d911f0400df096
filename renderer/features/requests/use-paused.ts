import { useState } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { RECENT_ROWS } from "../../api/live.ts";

/** The log as it stood when it was paused. */
interface Held {
  /** When that was, in Unix ms. */
  readonly at: number;
  /** The newest request that was counted. */
  readonly newest: string | undefined;
  /** How many came since. */
  readonly count: number;
  /** Some may have come uncounted: more at once than events are kept. */
  readonly more: boolean;
}

export interface Paused {
  /** Since when nothing moves; null while the log is live. */
  readonly since: number | null;
  /** Requests that came since; `more`: at least so many. */
  readonly waiting: { readonly count: number; readonly more: boolean };
  toggle(): void;
}

/** Stops the log, and counts what comes meanwhile. @param newest the newest requests of the filter, as events bring them */
export function usePaused(newest: readonly Receipt[] | undefined, filter: unknown): Paused {
  const [held, hold] = useState<Held | null>(null);
  const [counted, count] = useState({ newest, filter });
  if (counted.newest !== newest || counted.filter !== filter) {
    count({ newest, filter });
    // Another filter is another log: what waits in it is counted from here.
    if (held !== null) hold(counted.filter === filter ? heldAfter(held, newest ?? []) : anew(held.at, newest));
  }
  return {
    since: held?.at ?? null,
    waiting: held ?? { count: 0, more: false },
    toggle: () => hold(held === null ? anew(Date.now(), newest) : null),
  };
}

const anew = (at: number, newest: readonly Receipt[] | undefined): Held => ({
  at,
  newest: newest?.[0]?.id,
  count: 0,
  more: false,
});

/** The same, with what came. */
export function heldAfter(held: Held, newest: readonly Receipt[]): Held {
  const first = newest[0]?.id;
  if (first === undefined || first === held.newest) return held;
  // Before there was one, all are new.
  const known = held.newest === undefined ? newest.length : newest.findIndex(({ id }) => id === held.newest);
  const came = known === -1 ? newest.length : known;
  const more = held.more || (known === -1 && newest.length >= RECENT_ROWS);
  return { ...held, newest: first, count: held.count + came, more };
}
