import { createControlClient } from "./launch/control-client.ts";
import { findInstance } from "./launch/instance.ts";

/**
 * Asks the Postern of a data folder to show its window, on the page of a link if given. Without a window the pages open
 * in the browser. Electron's second-instance event does not reach a first one whose socket was removed from the
 * temporary folder.
 * @param openExternal opens an address with the system's browser.
 * @returns whether the pages are shown.
 */
export async function showRunning(
  dataDir: string,
  link: string | null,
  openExternal: (address: string) => Promise<void>,
): Promise<boolean> {
  const control = createControlClient(() => findInstance(dataDir));
  try {
    const { shown } = await control.call("showWindow", { link });
    if (shown) return true;
    await openExternal((await control.call("issuePageToken")).url);
    return true;
  } catch {
    return false;
  }
}
