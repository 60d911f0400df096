import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

/** The project's top folder. */
export const projectFolder = join(import.meta.dirname, "../..");

/** The project's own tools and Node come first, also when this was not started by npm. */
const path = [join(projectFolder, "node_modules/.bin"), process.env["PATH"]].join(delimiter);

/**
 * Runs a program, its output shown as it comes.
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} [environment] Added to this process's own.
 * @param {string} [folder] The project's where none is given.
 * @returns {Promise<boolean>} Whether it ended well.
 */
export function runProgram([program = "", ...argv], environment = {}, folder = projectFolder) {
  const child = spawn(program, argv, {
    cwd: folder,
    env: { ...process.env, PATH: path, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
    // npm's tools are .cmd files on Windows, which only a shell runs.
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`${program} did not start: ${error.message}`);
      resolve(false);
    });
    child.once("exit", (code) => resolve(code === 0));
  });
}
