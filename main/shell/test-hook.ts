import { app } from "electron";
import { REST_AFTER_MS } from "../policy/close-window.ts";

/** Hooks into the main process for the desktop suite (test/e2e/desktop): native menus cannot be read from outside. */
export interface DesktopHook {
  readonly tray: () => unknown;
}

/** Only for an unpackaged app, and only if explicitly requested. */
const isInSuite = (): boolean => !app.isPackaged && process.env["POSTERN_DESKTOP_SUITE"] === "1";

/** Exposes the hook to the desktop tests. */
export function exposeToDesktopSuite(hook: DesktopHook): void {
  if (isInSuite()) Object.assign(globalThis, { posternDesktop: hook });
}

/** How long a hidden window is kept, ms; the suite does not wait for a minute. */
export function restAfterMs(): number {
  const shorter = Number(process.env["POSTERN_DESKTOP_REST_MS"] ?? Number.NaN);
  return isInSuite() && shorter > 0 ? shorter : REST_AFTER_MS;
}
