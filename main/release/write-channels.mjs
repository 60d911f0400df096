import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectFolder } from "../launch/targets.mjs";
import { renderChannels } from "./channels.mjs";

/**
 * `node main/release/write-channels.mjs SHA256SUMS OWNER/NAME FOLDER`: writes the files of package managers for a release
 * whose checksums these are.
 */
const [sumsFile, repository, out] = process.argv.slice(2);
if (sumsFile === undefined || repository === undefined || out === undefined) {
  console.error("Name the file of checksums, the repository and a folder.");
  process.exit(2);
}
const manifest = JSON.parse(await readFile(join(projectFolder, "package.json"), "utf8"));
const lines = (await readFile(sumsFile, "utf8")).split("\n").filter((line) => line !== "");
const sums = Object.fromEntries(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
const texts = renderChannels({ version: manifest.version, repository, sums, manifest });
for (const [path, text] of Object.entries(texts)) {
  const file = join(out, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(file);
}
