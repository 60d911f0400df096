import { systemPreferences, type BrowserWindow } from "electron";
import type { Words } from "../policy/words.ts";
import { showBox } from "./box.ts";

/**
 * Asks whether provider keys may be exported, by Touch ID if available on macOS, else by a system dialog, which no
 * script of a page can confirm.
 */
export async function askToExport(window: BrowserWindow | null, { boxes, cancel }: Words): Promise<boolean> {
  if (process.platform === "darwin" && systemPreferences.canPromptTouchID()) {
    return systemPreferences.promptTouchID(boxes.exportReason).then(
      () => true,
      () => false,
    );
  }
  const response = await showBox(window, {
    type: "warning",
    message: boxes.exportKeys,
    detail: boxes.exportKeysDetail,
    buttons: [boxes.exportNow, cancel],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}
