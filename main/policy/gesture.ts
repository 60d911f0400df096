/** How long after a click or a key a link counts as followed by the owner, ms. */
export const GESTURE_MS = 1_000;

/**
 * Electron's names of input events that press something. Moving the mouse or scrolling is not an intent to navigate.
 */
const PRESSES: ReadonlySet<string> = new Set([
  "mouseDown",
  "mouseUp",
  "keyDown",
  "rawKeyDown",
  "gestureTap",
  "touchEnd",
]);

export function isPress(inputType: string): boolean {
  return PRESSES.has(inputType);
}

/**
 * Whether a page that wants to leave does so because the owner pressed something. The times come from input events that
 * the main process sees itself, so that a script in the page cannot pretend.
 * @param pressedAt monotonic time of the last press that was not used up, ms; null for none.
 */
export function isFollowedByHand(pressedAt: number | null, now: number): boolean {
  return pressedAt !== null && now - pressedAt <= GESTURE_MS;
}
