import { filesBelow, readSource } from "../arch/source-tree.ts";

/**
 * Test files share a process, one after the other, and with it the modules that are already loaded: to start a process
 * and load the gateway for each file took longer than most of the tests. Who replaces a module needs a process of its
 * own, in which nobody has loaded the real one.
 */
const REPLACES_MODULES = /\bvi\s*\.\s*(?:mock|doMock|hoisted|resetModules)\s*\(/;

/** Whether a test file needs a process of its own. */
export function replacesModules(source: string): boolean {
  return REPLACES_MODULES.test(source);
}

/** The test files that get a process each, as paths in the project. */
export function isolatedFiles(): string[] {
  return filesBelow("test", [".test.ts", ".test.tsx"]).filter((path) => replacesModules(readSource(path)));
}
