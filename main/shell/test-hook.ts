import { app } from "electron";

/** What the desktop suite (test/e2e/desktop) reads of the main process: native menus cannot be looked at from outside. */
export interface DesktopHook {
  readonly tray: () => unknown;
}

/** Puts the hook where the suite finds it: only in an unpackaged app, and only when it was asked for by name. */
export function exposeToDesktopSuite(hook: DesktopHook): void {
  if (app.isPackaged || process.env["POSTERN_DESKTOP_SUITE"] !== "1") return;
  Object.assign(globalThis, { posternDesktop: hook });
}
