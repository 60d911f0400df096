import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { isStale, projectFolder, targets } from "./launch/targets.mjs";

/**
 * `npm start`: builds what is stale, then opens the desktop app, or says why it cannot and continues headless. Plain
 * JavaScript without dependencies, because everything here stands between the command and the first answer.
 *
 * @typedef {import("./launch/targets.mjs").TargetName} TargetName
 */

/** The runtime that the code is written for; it is a development dependency, so it is here even on an older machine. */
const NODE_MAJOR = 24;
/** When the code that a start runs has been compiled: then it is kept for the next start. */
const COMPILED_AFTER_MS = 1_500;

const argv = process.argv.slice(2);
const headless = ["--headless", "--help", "-h"].some((option) => argv.includes(option));

/**
 * Ends the process with a sentence.
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Runs this file again under the project's own Node, when it was started by an older one. */
async function runUnderOwnNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = join(projectFolder, "node_modules/node/bin", name);
  const needed = `Postern needs Node ${NODE_MAJOR}; this is ${process.version}.`;
  if (!existsSync(node)) fail(`${needed} Run "npm ci", which brings it, then "npm start".`);
  const { superviseProgram } = await import("./launch/desktop.mjs");
  const end = await superviseProgram(node, process.argv.slice(1));
  if ("reason" in end) fail(`${needed} The one in ${node} did not start: ${end.reason}.`);
  process.exit(end.code);
}

/**
 * Builds the targets that are stale, in a process of its own: the builder's memory is not the gateway's.
 * @param {readonly TargetName[]} names
 */
async function buildStale(names) {
  const stale = names.filter((name) => isStale(targets[name]));
  if (stale.length === 0) return;
  const { spawnSync } = await import("node:child_process");
  // Its output goes to standard error: standard output carries the ready line and nothing else.
  const built = spawnSync(process.execPath, [join(projectFolder, "main/build.mjs"), ...stale], {
    stdio: ["ignore", 2, 2],
  });
  if (built.status !== 0) process.exit(1);
}

async function runHeadless() {
  module.enableCompileCache(join(projectFolder, "out/.cache"));
  setTimeout(module.flushCompileCache, COMPILED_AFTER_MS).unref();
  const bundle = new URL(`../${targets.gateway.folder}/headless.mjs`, import.meta.url).href;
  /** @type {{ runHeadless(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<unknown> }} */
  const gateway = await import(bundle);
  await gateway.runHeadless(argv, process.env);
}

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) await runUnderOwnNode();
await buildStale(["gateway", "renderer", "command"]);
if (!headless) {
  await buildStale(["desktop"]);
  const { runDesktop } = await import("./launch/desktop.mjs");
  const end = await runDesktop(projectFolder, argv, process.env);
  if ("code" in end) process.exit(end.code);
  console.error(`${end.reason}; continuing headless: the same pages open in a browser.`);
}
await runHeadless();
