/** Milliseconds to wait without animation frames: a hidden page has none, and would accumulate work. */
const WITHOUT_FRAMES_MS = 1_000;

/** Runs a function once: in the next frame, or after a second without frames. */
export function onNextFrame(run: () => void): void {
  const once = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, WITHOUT_FRAMES_MS);
}
