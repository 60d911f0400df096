import { FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from "@electron/fuses";
import { listPackage } from "@electron/asar";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parse } from "yaml";
import { wrongFiles } from "./packed-files.mjs";
import { findUnpacked } from "./unpacked.mjs";

/**
 * `node check-package.mjs FOLDER`: looks at the app that electron-builder left in a folder as it will be installed (its
 * fuses, its files) and starts it. Ends with 1 and sentences when something is not as it should be.
 */

const READY_WITHIN_MS = 60_000;
const app = findUnpacked(process.argv[2] ?? "release");
/** @type {string[]} */
const problems = [];

const config = parse(readFileSync(join(import.meta.dirname, "../../../../electron-builder.yml"), "utf8"));
const wire = await getCurrentFuseWire(app.executable);
if (wire.version !== FuseVersion.V1) problems.push("The fuses are of another version than 1.");
for (const [name, wanted] of Object.entries(config.electronFuses)) {
  const option = FuseV1Options[/** @type {keyof typeof FuseV1Options} */ (name[0]?.toUpperCase() + name.slice(1))];
  const found = wire[option];
  if (found !== (wanted === true ? FuseState.ENABLE : FuseState.DISABLE)) {
    problems.push(`The fuse ${name} is not ${String(wanted)}.`);
  }
}

const archive = join(app.resources, "app.asar");
const packed = listPackage(archive, { isPack: false }).map((path) => path.replaceAll("\\", "/").slice(1));
// Folders are listed too: those that something else lies in.
const files = packed.filter((path) => !packed.some((other) => other.startsWith(`${path}/`)));
problems.push(...wrongFiles(files));
for (const name of readdirSync(app.resources)) {
  if (/^(app|app\.asar\.unpacked|node_modules)$/.test(name)) problems.push(`${name} lies beside the archive.`);
}

const dataDir = mkdtempSync(join(tmpdir(), "postern-package-"));
const child = spawn(app.executable, ["--port", "0", "--data-dir", dataDir, "--json"], {
  env: { ...process.env, POSTERN_SANDBOX: "on" },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(child, "exit");
try {
  const timeout = AbortSignal.timeout(READY_WITHIN_MS);
  const gone = ended.then(([code]) => {
    throw new Error(`it ended with ${String(code)}`);
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line", { signal: timeout }),
    gone,
  ]);
  const { url } = JSON.parse(line);
  const { status } = await fetch(`${url}/health`);
  if (status !== 200) problems.push(`It started, and answers ${status} on /health.`);
  console.log(`It is ready at ${url}.`);
} catch (error) {
  problems.push(`It did not start: ${error instanceof Error ? error.message : String(error)}.`);
}
child.kill("SIGTERM");
const [code] = await ended;
// Windows has no such signal: the process is ended there.
if (process.platform !== "win32" && code !== 0) problems.push(`It ended with ${String(code)}.`);
rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });

for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${app.folder}: ${files.length} files, all fuses as they should be.`);
process.exitCode = problems.length === 0 ? 0 : 1;
