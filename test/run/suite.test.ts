import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { findChromium } from "./chromium.mjs";
import { browserFiles, dailyBrowserFiles, dosedFiles, testFiles, unitFiles } from "./kinds.ts";
import { projectFolder } from "./program.mjs";
import type { FileReport } from "./report.mjs";
import { sumReports } from "./suite.mjs";

const report = (file: string, passed: number, failures: string[] = []): FileReport => ({
  file: join(projectFolder, file),
  passed,
  skipped: [],
  failures,
});
const wholeRun: FileReport = { file: "", passed: 0, skipped: [], failures: ["vitest did not end well"] };
const FAILED_A = "FAILED a.test.ts > adds: 1 is not 2";

test.each([
  ["all good", [report("a.test.ts", 9)], [], { passed: 9, failed: 0, skipped: 0, lines: [] }],
  [
    "failures",
    [report("a.test.ts", 7, ["adds: 1 is not 2", "loads: no such file"]), report("b.test.ts", 2)],
    [],
    { passed: 9, failed: 2, skipped: 0, lines: [FAILED_A, "FAILED a.test.ts > loads: no such file"] },
  ],
  [
    "a run that broke off",
    [report("a.test.ts", 9), wholeRun],
    [],
    { passed: 9, failed: 1, skipped: 0, lines: ["FAILED all files > vitest did not end well"] },
  ],
  [
    "what failed once, and what failed twice",
    [report("a.test.ts", 7, ["adds: 1 is not 2"]), report("b.test.ts", 2)],
    [report("a.test.ts", 6, ["adds: 1 is not 2", "takes away: 2 is not 1"]), report("b.test.ts", 1, ["starts: late"])],
    { passed: 9, failed: 1, skipped: 0, lines: [FAILED_A, "failed once, passed alone: b.test.ts > starts: late"] },
  ],
])("counts %s", (_, last, before, counts) => {
  expect(sumReports(last, before)).toEqual(counts);
});

it("names each skipped test with its reason, and each file of a run that was skipped as a whole", () => {
  const skipped = { ...report("a.test.ts", 1), skipped: ["opens a pipe: needs Linux", "asks for a port: needs root"] };
  expect(sumReports([skipped], [])).toMatchObject({
    skipped: 2,
    lines: ["skipped a.test.ts > opens a pipe: needs Linux", "skipped a.test.ts > asks for a port: needs root"],
  });
  expect(sumReports([skipped], [], "no Chromium")).toMatchObject({
    skipped: 2,
    lines: ["skipped a.test.ts, 2 tests: no Chromium"],
  });
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
  expect(unit).toContain("test/renderer/api/live-tasks.test.ts");
  // One starts a gateway, one a process, one a server of its own; one does so through test support.
  for (const path of ["gateway/stop", "main/process", "gateway/upstream/download", "gateway/services/videos/races"])
    expect([path, unit.includes(`test/${path}.test.ts`)]).toEqual([path, false]);
  expect(unit.length).toBeGreaterThan(testFiles().length / 3);
});

it("finds heavy tests by the dose that they take, themselves or through what they share", () => {
  const dosed = dosedFiles();
  for (const name of ["store/power-cut", "store/media/media-faults", "specification/bad-input"])
    expect(dosed).toContain(`test/gateway/${name}.test.ts`);
  expect(dosed).not.toContain("test/gateway/core/glob.test.ts");
});

it("names browser tests of every day that exist", () => {
  expect(browserFiles()).toEqual(expect.arrayContaining(dailyBrowserFiles()));
});
