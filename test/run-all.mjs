import { parseArgs } from "node:util";
import { provideChromium } from "./run/chromium.mjs";
import { runDesktopStage } from "./run/desktop.mjs";
import { browserFiles, dailyBrowserFiles, dosedFiles } from "./run/kinds.ts";
import { runProgram } from "./run/program.mjs";
import { runSuite } from "./run/suite.mjs";

/**
 * `npm test`: lint, types, unit and integration tests with short doses, and the browser tests of what people do most.
 * `npm run test:all`: everything, with long doses, all browser tests and the desktop. With `--rest` only what
 * `npm test` leaves out. A failing stage does not hide the stages after it.
 *
 * @typedef {import("./run/suite.mjs").Counts} Counts
 * @typedef {readonly [name: string, run: () => Promise<Counts>]} Stage
 */

const { values: options } = parseArgs({
  options: { all: { type: "boolean", default: false }, rest: { type: "boolean", default: false } },
});
const isShort = !options.all && !options.rest;

const code = ["gateway", "main", "renderer", "test"];
const [dosed, daily] = [dosedFiles(), dailyBrowserFiles()];
const otherBrowserFiles = browserFiles().filter((path) => !daily.includes(path));

/** The long dose of heavy tests, which test/support/dose.ts reads. */
const longDose = { POSTERN_TEST_DOSE: "long" };

/**
 * A stage that is one check.
 * @param {string} name
 * @param {readonly string[]} command
 * @returns {Stage}
 */
const check = (name, command) => [
  name,
  async () => {
    const isOk = await runProgram(command, { inOnePiece: true });
    return {
      passed: isOk ? 1 : 0,
      failed: isOk ? 0 : 1,
      skipped: 0,
      lines: isOk ? [] : [`FAILED ${command.join(" ")}`],
    };
  },
];

const format = check("Format", ["oxfmt", "--check", ...code]);
// One program reads the types once for its rules and for the compiler's errors; `tsc` reads them again for each project.
const lint = check("Lint and types", ["oxlint", "--type-check", "--deny-warnings", ...code, "vitest.config.ts"]);
const build = check("Build", ["node", "main/build.mjs"]);

/** @type {Stage} */
const unitTests = [
  "Unit and integration tests",
  () => runSuite(null, { environment: isShort ? {} : longDose, files: options.rest ? dosed : [] }),
];

/** @type {Stage} */
const browserTests = [
  "Browser tests",
  async () => {
    const chromium = await provideChromium();
    const files = isShort ? daily : options.rest ? otherBrowserFiles : [];
    const skipReason =
      chromium === undefined
        ? "no Chromium was found and none could be installed (CHROMIUM_PATH names one)"
        : undefined;
    return runSuite("test/e2e/vitest.config.ts", {
      environment: chromium === undefined ? {} : { CHROMIUM_PATH: chromium },
      files,
      inOnePiece: true,
      ...(skipReason === undefined ? {} : { skipReason }),
    });
  },
];

/**
 * Stages in steps: the lanes of a step run side by side, each stage of a lane after the one before it.
 * @type {readonly (readonly (readonly Stage[])[])[]}
 */
const steps = [
  ...(options.rest ? [[[build]]] : [[[format, build]]]),
  // The long doses keep both cores busy by themselves.
  ...(isShort ? [[[lint], [unitTests], [browserTests]]] : [[[unitTests]], [[browserTests]]]),
  ...(isShort ? [] : [[[/** @type {Stage} */ (["Desktop tests", runDesktopStage])]]]),
];

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const endLines = [];

/** @param {Stage} stage */
async function runStage([name, run]) {
  console.log(`\n== ${name}`);
  const from = performance.now();
  const { passed, failed, skipped, lines } = await run();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  endLines.push(...lines.map((line) => `${name}: ${line}`));
  console.log(`-- ${name}: ${failed === 0 ? "ok" : "FAILED"}, ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

for (const lanes of steps)
  await Promise.all(
    lanes.map(async (stages) => {
      for (const stage of stages) await runStage(stage);
    }),
  );

if (isShort) {
  console.log("\nLeft to npm run test:all:");
  for (const file of dosed) console.log(`  the long dose of ${file}`);
  for (const file of otherBrowserFiles) console.log(`  ${file}`);
  console.log("  the desktop tests (test/e2e/desktop)");
}
// Once more at the end, where they are looked for: what is far up in the output may have been cut off.
if (endLines.length > 0) console.log(`\n${endLines.join("\n")}`);
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
