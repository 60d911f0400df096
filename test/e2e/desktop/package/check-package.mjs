import { FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from "@electron/fuses";
import { extractFile, listPackage } from "@electron/asar";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { NOTICES } from "../../../../main/launch/notices.mjs";
import { createSbom } from "../../../../main/launch/sbom.mjs";
import { projectFolder, targets } from "../../../../main/launch/targets.mjs";
import { problemsOfIntegrity } from "./integrity.mjs";
import { wrongFiles } from "./packed-files.mjs";
import { problemsOfStart } from "./start.mjs";
import { findUnpacked } from "./unpacked.mjs";

/**
 * `node check-package.mjs FOLDER`: looks at the app that electron-builder left in a folder as it will be installed (its
 * fuses, its files, what of others is in it) and starts it. Ends with 1 and sentences when something is not as it should be.
 */

/** The archive is 7.4 MB (docs/decisions/start-and-build.md): more than this is a library that no one meant to bundle. */
const ARCHIVE_BYTES_MAX = 9_000_000;

const app = findUnpacked(process.argv[2] ?? "release");
/** @type {string[]} */
const problems = [];

const config = parse(readFileSync(join(projectFolder, "electron-builder.yml"), "utf8"));
const wire = await getCurrentFuseWire(app.executable);
if (wire.version !== FuseVersion.V1) problems.push("The fuses are of another version than 1.");
for (const [name, expected] of Object.entries(config.electronFuses)) {
  const option = FuseV1Options[/** @type {keyof typeof FuseV1Options} */ (name[0]?.toUpperCase() + name.slice(1))];
  const found = wire[option];
  if (found !== (expected === true ? FuseState.ENABLE : FuseState.DISABLE)) {
    problems.push(`The fuse ${name} is not ${String(expected)}.`);
  }
}

const archive = join(app.resources, "app.asar");
const packed = listPackage(archive, { isPack: false }).map((path) => path.replaceAll("\\", "/").slice(1));
const { size } = statSync(archive);
if (size > ARCHIVE_BYTES_MAX) problems.push(`The archive has ${size} bytes, more than ${ARCHIVE_BYTES_MAX}.`);
// Folders are listed too: those that something else lies in.
const files = packed.filter((path) => !packed.some((other) => other.startsWith(`${path}/`)));
problems.push(...wrongFiles(files));
for (const name of readdirSync(app.resources)) {
  if (/^(app|app\.asar\.unpacked|node_modules)$/.test(name)) problems.push(`${name} lies beside the archive.`);
}

problems.push(...(await problemsOfStart(app.executable)), ...(await problemsOfIntegrity(app)));

const notices = [targets.desktop, targets.renderer].map(({ folder }) =>
  extractFile(archive, join(folder, NOTICES)).toString("utf8"),
);
const lock = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8"));
try {
  createSbom(notices, lock);
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
}

for (const problem of problems) console.error(problem);
if (problems.length === 0)
  console.log(`${app.folder}: ${files.length} files in ${(size / 1e6).toFixed(1)} MB, all fuses as they should be.`);
process.exitCode = problems.length === 0 ? 0 : 1;
