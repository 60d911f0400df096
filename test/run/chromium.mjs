import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall, canInstall } from "./apt.mjs";

/** Names on the PATH, the likeliest first. */
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];

/** Where desktop systems install it without a name on the PATH. */
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {readonly string[]} names Of programs, the most wanted first in each folder of the PATH.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string | undefined}
 */
export function findOnPath(names, environment = process.env) {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/**
 * @param {NodeJS.ProcessEnv} environment `CHROMIUM_PATH` names one outright.
 * @returns {string | undefined} A Chromium that is installed.
 */
export function findChromium(environment = process.env) {
  const named = environment["CHROMIUM_PATH"];
  if (named) return named;
  return findOnPath(NAMES, environment) ?? PLACES.find(isExecutable);
}

/**
 * Finds a Chromium, or installs one where that needs no one's password.
 * @returns {Promise<string | undefined>}
 */
export async function provideChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!canInstall) return undefined;
  console.log("No Chromium is installed: installing one with apt-get.");
  if (!(await aptInstall(["chromium"]))) return undefined;
  return findChromium();
}
