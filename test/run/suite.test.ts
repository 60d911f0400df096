import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { findChromium } from "./chromium.mjs";
import { testFiles, unitFiles } from "./kinds.ts";
import { countsOf } from "./suite.mjs";

const report = (passed: number, failed: number, skipped: number): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: 0 });

test.each([
  ["all good", report(9, 0, 1), true, { passed: 9, failed: 0, skipped: 1 }],
  ["failures", report(7, 2, 0), false, { passed: 7, failed: 2, skipped: 0 }],
  ["a file that did not load", report(9, 0, 0), false, { passed: 9, failed: 1, skipped: 0 }],
])("counts %s", (_, text, ok, counts) => {
  expect(countsOf(text, ok)).toEqual(counts);
});

it("takes the Chromium that is named, else the first on the path that can be run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postern-chromium-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(findChromium({ CHROMIUM_PATH: "chosen", PATH: folder })).toBe("chosen");
  const names = ["chromium", "google-chrome"].map((name) => join(folder, name));
  for (const name of names) await writeFile(name, "");
  for (const name of names.slice(1)) await chmod(name, 0o755);
  expect(findChromium({ PATH: folder })).toBe(names[1]);
});

it("takes files for unit tests by what they import, themselves or through what they share", () => {
  const unit = unitFiles();
  expect(unit).toContain("test/gateway/core/glob.test.ts");
  expect(unit).toContain("test/renderer/api/task-pages.test.ts");
  // One starts a gateway, one a process, one a server of its own; one does so through test support.
  for (const path of ["gateway/stop", "main/process", "gateway/upstream/download", "gateway/services/videos/races"])
    expect([path, unit.includes(`test/${path}.test.ts`)]).toEqual([path, false]);
  expect(unit.length).toBeGreaterThan(testFiles().length / 3);
});
