import { app } from "electron";
import { shouldShowWindow } from "../policy/second-start.ts";

/**
 * Makes this the one desktop shell of its data folder. The lock belongs to the user-data path, so that must be set before.
 * @returns false if another process has it; that one was notified.
 */
export function claimSingleInstance(): boolean {
  return app.requestSingleInstanceLock();
}

/** Brings the window to the front on a second start. */
export function showOnSecondStart(show: () => void): void {
  app.on("second-instance", (_event, argv) => {
    if (shouldShowWindow(argv)) show();
  });
}
