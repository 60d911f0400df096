import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";
import { testEnvironment } from "./environment.ts";

const others = ["test/e2e/**", "test/bench/**", "node_modules/**"];

/**
 * How tests run.
 * @param include paths or patterns of test files
 * @param isolated those of them that get a process each
 */
export function testSettings(include: string[], isolated: string[]): NonNullable<ViteUserConfig["test"]> {
  return {
    environment: "node",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    env: testEnvironment(),
    // Nearly half of a file is waiting: for other processes, and for time. Each worker holds all modules of a gateway.
    maxWorkers: Math.min(availableParallelism(), 4) + 2,
    // What a test puts in the place of a shared thing is taken away before the next one, also that of another file.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: "isolated", isolate: true, include: isolated, exclude: others } },
      { extends: true, test: { name: "shared", isolate: false, include, exclude: [...others, ...isolated] } },
    ],
  };
}
