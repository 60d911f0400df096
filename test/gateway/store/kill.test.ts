import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { seededRandom } from "./fixtures.ts";
import { killRounds } from "./kill-rounds.ts";
import { dose } from "../../support/dose.ts";

test("a process killed under load, again and again, loses and doubles nothing that it acknowledged", async () => {
  const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const report = await killRounds(dir, dose(5, 25), seededRandom(1));
  expect(report.broken).toEqual([]);
  expect(report.keys).toBeGreaterThan(dose(10, 100));
  expect(report.receipts).toBeGreaterThan(dose(10, 100));
}, 900_000);
