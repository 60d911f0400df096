import { app } from "electron";
import { shouldShowWindow } from "../policy/second-start.ts";

/**
 * Makes this the one desktop shell of its data folder. The lock belongs to the user-data path, so that must be set
 * before.
 * @param show brings the window of this process to the front.
 * @returns false when another process has it; that one was told, and shows its window.
 */
export function claimSingleInstance(show: () => void): boolean {
  app.on("second-instance", (_event, argv) => {
    if (shouldShowWindow(argv)) show();
  });
  return app.requestSingleInstanceLock();
}
