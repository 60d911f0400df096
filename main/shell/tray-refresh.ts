import type { Gateway } from "../../gateway/index.ts";

/** Shortest time between two looks at the gateway: a menu that changes faster cannot be read. */
const CALM_MS = 500;
/** The day's spend starts anew at midnight UTC without any event. */
const IDLE_MS = 60_000;

/**
 * Calls `refresh` soon after something happened, however much happens, and once a minute when nothing does.
 * @returns the end of it.
 */
export function refreshOnEvents(events: Gateway["events"], refresh: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const unsubscribe = events.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = null;
      refresh();
    }, CALM_MS);
  });
  const idle = setInterval(refresh, IDLE_MS);
  return () => {
    unsubscribe();
    clearInterval(idle);
    if (timer !== null) clearTimeout(timer);
  };
}
