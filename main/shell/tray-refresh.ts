import type { Gateway } from "../../gateway/index.ts";

/** Shortest time between two looks at the gateway: a menu that changes faster cannot be read. */
const CALM_MS = 500;
/** The day's spend starts again at midnight without any event. */
const IDLE_MS = 60_000;

/**
 * Calls `refresh` immediately for the first event after a quiet time, throttled for further ones, and once per minute
 * without events.
 * @returns a function that stops it.
 */
export function refreshOnEvents(events: Gateway["events"], refresh: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let calmUntil = 0;
  const unsubscribe = events.subscribe(() => {
    // Not within the event, whose change may still be in progress.
    timer ??= setTimeout(
      () => {
        timer = null;
        calmUntil = performance.now() + CALM_MS;
        refresh();
      },
      Math.max(0, calmUntil - performance.now()),
    );
  });
  const idle = setInterval(refresh, IDLE_MS);
  return () => {
    unsubscribe();
    clearInterval(idle);
    if (timer !== null) clearTimeout(timer);
  };
}
