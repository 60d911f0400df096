import { filesBelow, readSource, resolveImport, runtimeImportsOf } from "../arch/source-tree.ts";

/** Which tests there are, by what they do. A file says so itself by what it imports and calls; there is no list. */

/**
 * Test files share a process, one after the other, and with it the modules that are already loaded: to start a process
 * and load the gateway for each file took longer than most of the tests. Who replaces a module needs a process of its
 * own, in which nobody has loaded the real one.
 */
const REPLACES_MODULES = /\bvi\s*\.\s*(?:mock|doMock|hoisted|resetModules)\s*\(/;

/** Modules that open sockets or start processes. */
const OUTSIDE = new Set(["node:child_process", "node:http", "node:net", "node:worker_threads", "undici"]);

/** What makes a whole gateway, or a part of it that listens. */
const WHOLE = new Set([
  "gateway/index.ts",
  "gateway/headless.ts",
  "gateway/sandbox/server.ts",
  "gateway/services/deps.ts",
]);

/** Whether a test file needs a process of its own. */
export function replacesModules(source: string): boolean {
  return REPLACES_MODULES.test(source);
}

/** All test files but those that run in a browser or by hand. */
export function testFiles(): string[] {
  return filesBelow("test", [".test.ts", ".test.tsx"]).filter((path) => !/^test\/(?:e2e|bench)\//.test(path));
}

/** The test files that get a process each, as paths in the project. */
export function isolatedFiles(): string[] {
  return testFiles().filter((path) => replacesModules(readSource(path)));
}

/**
 * The unit tests: files that open no socket, start no process and make no gateway, neither by themselves nor by what
 * they share with other tests. They are the quick half of all files.
 */
export function unitFiles(): string[] {
  const sources = new Set(filesBelow("test", [".ts", ".tsx", ".mjs"]));
  const known = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const imports = known.get(path) ?? runtimeImportsOf(readSource(path)).map((name) => resolveImport(path, name));
    known.set(path, imports);
    return imports;
  };
  return testFiles().filter((file) => {
    const reached = new Set([file]);
    for (const path of reached)
      for (const target of importsOf(path)) {
        if (OUTSIDE.has(target) || WHOLE.has(target)) return false;
        if (sources.has(target)) reached.add(target);
      }
    return true;
  });
}
