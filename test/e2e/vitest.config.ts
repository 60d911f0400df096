import { defineConfig } from "vitest/config";

/** Whole runs in a real browser. They take a Chromium: CHROMIUM_PATH, else the one of the system. */
export default defineConfig({
  test: {
    include: ["test/e2e/browser/**/*.test.ts"],
    globalSetup: "test/e2e/browser/build-first.ts",
    environment: "node",
    // axe alone takes twenty seconds for a full page on a loaded machine with two cores.
    testTimeout: 120_000,
    hookTimeout: 90_000,
    // Figures are asked for again at most once a second: the usual second of patience is a race.
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    // Each file has its own browser and gateway; more than two at once starve one another.
    maxWorkers: 2,
  },
});
