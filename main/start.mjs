/**
 * `npm start`: builds stale targets, then opens the desktop app, or reports why it cannot and continues headless. Plain
 * JavaScript without dependencies, because everything here delays the first response.
 *
 * @typedef {import("./launch/targets.mjs").TargetName} TargetName
 */

/**
 * Node major version that the code targets; it is a development dependency, so it is available even on an older
 * machine.
 */
const NODE_MAJOR = 24;
/**
 * Milliseconds after the gateway is ready when compiled code is cached for the next start: after an eager client's
 * first calls, and before a garbage collection drops it (gateway/lib/collect-when-calm.ts).
 */
const COMPILED_AFTER_MS = 600;

const argv = process.argv.slice(2);
const headless = ["--headless", "--help", "-h"].some((option) => argv.includes(option));

/** An older Node opens the window, which is Electron's to run; all else is for the project's own. */
const own = Number.parseInt(process.versions.node, 10) < NODE_MAJOR ? await import("./launch/own-node.mjs") : undefined;
const node = own?.findOwnNode(NODE_MAJOR) ?? process.execPath;
/** @param {readonly string[]} more Arguments that were not given. */
const runUnderOwn = async (...more) => {
  process.exit(await own?.runUnderOwnNode(node, [...process.execArgv, ...process.argv.slice(1), ...more]));
};
if (own !== undefined && (headless || !own.canOpenWindow())) await runUnderOwn();

const { isStale, projectFolder, targets } = await import("./launch/targets.mjs");

/** @param {readonly TargetName[]} names */
function findStale(names) {
  const known = new Map();
  return names.filter((name) => isStale(targets[name], projectFolder, known));
}

/**
 * Builds the targets that are stale, in a process of its own: the builder's memory is not the gateway's.
 * @param {readonly TargetName[]} names
 */
async function buildStale(names) {
  const stale = findStale(names);
  if (stale.length === 0) return;
  const { spawnSync } = await import("node:child_process");
  // Build output goes to standard error: standard output only has the ready line.
  const built = spawnSync(node, [`${projectFolder}/main/build.mjs`, ...stale], { stdio: ["ignore", 2, 2] });
  if (built.status !== 0) process.exit(1);
}

/**
 * Builds the pages and the command if stale, while the gateway serves; the gateway requests this before it reads the
 * pages. Resolves when done, also on failure, which the builder reports.
 */
async function buildInBackground() {
  const stale = findStale(["renderer", "command"]);
  if (stale.length === 0) return;
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [`${projectFolder}/main/build.mjs`, ...stale], { stdio: ["ignore", 2, 2] });
  await new Promise((resolve) => child.once("error", resolve).once("exit", resolve));
}

/** @param {() => Promise<void>} pagesBuilt */
async function runHeadless(pagesBuilt) {
  const { createRequire, enableCompileCache, flushCompileCache } = process.getBuiltinModule("node:module");
  enableCompileCache(`${projectFolder}/out/.cache`);
  /** @type {{ runHeadless(argv: readonly string[], env: NodeJS.ProcessEnv, pagesBuilt: () => Promise<void>): Promise<unknown> }} */
  const gateway = createRequire(import.meta.url)(`../${targets.gateway.folder}/headless.cjs`);
  await gateway.runHeadless(argv, process.env, pagesBuilt);
  setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();
}

await buildStale(headless ? ["gateway"] : ["gateway", "renderer", "command"]);
if (!headless) {
  const { runDesktop } = await import("./launch/desktop.mjs");
  const end = await runDesktop(projectFolder, argv, process.env, () => buildStale(["desktop"]));
  if ("code" in end) process.exit(end.code);
  console.error(`${end.reason}; continuing headless: the same pages open in a browser.`);
  if (own !== undefined) await runUnderOwn("--headless");
}
await runHeadless(headless ? buildInBackground : async () => {});
