import { flipFuses, FuseV1Options, FuseVersion } from "@electron/fuses";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findUnpacked, partsOf } from "./unpacked.mjs";

/**
 * `node open-for-driver.mjs FOLDER [COPY]`: copies the packaged app, to a new folder below the system's temporary one
 * where none is named, and flips, in the copy alone, the fuse that keeps debuggers
 * out: a test driver attaches to the main process as one. Prints the copy's executable.
 */
const original = findUnpacked(process.argv[2] ?? "release");
const folder = join(process.argv[3] ?? mkdtempSync(join(tmpdir(), "postern-driver-")), basename(original.folder));
cpSync(original.folder, folder, { recursive: true, verbatimSymlinks: true });
const { executable } = partsOf(folder);
await flipFuses(executable, {
  version: FuseVersion.V1,
  resetAdHocDarwinSignature: process.platform === "darwin",
  [FuseV1Options.EnableNodeCliInspectArguments]: true,
});
process.stdout.write(executable);
