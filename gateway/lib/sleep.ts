import type { Later } from "./later.ts";

/** Something that may end a wait early. At most one listener at a time. */
interface Interrupter {
  onCancelled(listener: (() => void) | null): void;
}

/** Waits `ms`, or until `interrupter` says that nobody waits for the outcome any more, or `signal` aborts. */
export function sleep(ms: number, interrupter: Interrupter, signal: AbortSignal, later: Later): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      interrupter.onCancelled(null);
      resolve();
    };
    const cancel = later(ms, end);
    signal.addEventListener("abort", end);
    interrupter.onCancelled(end);
  });
}
