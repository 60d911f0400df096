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
 * Tells whether a navigation follows a user gesture. The times are from input events seen by the main process, which a
 * script in the page cannot fake.
 * @param pressedAt monotonic time of the last unused press, ms; null for none.
 */
export function isFollowedByHand(pressedAt: number | null, now: number): boolean {
  return pressedAt !== null && now - pressedAt <= GESTURE_MS;
}
