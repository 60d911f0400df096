import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { seededRandom } from "./fixtures.ts";
import { killRounds } from "./kill-rounds.ts";

const READY_MS = 2_000;

test("a process killed under load, 25 times, loses and doubles nothing that it acknowledged", async () => {
  const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const report = await killRounds(dir, 25, seededRandom(1));
  expect(report.broken).toEqual([]);
  expect(report.keys).toBeGreaterThan(100);
  expect(report.receipts).toBeGreaterThan(100);
  // The middle one: a single opening may have had no processor for a while.
  expect(report.openings.toSorted((a, b) => a - b)[12]).toBeLessThan(READY_MS);
}, 180_000);
