import { writeFileSync } from "node:fs";

/**
 * What a run of vitest came to, file by file, for those who add runs up.
 *
 * @typedef {object} FileReport
 * @property {string} file Its absolute path; empty for what belongs to none.
 * @property {number} passed
 * @property {number} skipped
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
      const report = reports.get(file) ?? { file, passed: 0, skipped: 0, failures: [] };
      reports.set(file, report);
      return report;
    };
    for (const module of modules) {
      const report = reportOf(module.moduleId);
      // Errors of files and groups: what they prepare, or themselves, did not load.
      const suites = [module, ...module.children.allSuites()];
      for (const suite of suites)
        report.failures.push(...suite.errors().map((error) => line(fullNameOf(suite), error)));
      for (const test of module.children.allTests()) {
        const { state, errors: wrong } = test.result();
        if (state === "passed") report.passed += 1;
        else if (state === "failed") report.failures.push(line(test.fullName, wrong[0]));
        else report.skipped += 1;
      }
    }
    for (const error of errors) {
      const file = error["VITEST_TEST_PATH"];
      reportOf(typeof file === "string" ? file : "").failures.push(line("outside of any test", error));
    }
    const path = process.env[REPORT_FILE];
    if (path !== undefined) writeFileSync(path, JSON.stringify([...reports.values()]));
  }
}

/** @param {import("vitest/node").TestModule | import("vitest/node").TestSuite} suite */
const fullNameOf = (suite) => (suite.type === "suite" ? suite.fullName : "the file itself");

/**
 * @param {string} name
 * @param {{ message?: string } | undefined} error
 */
const line = (name, error) => `${name}: ${(error?.message ?? "failed").split("\n", 1)[0]}`;
