import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether the desktop window can open here, decided without importing the `electron` package: its main module
 * downloads 130 MB when the binary is missing.
 */

/** Path of the executable below the distribution folder, as the `electron` package lays it out. */
const executables = /** @type {Partial<Record<NodeJS.Platform, string>>} */ ({
  darwin: "Electron.app/Contents/MacOS/Electron",
  win32: "electron.exe",
});

/**
 * @param {string} folder Of the project.
 * @param {NodeJS.ProcessEnv} environment
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null} The Electron executable, or null where it is not installed.
 */
export function findElectron(folder, environment, platform = process.platform) {
  const packageFolder = join(folder, "node_modules/electron");
  const dist = environment["ELECTRON_OVERRIDE_DIST_PATH"] || join(packageFolder, "dist");
  let name = executables[platform] ?? "electron";
  try {
    name = readFileSync(join(packageFolder, "path.txt"), "utf8").trim() || name;
  } catch {
    // A missing path.txt means that it was never downloaded here; the override may still point to a distribution.
  }
  const path = join(dist, name);
  try {
    accessSync(path, platform === "win32" ? constants.F_OK : constants.X_OK);
    return path;
  } catch {
    return null;
  }
}

/**
 * Returns the obstacle to a window in this session, as the first half of a sentence, or null.
 * @param {NodeJS.ProcessEnv} environment
 * @param {NodeJS.Platform} platform
 * @param {number | undefined} user The numeric user id; undefined on Windows.
 * @returns {string | null}
 */
export function missingForWindow(environment, platform, user) {
  if (platform !== "linux") return null;
  if (!environment["DISPLAY"] && !environment["WAYLAND_DISPLAY"]) {
    return "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)";
  }
  // Chromium refuses to run as root with its sandbox on, and Postern does not turn the sandbox off.
  if (user === 0) return "Electron does not run as root with its sandbox on";
  return null;
}
