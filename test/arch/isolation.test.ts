import { expect, it, test } from "vitest";
import config from "../../vitest.config.ts";
import { replacesModules } from "../run/kinds.ts";
import { filesBelow, readSource } from "./source-tree.ts";

/**
 * Test files share processes, unless they replace modules. So what a file changes in its process, others would see:
 * only what is put back by itself may be changed.
 */

const tests = filesBelow("test", [".test.ts", ".test.tsx"]).filter((path) => !/^test\/(?:e2e|bench)\//.test(path));

test.each([
  ["vi.mock('electron')", true],
  ["vi.mock(import('./a.ts'), async () => ({}))", true],
  ["vi.hoisted(() => 1)", true],
  ["vi\n  .doMock('electron')", true],
  ["vi.resetModules()", true],
  ["vi.spyOn(process, 'exit')", false],
  ["await stage.mock('chat')", false],
])("%j: a process of its own is %j", (source, isolated) => {
  expect(replacesModules(source)).toBe(isolated);
});

it("each file that replaces modules has a process of its own, and no other", () => {
  const projects = (config.test?.projects ?? []).map((project) => (project as { test: ProjectTest }).test);
  const isolated = projects.find(({ isolate }) => isolate);
  const shared = projects.find(({ isolate }) => !isolate);
  const needing = tests.filter((path) => replacesModules(readSource(path)));
  expect(needing.length).toBeGreaterThan(10);
  expect(isolated?.include).toEqual(needing);
  expect(shared?.exclude).toEqual(expect.arrayContaining(needing));
  expect(shared?.exclude?.filter((path) => tests.includes(path))).toEqual(needing);
});

interface ProjectTest {
  readonly isolate: boolean;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

/** Changes of the whole process that no one takes back. The way that is taken back stands next to each. */
const LASTING: readonly [RegExp, string][] = [
  [/\bprocess\.chdir\(/, "start a child process in the folder"],
  [/\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=[^=]|\bdelete process\.env\b/, "vi.stubEnv"],
  [/\bsetGlobalDispatcher\(/, "give the dispatcher to the one call"],
  [/\bglobalThis(?:\.\w+|\[[^\]]+\])\s*=[^=]/, "vi.stubGlobal"],
];

const ordinary = tests.filter((path) => path !== "test/arch/isolation.test.ts");

test.each(LASTING)("no test does what %s finds; it uses: %s", (pattern) => {
  expect(ordinary.filter((path) => pattern.test(readSource(path)))).toEqual([]);
});

it("who takes over the timers gives them back", () => {
  const received = ordinary.filter((path) => readSource(path).includes("vi.useFakeTimers("));
  expect(received.length).toBeGreaterThan(5);
  expect(received.filter((path) => !readSource(path).includes("vi.useRealTimers("))).toEqual([]);
});

it("each test that may be skipped says what it needs", () => {
  const places = filesBelow("test", [".test.ts", ".test.tsx", ".spec.ts"]).flatMap((path) =>
    readSource(path)
      .split(/\.(?:skipIf|runIf)\(/)
      .slice(1)
      .map((after) => [path, after.slice(0, 500).includes("needs(")] as const),
  );
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter(([, isNamed]) => !isNamed)).toEqual([]);
});
