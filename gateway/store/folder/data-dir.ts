import { posix, win32 } from "node:path";

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the default data folder by each system's conventions.
 * @throws Error when the environment names no home
 */
export function defaultDataDir(platform: NodeJS.Platform, env: Environment): string {
  if (platform === "win32") {
    const appData = env["APPDATA"] ?? win32.join(home(env["USERPROFILE"]), "AppData", "Roaming");
    return win32.join(appData, "Postern");
  }
  if (platform === "darwin") return posix.join(home(env["HOME"]), "Library", "Application Support", "Postern");
  const data = env["XDG_DATA_HOME"];
  // A relative path must be ignored (XDG base directory specification).
  const base = data !== undefined && posix.isAbsolute(data) ? data : posix.join(home(env["HOME"]), ".local", "share");
  return posix.join(base, "postern");
}

function home(folder: string | undefined): string {
  if (folder === undefined || folder === "") {
    throw new Error("The home folder is not known; say where to keep data with --data-dir or POSTERN_DATA_DIR.");
  }
  return folder;
}
