import { join } from "node:path";
import { app } from "electron";

/** The desktop shell's own folder within the data folder: Chromium's profile, the window's place. */
export function shellFolder(dataDir: string): string {
  return join(dataDir, "desktop");
}

/**
 * What Electron wants to know before it is ready. The profile lies within the data folder, so that two data folders are
 * two Posterns, with a lock, a window and a profile each.
 */
export function prepareApp(dataDir: string): void {
  app.setName("Postern");
  app.setAppUserModelId("app.postern.desktop");
  app.setPath("userData", shellFolder(dataDir));
  app.enableSandbox();
}
