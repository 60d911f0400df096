import { writeFileSync } from "node:fs";

/**
 * What a run of vitest came to, file by file, for the programs that sum runs.
 *
 * @typedef {object} FileReport
 * @property {string} file Its absolute path; empty for what belongs to none.
 * @property {number} passed
 * @property {string[]} skipped A line each: the test's whole name, and what it needs.
 * @property {string[]} failures A line each: the test's whole name, and what was wrong.
 */

/** Where the report goes: the path of a file. */
export const REPORT_FILE = "POSTERN_TEST_REPORT";

/** A reporter for vitest: writes the run's {@link FileReport} list as JSON when it ends. */
// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter from a module's default export
export default class FileReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly import("vitest/node").SerializedError[]} errors Those that no test has caught.
   */
  onTestRunEnd(modules, errors) {
    /** @type {Map<string, FileReport>} */
    const reports = new Map();
    const reportOf = (file = "") => {
      const report = reports.get(file) ?? { file, passed: 0, skipped: [], failures: [] };
      reports.set(file, report);
      return report;
    };
    for (const module of modules) {
      const report = reportOf(module.moduleId);
      // Errors of files and groups: what they prepare, or themselves, did not load.
      const suites = [module, ...module.children.allSuites()];
      for (const suite of suites)
        report.failures.push(...suite.errors().map((error) => line(fullNameOf(suite), error.message)));
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") report.passed += 1;
        else if (result.state === "failed") report.failures.push(line(test.fullName, result.errors[0]?.message));
        else report.skipped.push(line(test.fullName, skipReason(test)));
      }
    }
    for (const error of errors) {
      // A worker that dies says in the cause which file it ran, so that this one runs again alone.
      const cause = /** @type {{ cause?: { message?: string } }} */ (error).cause?.message ?? "";
      const file = error["VITEST_TEST_PATH"] ?? /while running test file (\S+)/.exec(cause)?.[1];
      reportOf(typeof file === "string" ? file : "").failures.push(line("outside of any test", error.message));
    }
    const path = process.env[REPORT_FILE];
    if (path !== undefined) writeFileSync(path, JSON.stringify([...reports.values()]));
  }
}

/**
 * Finds why a test was skipped: its own note, or what it or a group around it needs (test/support/needs.ts).
 * @param {import("vitest/node").TestCase} test
 */
function skipReason(test) {
  const result = test.result();
  const note = result.state === "skipped" ? result.note : undefined;
  if (note !== undefined) return note;
  /** @type {import("vitest/node").TestCase | import("vitest/node").TestSuite | import("vitest/node").TestModule} */
  let place = test;
  while (place.type !== "module") {
    const { needs } = /** @type {{ needs?: string }} */ (place.meta());
    if (needs !== undefined) return `needs ${needs}`;
    place = place.parent;
  }
  return "no reason given";
}

/** @param {import("vitest/node").TestModule | import("vitest/node").TestSuite} suite */
const fullNameOf = (suite) => (suite.type === "suite" ? suite.fullName : "the file itself");

/**
 * @param {string} name
 * @param {string | undefined} message
 */
const line = (name, message = "failed") => `${name}: ${message.split("\n", 1)[0]}`;
