import { app, dialog, type BrowserWindow, type MessageBoxOptions } from "electron";
import { join } from "node:path";

/** The icon of window and boxes where the system takes none from the program's file, next to the bundles. */
export const ICON = join(import.meta.dirname, "icon.png");

/**
 * Shows a box of the system.
 * @param window that it belongs to, in front of which it stays; none where that is not in sight.
 * @returns the index of the button.
 */
export async function showBox(window: BrowserWindow | null, options: MessageBoxOptions): Promise<number> {
  const box = { title: "Postern", icon: ICON, ...options };
  const isSeen = window?.isVisible() === true;
  return (await (isSeen ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box))).response;
}

/**
 * Shows a box as soon as Electron can, and ends the process when it is closed. Not Electron's error box: that one stops
 * everything else in the process, so that no signal ends it, and on Linux it is no box at all before Electron is ready.
 * @param box called when the language is known.
 */
export function endWithBox(box: () => { readonly title: string; readonly content: string }, exitCode: number): void {
  const end = (): void => app.exit(exitCode);
  const show = async (): Promise<void> => {
    await app.whenReady();
    const { title: message, content: detail } = box();
    await showBox(null, { type: "error", message, detail });
  };
  show().then(end, end);
}
