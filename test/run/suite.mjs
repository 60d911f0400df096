import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./program.mjs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Reads what vitest's JSON reporter wrote.
 * @param {string} text
 * @param {boolean} ok Whether vitest ended well: a file that does not load has no failed test in it, and must count.
 * @returns {Counts}
 */
export function countsOf(text, ok) {
  const report = JSON.parse(text);
  const failed = Number(report.numFailedTests);
  return {
    passed: Number(report.numPassedTests),
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: Number(report.numPendingTests) + Number(report.numTodoTests),
  };
}

/**
 * Runs one vitest project.
 * @param {string | null} config Its configuration file; null for the one at the top.
 * @param {NodeJS.ProcessEnv} [environment]
 * @param {readonly string[]} [files] Parts of the paths of those to run; all where none is named.
 * @returns {Promise<Counts>}
 */
export async function runSuite(config, environment = {}, files = []) {
  const folder = await mkdtemp(join(tmpdir(), "postern-test-"));
  const report = join(folder, "report.json");
  try {
    const chosen = config === null ? [] : ["--config", config];
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const ok = await runProgram(["vitest", "run", ...files, ...chosen, ...reporters], environment);
    return countsOf(await readFile(report, "utf8"), ok);
  } catch {
    // No report: vitest itself did not run.
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
