import { HIDDEN } from "./autostart.ts";
import { getLinkAmong } from "./deep-link.ts";

/**
 * Tells whether a second start brings the first one's window to the front; not with the option for no window. Other
 * arguments are ignored except a link, with its own rules (deep-link.ts), because they are untrusted.
 * @param argv arguments of the second process, including Chromium's switches.
 */
export function shouldShowWindow(argv: readonly string[]): boolean {
  // A link comes over the control API: a window that is shown before it would load its last page first.
  return !argv.includes("--headless") && !argv.includes(HIDDEN) && getLinkAmong(argv) === null;
}
