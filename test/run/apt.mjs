import { runProgram } from "./program.mjs";

/** Whether packages can be installed here without anybody's password. */
export const canInstall = process.platform === "linux" && process.getuid?.() === 0;

/**
 * Installs Debian packages, quietly.
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} Whether all are there now.
 */
export async function aptInstall(packages) {
  const quiet = { environment: { DEBIAN_FRONTEND: "noninteractive" } };
  if (!(await runProgram(["apt-get", "update", "-qq"], quiet))) return false;
  return runProgram(["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages], quiet);
}
