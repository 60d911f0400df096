import type { BrowserWindow, NavigationEntry } from "electron";

/** Script that asks the page to save its state (renderer/lib/reload-memory.ts). False if something would be lost. */
const ASK = 'dispatchEvent(new Event("rest", { cancelable: true }))';

/**
 * Destroys a hidden window and its processes after a while. A page that would lose something keeps it, and is asked
 * again after the same time.
 * @param afterMs min hidden time, ms.
 * @param onRest called with its current entry before destruction. The rest of the history is dropped: going back in
 * another window would reload the page without its state.
 */
export function restWhenHidden(window: BrowserWindow, afterMs: number, onRest: (last: NavigationEntry) => void): void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void rest(), afterMs);
  };
  const rest = async (): Promise<void> => {
    const { webContents } = window;
    // A page whose process has crashed has no state to save.
    const ready: unknown = webContents.isCrashed() || (await webContents.executeJavaScript(ASK).catch(() => false));
    if (window.isDestroyed() || window.isVisible()) return;
    if (ready !== true) return wait();
    const { navigationHistory: history } = webContents;
    onRest(history.getEntryAtIndex(history.getActiveIndex()));
    window.destroy();
  };
  window.on("hide", wait);
  for (const event of ["show", "closed"] as const) window.on(event as "show", () => clearTimeout(timer));
}
