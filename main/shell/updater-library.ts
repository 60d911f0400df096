import { app } from "electron";
import { join } from "node:path";
import type { StoreFs } from "../../gateway/store/disk/store-fs.ts";
import type { UpdateFacts } from "../policy/update-state.ts";
import type { UpdaterLibrary } from "./updater.ts";

/** Loads electron-updater, a quarter of a megabyte that only update checks need. */
export async function loadUpdaterLibrary(): Promise<UpdaterLibrary> {
  return (await import("electron-updater")).autoUpdater;
}

/** Written by electron-builder to packages with a known release address. */
const FEED_FILE = "app-update.yml";

/** Reads the facts that decide whether this installation can be updated from here. */
export async function readUpdateFacts(fs: StoreFs, env: NodeJS.ProcessEnv): Promise<UpdateFacts> {
  // Only an Electron has it.
  const folder = (process as { resourcesPath?: string }).resourcesPath;
  const size = folder === undefined ? null : await fs.size(join(folder, FEED_FILE)).catch(() => null);
  return {
    isPackaged: app.isPackaged,
    platform: process.platform,
    isAppImage: (env["APPIMAGE"] ?? "") !== "",
    hasFeed: size !== null,
  };
}
