import { dialog, type BrowserWindow } from "electron";
import { crashAnswer, crashQuestion } from "../policy/window-crash.ts";

/**
 * Brings the window back when its process is gone. The gateway lives in the main process and notices nothing.
 * @param reload loads the pages anew.
 */
export function answerCrashes(window: BrowserWindow, url: string, reload: () => void): void {
  const crashes: number[] = [];
  const ask = async (reason: string): Promise<void> => {
    const { response } = await dialog.showMessageBox(crashQuestion(reason, url));
    if (window.isDestroyed()) return;
    if (response === 0) reload();
    else window.hide();
  };
  window.webContents.on("render-process-gone", (_event, details) => {
    const now = performance.now();
    const answer = crashAnswer(details.reason, crashes, now);
    crashes.push(now);
    if (answer === "reload") reload();
    // Without an answer the window stays as it is; a click on the tray icon brings it back.
    if (answer === "ask") ask(details.reason).catch(() => undefined);
  });
}
