import { existsSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { isStale, projectFolder, targets } from "./launch/targets.mjs";

/**
 * `npm run build [-- NAME …]`: bundles stale targets (gateway, pages, `postern` command, desktop shell) into out/. Its
 * output goes to standard error, because a start that builds first uses standard output itself.
 *
 * @typedef {import("./launch/targets.mjs").TargetName} TargetName
 */

// A test runner sets "test" for all child processes, and pages built that way carry React's slow development checks.
process.env["NODE_ENV"] = "production";

const known = /** @type {TargetName[]} */ (Object.keys(targets));
const names = process.argv.slice(2);
const unknown = names.find((name) => !known.some((one) => one === name));
if (unknown !== undefined) {
  console.error(`There is no build target "${unknown}". There are: ${known.join(", ")}.`);
  process.exit(2);
}
if (!existsSync(join(projectFolder, "node_modules/vite"))) {
  console.error('Dependencies are missing. Run "npm ci" first.');
  process.exit(1);
}

for (const name of known.filter((one) => names.length === 0 || names.includes(one))) {
  const target = targets[name];
  if (!isStale(target)) continue;
  const from = performance.now();
  try {
    const { bundle } = await import("./launch/bundle.mjs");
    await bundle(name, projectFolder);
    console.error(`Built ${target.folder} in ${((performance.now() - from) / 1000).toFixed(1)} s.`);
  } catch (error) {
    const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    console.error(`${target.folder} could not be built from ${target.entry}: ${reason}`);
    process.exit(1);
  }
}
