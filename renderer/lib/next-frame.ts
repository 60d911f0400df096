/** A page that no one looks at has no frames; what it collects for one would only grow. */
const WITHOUT_FRAMES_MS = 1_000;

/** Runs once: with the next frame, or a second later where none comes. */
export function onNextFrame(run: () => void): void {
  const once = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, WITHOUT_FRAMES_MS);
}
