import { dialog, type BrowserWindow } from "electron";
import type { Log } from "../../gateway/lib/log.ts";
import { crashResponse, crashQuestion } from "../policy/window-crash.ts";
import type { Words } from "../policy/words.ts";

export interface CrashOptions {
  /** The gateway's address. */
  readonly url: string;
  readonly words: Words;
  readonly log: Pick<Log, "warn">;
}

/**
 * Brings the window back when its process is gone. The gateway lives in the main process and notices nothing.
 * @param reload loads the pages anew.
 */
export function respondToCrashes(window: BrowserWindow, options: CrashOptions, reload: () => void): void {
  const crashes: number[] = [];
  const ask = async (reason: string): Promise<void> => {
    const { response } = await dialog.showMessageBox(crashQuestion(reason, options.url, options.words));
    if (window.isDestroyed()) return;
    if (response === 0) reload();
    else window.hide();
  };
  window.webContents.on("render-process-gone", (_event, details) => {
    options.log.warn("window.gone", { reason: details.reason, exit_code: details.exitCode });
    const now = performance.now();
    const response = crashResponse(details.reason, crashes, now);
    crashes.push(now);
    if (response === "reload") reload();
    // Without a response the window stays as it is; a click on the tray icon brings it back.
    if (response === "ask") ask(details.reason).catch(() => undefined);
  });
}
