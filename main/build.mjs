import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { STAMP, fingerprint, isStale, projectFolder, targets } from "./launch/targets.mjs";

/**
 * `npm run build [-- NAME …]`: bundles whatever is stale of the gateway, the pages, the `postern` command and the
 * desktop shell into out/. Every target is made in a folder of its own and moved into place whole, so that a Postern
 * that starts meanwhile sees the old one or the new one, never half of one.
 *
 * @typedef {import("./launch/targets.mjs").TargetName} TargetName
 * @typedef {import("vite").InlineConfig} InlineConfig
 */

/**
 * A bundle for Node or Electron with all dependencies in it.
 * @param {string} entry Source file.
 * @param {string} file Name of the result.
 * @param {string} stage Folder that it goes to.
 * @param {{ format?: "es" | "cjs", empty?: boolean }} [shape]
 * @returns {InlineConfig}
 */
function nodeBundle(entry, file, stage, { format = "es", empty = true } = {}) {
  return {
    root: projectFolder,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, external: ["electron"], target: "node" },
    build: {
      ssr: entry,
      outDir: stage,
      emptyOutDir: empty,
      target: "node24",
      // Measured: minified code starts no sooner once the compile cache is warm, and its stack traces say nothing.
      minify: false,
      rolldownOptions: {
        external: ["electron"],
        output: { format, entryFileNames: file, chunkFileNames: "[name]-[hash].mjs" },
        onLog(level, log, handle) {
          // depd (below Koa) builds its deprecation wrappers with eval; it never sees input.
          if (log.code !== "EVAL") handle(level, log);
        },
      },
    },
  };
}

/** @type {Record<TargetName, (stage: string) => InlineConfig[]>} */
const recipes = {
  gateway: (stage) => [nodeBundle(targets.gateway.entry, "headless.mjs", stage)],
  renderer: (stage) => [
    {
      root: join(projectFolder, "renderer"),
      configFile: join(projectFolder, targets.renderer.entry),
      logLevel: "warn",
      build: { outDir: stage, emptyOutDir: true },
    },
  ],
  command: (stage) => [nodeBundle(targets.command.entry, "postern.mjs", stage)],
  desktop: (stage) => [
    nodeBundle(targets.desktop.entry, "index.mjs", stage),
    nodeBundle("main/preload.ts", "preload.cjs", stage, { format: "cjs", empty: false }),
  ],
};

/**
 * Puts a finished folder in place of the old one. Two builds may end at the same moment: the last one wins.
 * @param {string} stage
 * @param {string} folder
 */
async function moveIntoPlace(stage, folder) {
  const old = `${stage}-old`;
  for (let attempt = 0; ; attempt++) {
    await rename(folder, old).catch(() => undefined);
    try {
      await rename(stage, folder);
      break;
    } catch (error) {
      if (attempt === 5) throw error;
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}

/**
 * Builds one target.
 * @param {TargetName} name
 */
async function buildTarget(name) {
  const target = targets[name];
  const stamp = fingerprint(target);
  const stage = join(projectFolder, "out", `.stage-${name}-${process.pid}`);
  try {
    const { build } = await import("vite");
    for (const config of recipes[name](stage)) await build(config);
    await mkdir(stage, { recursive: true });
    await writeFile(join(stage, STAMP), stamp);
    await moveIntoPlace(stage, join(projectFolder, target.folder));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

const known = /** @type {TargetName[]} */ (Object.keys(targets));
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !known.some((one) => one === name));
if (unknown !== undefined) {
  console.error(`There is no build target ${JSON.stringify(unknown)}. There are: ${known.join(", ")}.`);
  process.exit(2);
}
for (const name of known) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const target = targets[name];
  if (!existsSync(join(projectFolder, target.entry)) || !isStale(target)) continue;
  const from = performance.now();
  try {
    await buildTarget(name);
    console.error(`Built ${target.folder} in ${((performance.now() - from) / 1000).toFixed(1)} s.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`Building ${target.folder} from ${target.entry} failed: ${reason}`);
    process.exit(1);
  }
}
