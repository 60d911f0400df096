/** Something that may end a wait early. At most one listener at a time. */
interface Interrupter {
  onGone(listener: (() => void) | null): void;
}

/** Waits `ms`, or until `interrupter` says that nobody waits for the outcome any more. */
export function sleep(ms: number, interrupter: Interrupter): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      interrupter.onGone(null);
      resolve();
    };
    const timer = setTimeout(end, ms);
    interrupter.onGone(end);
  });
}
