/** Calls back after a time; returns what takes that back. */
export type Later = (ms: number, work: () => void) => () => void;

/** Uses the machine's timers. They keep no process alive. */
export const later: Later = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};
