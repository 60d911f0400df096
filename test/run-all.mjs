import { provideChromium } from "./run/chromium.mjs";
import { runDesktopStage } from "./run/desktop.mjs";
import { runProgram } from "./run/program.mjs";
import { runSuite } from "./run/suite.mjs";

/**
 * `npm test`: everything, one stage after the other, and the sums in the last line. A failing stage does not hide the
 * stages after it.
 *
 * @typedef {import("./run/suite.mjs").Counts} Counts
 */

const code = ["gateway", "main", "renderer", "test"];

/**
 * A stage that is one check.
 * @param {readonly string[]} command
 * @returns {() => Promise<Counts>}
 */
const check = (command) => async () => {
  const ok = await runProgram(command);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, told: ok ? [] : [`FAILED ${command.join(" ")}`] };
};

async function runBrowserSuite() {
  const chromium = await provideChromium();
  if (chromium === undefined) {
    const told = ["No Chromium was found, and none could be installed. Set CHROMIUM_PATH to one, then run again."];
    return { passed: 0, failed: 1, skipped: 0, told };
  }
  return runSuite("test/e2e/vitest.config.ts", { CHROMIUM_PATH: chromium });
}

/** @type {readonly [string, () => Promise<Counts>][]} */
const stages = [
  ["Lint", check(["oxlint", "--type-aware", "--deny-warnings", ...code])],
  ["Format", check(["oxfmt", "--check", ...code])],
  ["Types", check(["tsc", "-p", "."])],
  ["Types of the pages", check(["tsc", "-p", "renderer"])],
  ["Types of the browser tests", check(["tsc", "-p", "test/e2e/browser"])],
  ["Build", check(["node", "main/build.mjs"])],
  ["Unit and integration tests", () => runSuite(null)],
  ["Browser tests", runBrowserSuite],
  ["Desktop tests", runDesktopStage],
];

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const lines = [];
for (const [name, run] of stages) {
  console.log(`\n== ${name}`);
  const from = performance.now();
  const { passed, failed, skipped, told } = await run();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  lines.push(...told.map((line) => `${name}: ${line}`));
  console.log(`-- ${name}: ${failed === 0 ? "ok" : "FAILED"}, ${((performance.now() - from) / 1000).toFixed(1)} s`);
}
// Once more at the end, where they are looked for: what is far up in the output may have been cut off.
if (lines.length > 0) console.log(`\n${lines.join("\n")}`);
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
