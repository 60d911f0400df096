import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { findElectron, missingForWindow } from "../../main/launch/electron.mjs";
import { aptInstall, canInstall } from "./apt.mjs";
import { findOnPath } from "./chromium.mjs";
import { projectFolder, runProgram } from "./program.mjs";
import { runSuite } from "./suite.mjs";

/**
 * The desktop tests: the suite on the bundles, then a packaged app is made, checked, and driven by what of the
 * suite may differ there.
 *
 * @typedef {import("./suite.mjs").Counts} Counts
 */

const SUITE = "test/e2e/desktop/vitest.config.ts";

/**
 * A test Electron that some machines of the maintainers keep in a folder next to the project, outside of it: the script
 * runs a command in a copy of the project, as no one, in a display and a network of its own. The project needs neither.
 */
const ELECTRON_BESIDE = resolve(projectFolder, "../shared/tools/with-electron.sh");

/**
 * What the specs run next to the app, by the Debian package that brings it: a program's name or a file's path. A spec
 * skips itself where its program is not.
 */
const PROGRAMS = {
  "dbus-daemon": "dbus-daemon",
  "desktop-file-utils": "desktop-file-validate",
  "gnome-keyring": "gnome-keyring-daemon",
  "libglib2.0-bin": "gio",
  openbox: "openbox",
  "x11-utils": "xwininfo",
  "x11-xserver-utils": "xrandr",
  xauth: "xauth",
  xdotool: "xdotool",
  "xserver-xorg-core": "Xorg",
  "xserver-xorg-video-dummy": "/usr/lib/xorg/modules/drivers/dummy_drv.so",
  xvfb: "Xvfb",
};

/**
 * The specs that may find something else in a package: it reads an archive, has fuses, and starts by its own name. The
 * release workflow runs all of them on its packages; twice all would be too long for each run.
 */
const ON_A_PACKAGE = ["desktop", "autostart", "links", "updates"].map((name) => `desktop/${name}.spec`);

/** Without a certificate, a Mac runs what the fuses changed only when it is signed again for this machine. */
const UNSIGNED = ["electronFuses.resetAdHocDarwinSignature=true"];

/** The file with the counts, in the folder that OUT_DIR names. */
const COUNTS = "desktop-counts.json";

/**
 * Runs them where an Electron and a display are; else in the Electron next to the project, where that is and this user
 * may; else the suite says what is missing and counts itself as skipped.
 * @returns {Promise<Counts>}
 */
export async function runDesktopStage() {
  const electron = findElectron(projectFolder, process.env);
  const missing = missingForWindow(process.env, process.platform, process.getuid?.());
  if (electron !== null && missing === null) {
    const counts = await runHere(electron);
    const folder = process.env["OUT_DIR"];
    if (folder) await writeFile(join(folder, COUNTS), JSON.stringify(counts));
    return counts;
  }
  return (await runBeside()) ?? runSuite(SUITE);
}

/**
 * @param {string} electron Its executable.
 * @returns {Promise<Counts>}
 */
async function runHere(electron) {
  const onBundles = await runSuite(SUITE);
  const packaged = await runPackaged(electron);
  const sum = (/** @type {"passed" | "failed" | "skipped"} */ name) => onBundles[name] + packaged[name];
  const lines = [...onBundles.lines, ...packaged.lines.map((line) => `packaged: ${line}`)];
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), lines };
}

/**
 * Packs the bundles around this Electron, which is not the one of a release where a version stands in for it.
 * @param {string} electron Its executable.
 * @returns {Promise<Counts>} Packing and looking at the package are one test each.
 */
async function runPackaged(electron) {
  const folder = await mkdtemp(join(tmpdir(), "postern-packed-"));
  const script = (/** @type {string} */ name) => join("test/e2e/desktop/package", name);
  try {
    const config = [`directories.output=${folder}`, `electronDist=${distributionOf(electron)}`, ...UNSIGNED];
    const pack = ["electron-builder", "--dir", "--publish", "never", ...config.map((option) => `-c.${option}`)];
    if (!(await runProgram(pack, { environment: { CSC_IDENTITY_AUTO_DISCOVERY: "false" } })))
      return { passed: 0, failed: 1, skipped: 0, lines: ["FAILED to pack the bundles"] };
    const checked = await runProgram(["node", script("check-package.mjs"), folder]);
    const { stdout } = await promisify(execFile)(
      "node",
      [script("open-for-driver.mjs"), folder, join(folder, "open")],
      {
        cwd: projectFolder,
      },
    );
    const environment = { POSTERN_DESKTOP_APP: stdout };
    const { passed, failed, skipped, lines } = await runSuite(SUITE, { environment, files: ON_A_PACKAGE });
    return {
      passed: passed + (checked ? 2 : 1),
      failed: failed + (checked ? 0 : 1),
      skipped,
      lines: checked ? lines : [...lines, "FAILED check-package.mjs"],
    };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The folder that an Electron of this platform is a part of. */
const distributionOf = (/** @type {string} */ electron) =>
  process.platform === "darwin" ? resolve(electron, "../../../..") : dirname(electron);

/** @returns {Promise<Counts | undefined>} Undefined where that Electron is not, or does not run. */
async function runBeside() {
  if (!canInstall || !existsSync(ELECTRON_BESIDE)) return undefined;
  const absent = Object.entries(PROGRAMS).filter(([, name]) => !existsSync(name) && findOnPath([name]) === undefined);
  if (absent.length > 0) await aptInstall(absent.map(([name]) => name));
  const folder = await mkdtemp(join(tmpdir(), "postern-desktop-"));
  try {
    // In an empty folder, so that nothing is copied: whether the script can do here what it needs to.
    if (!(await runProgram([ELECTRON_BESIDE, "true"], { folder }))) {
      console.log(`${ELECTRON_BESIDE} does not run here.`);
      return undefined;
    }
    await runProgram([ELECTRON_BESIDE, "node", "test/run-desktop.mjs"], {
      environment: { OUT: folder, WM: "openbox" },
    });
    return JSON.parse(await readFile(join(folder, COUNTS), "utf8"));
  } catch {
    const lines = ["FAILED: the suite ended before it had counted anything"];
    return { passed: 0, failed: 1, skipped: 0, lines };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
