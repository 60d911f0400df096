import type { DesktopApp } from "./desktop-app.ts";

export type Modifier = "control" | "shift" | "alt";

/**
 * Presses a key in the window as its keyboard does: a page may take it, and the menu gets what no page took. The driver's
 * own keys do not come past the menu.
 * @param keyCode Electron's name for the key.
 */
export async function pressKey(desktop: DesktopApp, keyCode: string, modifiers: Modifier[] = []): Promise<void> {
  await desktop.app.evaluate(
    ({ BrowserWindow }, key) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.sendInputEvent({ type: "keyDown", ...key });
      contents?.sendInputEvent({ type: "keyUp", ...key });
    },
    { keyCode, modifiers },
  );
}

/** How large the page is shown, 1 being its own size. */
export const zoomFactor = (desktop: DesktopApp): Promise<number> =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor() ?? 0);
