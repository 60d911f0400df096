import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} UnpackedApp
 * @property {string} folder What is copied as a whole: the app's folder, or the `.app` of macOS.
 * @property {string} executable
 * @property {string} resources
 */

/**
 * The app as electron-builder left it next to its packages, for this machine's processor.
 * @param {string} release electron-builder's output folder.
 * @returns {UnpackedApp}
 */
export function findUnpacked(release) {
  const arm = process.arch === "arm64" ? "-arm64" : "";
  const names = { darwin: `mac${arm}`, win32: `win${arm}-unpacked`, linux: `linux${arm}-unpacked` };
  const name = names[/** @type {keyof typeof names} */ (process.platform)];
  const folder = join(release, name);
  if (!existsSync(folder)) throw new Error(`${folder} is missing; there are: ${readdirSync(release).join(", ")}`);
  return process.platform === "darwin" ? partsOf(join(folder, "Postern.app")) : partsOf(folder);
}

/**
 * @param {string} folder
 * @returns {UnpackedApp}
 */
export function partsOf(folder) {
  if (process.platform === "darwin") {
    const contents = join(folder, "Contents");
    return { folder, executable: join(contents, "MacOS/Postern"), resources: join(contents, "Resources") };
  }
  const executable = join(folder, process.platform === "win32" ? "Postern.exe" : "postern");
  return { folder, executable, resources: join(folder, "resources") };
}
