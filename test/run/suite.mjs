import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { projectFolder, runProgram } from "./program.mjs";
import { REPORT_FILE } from "./report.mjs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} told Lines for the end of the whole run: what failed, and what failed once.
 */

/** @typedef {import("./report.mjs").FileReport} FileReport */

/**
 * More files than this do not fail because a machine was busy.
 */
const AGAIN_AT_MOST = 5;

/**
 * Runs one vitest project. Files that fail run once more, alone: on a machine that does something else beside, a test
 * that waits for a second process or a browser is starved now and then, and the one run in which it was must not hide
 * what the other fifteen thousand say. A fault fails twice. What failed once is told at the end of the whole run.
 * @param {string | null} config Its configuration file; null for the one at the top.
 * @param {NodeJS.ProcessEnv} [environment]
 * @param {readonly string[]} [files] Parts of the paths of those to run; all where none is named.
 * @returns {Promise<Counts>}
 */
export async function runSuite(config, environment = {}, files = []) {
  const first = await runOnce(config, environment, files);
  const failing = first.filter(({ failures }) => failures.length > 0);
  const paths = failing.map(({ file }) => file);
  if (failing.length === 0 || failing.length > AGAIN_AT_MOST || paths.includes("")) return countsOf(first, []);
  console.log(`\nOnce more, alone: ${paths.map(shown).join(", ")}`);
  const second = await runOnce(config, environment, paths, ["--maxWorkers=1"]);
  return countsOf([...first.filter((report) => !failing.includes(report)), ...second], failing);
}

/**
 * @param {string | null} config
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} files
 * @param {readonly string[]} [options]
 * @returns {Promise<readonly FileReport[]>}
 */
async function runOnce(config, environment, files, options = []) {
  const folder = await mkdtemp(join(tmpdir(), "postern-test-"));
  const report = join(folder, "report.json");
  try {
    const chosen = config === null ? [] : ["--config", config];
    const reporters = ["--reporter=default", `--reporter=${join(import.meta.dirname, "report.mjs")}`];
    const command = ["vitest", "run", ...files, ...chosen, ...reporters, ...options];
    const ok = await runProgram(command, { ...environment, [REPORT_FILE]: report });
    /** @type {FileReport[]} */
    const reports = JSON.parse(await readFile(report, "utf8"));
    return ok || reports.some(({ failures }) => failures.length > 0)
      ? reports
      : [...reports, noFile("vitest did not end well")];
  } catch {
    return [noFile("vitest did not run")];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} failure
 * @returns {FileReport}
 */
const noFile = (failure) => ({ file: "", passed: 0, skipped: 0, failures: [failure] });

/**
 * Adds a run up.
 * @param {readonly FileReport[]} reports
 * @param {readonly FileReport[]} before What the files that ran again said the first time.
 * @returns {Counts}
 */
export function countsOf(reports, before) {
  const failed = reports.filter(({ failures }) => failures.length > 0);
  const stands = new Set(failed.map(({ file }) => file));
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: failed.reduce((sum, { failures }) => sum + failures.length, 0),
    skipped: reports.reduce((sum, { skipped }) => sum + skipped, 0),
    told: [
      ...failed.flatMap(({ file, failures }) => failures.map((failure) => `FAILED ${shown(file)} > ${failure}`)),
      ...before
        .filter(({ file }) => !stands.has(file))
        .flatMap(({ file, failures }) =>
          failures.map((failure) => `failed once, passed alone: ${shown(file)} > ${failure}`),
        ),
    ],
  };
}

/** @param {string} file */
const shown = (file) => (file === "" ? "all files" : relative(projectFolder, file));
