/** Commands of menu, keys and mouse that the page is asked about first; `#/…` leads to a page. */
export type PageCommand = "reload" | "back" | "forward" | "find" | "find-next" | "find-previous";

/**
 * Returns the script that offers a command to the page. It evaluates to false if the page handles the command: it finds
 * text, or asks whether a partly filled form may be discarded (renderer/components/frame/desktop-commands.tsx).
 */
export function createCommandScript(command: PageCommand | `#/${string}`): string {
  return `dispatchEvent(new CustomEvent("command", { cancelable: true, detail: ${JSON.stringify(command)} }))`;
}

/** Chromium's levels, each 20 % more than the one before: from about half to three times the page's own size. */
const ZOOM = { step: 0.5, lowest: -4, highest: 6 };

/** The zoom level after a turn of the wheel with Ctrl. */
export function zoomStep(level: number, direction: "in" | "out"): number {
  const next = level + (direction === "in" ? ZOOM.step : -ZOOM.step);
  return Math.min(ZOOM.highest, Math.max(ZOOM.lowest, next));
}

/** Buttons of mice and keyboards that go through the history, by Electron's names of `app-command`. */
export const HISTORY_BUTTONS: Readonly<Record<string, "back" | "forward">> = {
  "browser-backward": "back",
  "browser-forward": "forward",
};
