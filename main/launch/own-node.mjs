import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { superviseProgram } from "./desktop.mjs";
import { findElectron } from "./electron.mjs";

/** Scripts that were started with an older Node than they need use this. Everything here runs on Node 20. */

const project = new URL("../../", import.meta.url);

/**
 * Tells whether this Node can open the window itself: Electron runs everything if its binary exists, which only the
 * project's own Node downloads. Node before 20.16 lacks APIs that the start needs.
 */
export function canOpenWindow() {
  return "getBuiltinModule" in process && findElectron(fileURLToPath(project), process.env) !== null;
}

/**
 * Finds the project's own Node; without one it ends the process with 1, and a sentence on standard error.
 * @param {number} major The Node that the script needs.
 * @returns {string} Its path.
 */
export function findOwnNode(major) {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = fileURLToPath(new URL(`node_modules/node/bin/${name}`, project));
  if (existsSync(node)) return node;
  console.error(
    `Postern needs Node ${major}; this is ${process.version}. Run "npm ci", which brings it, then "npm start".`,
  );
  process.exit(1);
}

/**
 * Runs a script of the project again under the project's own Node.
 * @param {string} node Its path.
 * @param {readonly string[]} argv The script and its arguments.
 * @returns {Promise<number>} The exit code.
 */
export async function runUnderOwnNode(node, argv) {
  const end = await superviseProgram(node, argv);
  if ("code" in end) return end.code;
  console.error(`The Node at ${node} ended: ${"reason" in end ? end.reason : end.crash}.`);
  return 1;
}
