import { app, dialog } from "electron";

/**
 * Shows a box as soon as Electron can, and ends the process when it is closed. Not Electron's error box: that one stops
 * everything else in the process, so that no signal ends it, and on Linux it is no box at all before Electron is ready.
 * @param box called when the system's language is known.
 */
export function endWithBox(box: () => { readonly title: string; readonly content: string }, exitCode: number): void {
  const end = (): void => app.exit(exitCode);
  const show = async (): Promise<void> => {
    await app.whenReady();
    const { title: message, content: detail } = box();
    await dialog.showMessageBox({ type: "error", title: "Postern", message, detail });
  };
  show().then(end, end);
}
