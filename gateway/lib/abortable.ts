import type { Later } from "./later.ts";

/** Waits this long, or until `signal` is aborted. @returns whether the time passed */
export function pause(later: Later, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (passed: boolean): void => {
      cancel();
      signal.removeEventListener("abort", aborted);
      resolve(passed);
    };
    const aborted = (): void => end(false);
    const cancel = later(ms, () => end(true));
    signal.addEventListener("abort", aborted);
  });
}

/** Returns the result of `work`, or null as soon as `signal` is aborted; a later result is ignored. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => resolve(null);
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}

/** Can end a wait early. At most one listener at a time. */
interface Interrupter {
  onCancelled(listener: (() => void) | null): void;
}

/** Waits `ms`, or until `interrupter` reports that the outcome is no longer needed, or `signal` aborts. */
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
