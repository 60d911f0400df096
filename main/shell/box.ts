import { app, dialog, type BrowserWindow, type MessageBoxOptions } from "electron";
import { join } from "node:path";

/** Icon of windows and dialogs on systems that do not use the program's file, stored with the bundles. */
export const ICON = join(import.meta.dirname, "icon.png");

/**
 * Shows a system dialog.
 * @param window parent window; absent if not visible.
 * @returns the index of the pressed button.
 */
export async function showBox(window: BrowserWindow | null, options: MessageBoxOptions): Promise<number> {
  const box = { title: "Postern", icon: ICON, ...options };
  const isSeen = window?.isVisible() === true;
  return (await (isSeen ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box))).response;
}

/**
 * Shows a dialog as soon as Electron is ready, and exits when it is closed. Not Electron's error box, which blocks the
 * process and its signal handlers, and on Linux is no dialog before Electron is ready.
 * @param box builds the dialog once the language is known.
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
