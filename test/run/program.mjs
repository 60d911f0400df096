import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

/** The project's top folder. */
export const projectFolder = join(import.meta.dirname, "../..");

/** The project's own tools and Node come first, also when this was not started by npm. */
const path = [join(projectFolder, "node_modules/.bin"), process.env["PATH"]].join(delimiter);

/**
 * @typedef {object} ProgramOptions
 * @property {NodeJS.ProcessEnv} [environment] Added to this process's own.
 * @property {string} [folder] The project's where none is given.
 * @property {boolean} [inOnePiece] Shows the output when the program has ended, for programs that run side by side.
 */

/**
 * Runs a program and shows its output.
 * @param {readonly string[]} command
 * @param {ProgramOptions} [options]
 * @returns {Promise<boolean>} Whether it ended well.
 */
export function runProgram([program = "", ...argv], { environment = {}, folder = projectFolder, inOnePiece } = {}) {
  const output = inOnePiece ? "pipe" : "inherit";
  const child = spawn(program, argv, {
    cwd: folder,
    env: { ...process.env, PATH: path, ...environment },
    stdio: ["ignore", output, output],
    // npm's tools are .cmd files on Windows, which only a shell runs.
    shell: process.platform === "win32",
  });
  /** @type {Buffer[]} */
  const pieces = [];
  child.stdout?.on("data", (bytes) => pieces.push(bytes));
  child.stderr?.on("data", (bytes) => pieces.push(bytes));
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`${program} did not start: ${error.message}`);
      resolve(false);
    });
    child.once("close", (code) => {
      process.stdout.write(Buffer.concat(pieces));
      resolve(code === 0);
    });
  });
}
