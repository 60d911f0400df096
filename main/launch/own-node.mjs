import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { superviseProgram } from "./desktop.mjs";

/**
 * Runs a script of the project again under the project's own Node, when it was started by hand with an older one.
 * Everything here runs on Node 20.
 * @param {number} major The Node that the script needs.
 * @param {readonly string[]} argv The script and its arguments.
 * @returns {Promise<number>} The exit code.
 */
export async function runUnderOwnNode(major, argv) {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = fileURLToPath(new URL(`../../node_modules/node/bin/${name}`, import.meta.url));
  const needed = `Postern needs Node ${major}; this is ${process.version}.`;
  if (!existsSync(node)) {
    console.error(`${needed} Run "npm ci", which brings it, then "npm start".`);
    return 1;
  }
  const end = await superviseProgram(node, argv);
  if ("code" in end) return end.code;
  console.error(`${needed} The one at ${node} did not start: ${end.reason}.`);
  return 1;
}
