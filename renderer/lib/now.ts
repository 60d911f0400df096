import { useSyncExternalStore } from "react";

interface Clock {
  subscribe(listener: () => void): () => void;
  now(): number;
}

/** Creates a clock shared by all relative times of a step, so that a table ticks once; it stops without listeners. */
function createClock(stepMs: number): Clock {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        now = Date.now();
        timer = setInterval(tick, stepMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    now: () => now,
  };
}

/** Clock of relative times, which change visibly every five seconds. */
const calm = createClock(5_000);
const seconds = createClock(1_000);

/** Unix milliseconds, renewed every five seconds. */
export function useNow(): number {
  return useSyncExternalStore(calm.subscribe, calm.now);
}

/** Returns Unix milliseconds, updated every second, for visible counters. */
export function useSeconds(): number {
  return useSyncExternalStore(seconds.subscribe, seconds.now);
}
