import { HIDDEN } from "./autostart.ts";
import { getLinkAmong } from "./deep-link.ts";

/**
 * Whether a second start brings the window of the first to the front. Who asked for no window gets none. Of the other
 * arguments only a link is acted on, by rules of its own (deep-link.ts): someone else may have made them.
 * @param argv of the second process, as Electron hands it over: Chromium's own switches among them.
 */
export function shouldShowWindow(argv: readonly string[]): boolean {
  // A link comes over the control API: a window that is shown before it would load its last page first.
  return !argv.includes("--headless") && !argv.includes(HIDDEN) && getLinkAmong(argv) === null;
}
