import { createControlClient } from "./launch/control-client.ts";
import { findInstance } from "./launch/instance.ts";

/**
 * Asks the Postern that serves a data folder to show its window, on the page of a link where there is one. The pages of
 * one without a window open in the browser. Electron's own notice of a second start does not reach a first one whose
 * socket was cleaned out of the folder for temporary files.
 * @param openExternal opens an address with the system's browser.
 * @returns whether the pages are shown now.
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
