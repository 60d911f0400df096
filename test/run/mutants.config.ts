import { join } from "node:path";
import { mergeConfig } from "vitest/config";
import type { VitestPluginContext } from "vitest/node";
import config from "../../vitest.config.ts";
import { projectFolder } from "./program.mjs";

/** The unit and integration tests with one mutant in place of a source's text: `npm run test:mutants`. */
interface PlacedMutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const mutant: PlacedMutant | null = JSON.parse(process.env["POSTERN_TEST_MUTANT"] ?? "null");
const isMutated = (id: string) => mutant !== null && id === join(projectFolder, mutant.file);

export default mergeConfig(config, {
  root: projectFolder,
  plugins: [
    {
      name: "mutant",
      enforce: "pre" as const,
      configureVitest(context: VitestPluginContext) {
        // Vitest keeps transformed modules on disk between runs.
        context.defineCacheKeyGenerator(({ id }) => (isMutated(id) ? JSON.stringify(mutant) : undefined));
      },
      transform(code: string, id: string) {
        if (mutant === null || !isMutated(id)) return null;
        return code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end);
      },
    },
  ],
});
