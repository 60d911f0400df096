import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { projectFolder, STAMP, targets } from "./launch/targets.mjs";

/**
 * `npm run package:npm [-- FOLDER]`: makes the package that `npx postern` runs: bundles, pages and the launcher, without
 * dependencies and sources. The tarball goes to FOLDER, or to release/.
 */

/** First Node versions whose SQLite needs no flag (https://nodejs.org/api/sqlite.html, read on 2026-11-29). */
const NODE = ">=22.13";
/** @type {readonly import("./launch/targets.mjs").TargetName[]} */
const PARTS = ["gateway", "renderer", "command"];

const out = resolve(process.argv[2] ?? join(projectFolder, "release"));
const stage = join(out, "npm");

const built = spawnSync(process.execPath, [join(projectFolder, "main/build.mjs"), ...PARTS], {
  stdio: ["ignore", 2, 2],
});
if (built.status !== 0) process.exit(1);

await rm(stage, { recursive: true, force: true });
await mkdir(stage, { recursive: true });
for (const name of PARTS)
  await cp(join(projectFolder, targets[name].folder), join(stage, targets[name].folder), {
    recursive: true,
    filter: (path) => basename(path) !== STAMP && !path.endsWith(".map"),
  });
for (const name of ["README.md", "LICENSE", "THIRD-PARTY.md"]) await cp(join(projectFolder, name), join(stage, name));
await cp(join(projectFolder, "main/npm/postern.mjs"), join(stage, "postern.mjs"));

const { name, version, description, license, author } = JSON.parse(
  await readFile(join(projectFolder, "package.json"), "utf8"),
);
/** npm compares it with the repository that a package says it was built in; the release workflow names it. */
const address = process.env["POSTERN_REPOSITORY"];
const origin =
  address === undefined ? {} : { repository: { type: "git", url: `git+https://github.com/${address}.git` } };
const manifest = {
  name,
  version,
  description,
  license,
  author,
  ...origin,
  type: "module",
  bin: { postern: "postern.mjs" },
  engines: { node: NODE },
};
await writeFile(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const packed = spawnSync(npm, ["pack", "--json", "--pack-destination", out], {
  cwd: stage,
  encoding: "utf8",
  shell: process.platform === "win32",
});
if (packed.status !== 0) {
  console.error(`The package could not be made: ${packed.stderr || packed.error?.message}`);
  process.exit(1);
}
const [{ filename, size, unpackedSize }] = JSON.parse(packed.stdout);
await rm(stage, { recursive: true, force: true });
console.log(`${join(out, filename)} (${(size / 1e6).toFixed(1)} MB, unpacked ${(unpackedSize / 1e6).toFixed(1)} MB)`);
