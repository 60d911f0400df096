import { defineConfig } from "vitest/config";
import { isolatedFiles } from "./test/run/kinds.ts";
import { testSettings } from "./test/run/settings.ts";

/** All tests but those in a browser and on a desktop. */
export default defineConfig({
  test: testSettings(["test/**/*.test.ts", "test/**/*.test.tsx"], isolatedFiles()),
});
