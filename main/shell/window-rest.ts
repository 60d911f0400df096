import type { BrowserWindow, NavigationEntry } from "electron";

/** Asks the page to hand over what it keeps (renderer/lib/reload-memory.ts). False when it has something that would be lost. */
const ASK = 'dispatchEvent(new Event("rest", { cancelable: true }))';

/**
 * Lets go of a window that no one sees, with its processes, when it has been hidden for a while. A page that would lose
 * something keeps it, and is asked again after the same time.
 * @param afterMs how long it stays hidden before, ms.
 * @param onRest called with where it was, just before it goes. Of its history only this: going back to an earlier step
 * in another window would load the page again, without what it kept.
 */
export function restWhenHidden(window: BrowserWindow, afterMs: number, onRest: (last: NavigationEntry) => void): void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void rest(), afterMs);
  };
  const rest = async (): Promise<void> => {
    const { webContents } = window;
    // A page whose process is gone has nothing left to ask for.
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
