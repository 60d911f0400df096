import { useSyncExternalStore } from "react";

/** One clock for all relative times, so that a table of them ticks once. Five-second steps are all that shows. */
const STEP_MS = 5_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, STEP_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Unix milliseconds, renewed every five seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
