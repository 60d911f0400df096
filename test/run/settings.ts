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
    // The long dose of a heavy test takes minutes.
    testTimeout: process.env["POSTERN_TEST_DOSE"] === "long" ? 300_000 : 30_000,
    hookTimeout: 30_000,
    // What a busy machine is waited for is bounded by the test alone.
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    // Tests make much that dies young: a larger young generation takes a quarter of the processor time away.
    execArgv: ["--max-semi-space-size=64", "--min-semi-space-size=32"],
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
