import { runDesktopStage } from "./run/desktop.mjs";
import { runProgram } from "./run/program.mjs";

/** `npm run test:desktop`: the stage "Desktop tests" of `npm run test:all` alone, on bundles that are current. */
const built = await runProgram(["node", "main/build.mjs"]);
const { passed, failed, skipped, lines } = built
  ? await runDesktopStage()
  : { passed: 0, failed: 1, skipped: 0, lines: ["FAILED node main/build.mjs"] };
for (const line of lines) console.log(line);
process.exitCode = failed === 0 ? 0 : 1;
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
