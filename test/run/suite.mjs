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
 * @property {readonly string[]} lines For the end of the whole run: failed tests, tests that failed once, skipped tests.
 */

/**
 * @typedef {object} SuiteOptions
 * @property {NodeJS.ProcessEnv} [environment]
 * @property {readonly string[]} [files] Parts of the paths of the files to run; all where none is named.
 * @property {boolean} [inOnePiece] Shows the output at the end, for a suite that runs next to another.
 * @property {string} [skipReason] Runs no test and counts each as skipped for this reason.
 */

/** @typedef {import("./report.mjs").FileReport} FileReport */

/** Max files that run a second time: more than this do not fail because a machine was busy. */
const MAX_RETRIED_FILES = 5;

/**
 * Runs one vitest project. Files that fail run again, alone: a busy machine starves a test that waits for a second
 * process or a browser now and then, and a fault fails twice. The end of the whole run names what failed once.
 * @param {string | null} config Its configuration file; null for the one at the top.
 * @param {SuiteOptions} [options]
 * @returns {Promise<Counts>}
 */
export async function runSuite(config, options = {}) {
  const first = await runOnce(config, options);
  const failing = first.filter(({ failures }) => failures.length > 0);
  const paths = failing.map(({ file }) => file);
  if (failing.length === 0 || failing.length > MAX_RETRIED_FILES || paths.includes(""))
    return sumReports(first, [], options.skipReason);
  console.log(`\nOnce more, alone: ${paths.map(shown).join(", ")}`);
  const second = await runOnce(config, { ...options, files: paths }, ["--maxWorkers=1"]);
  return sumReports([...first.filter((report) => !failing.includes(report)), ...second], failing);
}

/**
 * @param {string | null} config
 * @param {SuiteOptions} options
 * @param {readonly string[]} [flags]
 * @returns {Promise<readonly FileReport[]>}
 */
async function runOnce(config, { environment = {}, files = [], inOnePiece = false, skipReason }, flags = []) {
  const folder = await mkdtemp(join(tmpdir(), "postern-test-"));
  const report = join(folder, "report.json");
  try {
    const chosen = config === null ? [] : ["--config", config];
    const reporters = ["--reporter=default", `--reporter=${join(import.meta.dirname, "report.mjs")}`];
    // No title is empty, so nothing runs and each test is counted.
    const filter = skipReason === undefined ? [] : ["--testNamePattern=^$"];
    const command = ["vitest", "run", ...files, ...chosen, ...reporters, ...filter, ...flags];
    const ok = await runProgram(command, { environment: { ...environment, [REPORT_FILE]: report }, inOnePiece });
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
const noFile = (failure) => ({ file: "", passed: 0, skipped: [], failures: [failure] });

/**
 * Sums the reports of a run.
 * @param {readonly FileReport[]} reports
 * @param {readonly FileReport[]} before The first reports of the files that ran again.
 * @param {string} [skipReason] Why the whole run was skipped: one line for each file instead of one for each test.
 * @returns {Counts}
 */
export function sumReports(reports, before, skipReason) {
  const failed = reports.filter(({ failures }) => failures.length > 0);
  const failedFiles = new Set(failed.map(({ file }) => file));
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: failed.reduce((sum, { failures }) => sum + failures.length, 0),
    skipped: reports.reduce((sum, { skipped }) => sum + skipped.length, 0),
    lines: [
      ...failed.flatMap(({ file, failures }) => failures.map((failure) => `FAILED ${shown(file)} > ${failure}`)),
      ...before
        .filter(({ file }) => !failedFiles.has(file))
        .flatMap(({ file, failures }) =>
          failures.map((failure) => `failed once, passed alone: ${shown(file)} > ${failure}`),
        ),
      ...reports.flatMap(({ file, skipped }) =>
        skipReason === undefined
          ? skipped.map((test) => `skipped ${shown(file)} > ${test}`)
          : [`skipped ${shown(file)}, ${skipped.length} tests: ${skipReason}`],
      ),
    ],
  };
}

/** @param {string} file */
const shown = (file) => (file === "" ? "all files" : relative(projectFolder, file).replaceAll("\\", "/"));
