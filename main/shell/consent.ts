import { systemPreferences, type BrowserWindow } from "electron";
import type { Words } from "../policy/words.ts";
import { showBox } from "./box.ts";

/**
 * Asks whether provider keys may leave Postern, with a finger where macOS has a reader, else in a box of the system: no
 * script of a page can answer either.
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
