import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { problemsOfStart } from "./start.mjs";
import { partsOf } from "./unpacked.mjs";

/**
 * Whether a copy whose archive was changed refuses to start. Electron compares the archive's list of files and checksums
 * with what the executable says of it on macOS and Windows; on Linux the fuse has no effect, and anyone who can write to
 * the archive can write to the executable next to it too.
 * @param {import("./unpacked.mjs").UnpackedApp} app
 * @returns {Promise<string[]>} What is wrong, as sentences.
 */
export async function problemsOfIntegrity(app) {
  const folder = mkdtempSync(join(tmpdir(), "postern-changed-"));
  try {
    const copy = join(folder, basename(app.folder));
    cpSync(app.folder, copy, { recursive: true, verbatimSymlinks: true });
    const { executable, resources } = partsOf(copy);
    changeChecksum(join(resources, "app.asar"));
    const refused = (await problemsOfStart(executable)).some((problem) => problem.startsWith("It did not start"));
    console.log(`With a changed archive it ${refused ? "does not start" : "starts"}.`);
    return refused || process.platform === "linux" ? [] : ["It starts although its archive was changed."];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Changes one digit of the first checksum in an archive's header, which leaves the header's length as it is.
 * @param {string} archive
 */
function changeChecksum(archive) {
  const bytes = readFileSync(archive);
  const at = bytes.indexOf('"hash":"') + '"hash":"'.length;
  bytes.write(bytes.toString("latin1", at, at + 1) === "0" ? "1" : "0", at, "latin1");
  writeFileSync(archive, bytes);
}
