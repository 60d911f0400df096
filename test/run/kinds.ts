import { filesBelow, readSource, resolveImport, runtimeImportsOf } from "../arch/source-tree.ts";

/** Which tests there are, by what they do. A file says so itself by what it imports and calls; there is no list. */

/**
 * Test files share a process, one after the other, and with it the modules that are already loaded: to start a process
 * and load the gateway for each file took longer than most of the tests. Who replaces a module needs a process of its
 * own, in which no one has loaded the real one.
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

/** The module that gives heavy tests a short and a long dose. */
const DOSE = "test/support/dose.ts";

/** From the first start to a connected app, and a look at each page that is opened every day. */
const DAILY_PAGES = [
  "claude-code",
  "first-response",
  "first-run",
  "keys-limit",
  "models-real",
  "overview",
  "requests-flow",
  "usage",
];

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

/** The heavy tests, which take a short dose in `npm test`, as paths in the project. */
export function dosedFiles(): string[] {
  return testFilesReaching((target) => target === DOSE);
}

/**
 * The unit tests: files that open no socket, start no process and make no gateway, neither by themselves nor by what
 * they share with other tests. They are the quick half of all files.
 */
export function unitFiles(): string[] {
  const outside = new Set(testFilesReaching((target) => OUTSIDE.has(target) || WHOLE.has(target)));
  return testFiles().filter((file) => !outside.has(file));
}

/** The test files that import a module that `isWanted`, themselves or through other files of tests. */
function testFilesReaching(isExpected: (target: string) => boolean): string[] {
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
        if (isExpected(target)) return true;
        if (sources.has(target)) reached.add(target);
      }
    return false;
  });
}

/** The browser tests, as paths in the project. */
export function browserFiles(): string[] {
  return filesBelow("test/e2e/browser", [".test.ts"]);
}

/** The browser tests of `npm test`: what people do most. */
export function dailyBrowserFiles(): string[] {
  return DAILY_PAGES.map((name) => `test/e2e/browser/${name}.test.ts`);
}
