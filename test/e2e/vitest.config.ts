import { defineConfig } from "vitest/config";
import { testEnvironment } from "../run/environment.ts";

/** Whole runs in a real browser. They take a Chromium: CHROMIUM_PATH, else the one of the system. */
export default defineConfig({
  test: {
    include: ["test/e2e/browser/**/*.test.ts"],
    globalSetup: "test/e2e/browser/build-first.ts",
    environment: "node",
    env: testEnvironment(),
    // A machine with two cores that does something else next to is ten times slower than a quiet one.
    testTimeout: 120_000,
    hookTimeout: 90_000,
    // Figures are asked for again at most once a second: the usual second of patience is a race.
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    // Files that run next to one another have their own browser and gateway; more than two starve one another.
    maxWorkers: 2,
    // The files of one process share its browser and its modules: what a test needs fresh it has from its page suite.
    isolate: false,
  },
});
