import { defineConfig } from "vitest/config";

/**
 * The app in a real Electron: `vitest run --config test/e2e/desktop/vitest.config.ts`. It needs Electron's binary, a
 * display and the bundles (`npm run build`); where there is no binary it says so and skips. Files are named `.spec.ts`
 * so that the browser suite next to this folder does not take them for its own.
 */
export default defineConfig({
  test: {
    include: ["test/e2e/desktop/**/*.spec.ts"],
    environment: "node",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes seconds for what a person sees at once.
    expect: { poll: { timeout: 10_000 } },
    pool: "forks",
    // One window at a time: focus and tray belong to the whole desktop.
    maxWorkers: 1,
  },
});
