import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../gateway/lib/log.ts";
import { filesBelow } from "../arch/source-tree.ts";
import { startConformanceServer, type ConformanceServer } from "./server.ts";
import { flawsOf, requirementsOf, runSuite, type Requirements, type Revision, type SuiteRun } from "./suite.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
/** An extension that Postern does not offer: its videos have tasks of their own. */
const isOffered = (scenario: string): boolean => !scenario.startsWith("tasks-");

const logged: string[] = [];
let server: ConformanceServer;
let folder: string;
const sets = new Map<Revision, Requirements>();
const runs = new Map<Revision, SuiteRun>();

// Both at once, against one gateway: clients of both eras are what it serves.
beforeAll(async () => {
  server = await startConformanceServer(createLog((lines) => void logged.push(lines), Date.now));
  folder = await mkdtemp(join(tmpdir(), "postern-conformance-results-"));
  await Promise.all(
    REVISIONS.map(async (revision) => {
      sets.set(revision, await requirementsOf(revision));
      const results = await mkdtemp(join(folder, "run-"));
      runs.set(revision, await runSuite(revision, server.suiteUrl, results));
    }),
  );
}, 180_000);

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Scenarios that are not green, with why. */
function flawed(revision: Revision, scenarios: readonly string[]): [string, string[]][] {
  return scenarios
    .map((name): [string, string[]] => [name, flawsOf(runs.get(revision)?.checks.get(name))])
    .filter(([, flaws]) => flaws.length > 0);
}

describe.each([
  ["2025-11-25", 30],
  ["2026-07-28", 37],
] as const)("the official conformance suite, %s", (revision, size) => {
  it(`finds all ${size} required scenarios green`, () => {
    const required = sets.get(revision)?.required ?? [];
    expect(flawed(revision, required)).toEqual([]);
    expect(required).toHaveLength(size);
    expect(runs.get(revision)?.exitCode, runs.get(revision)?.output.slice(-2_000)).toBe(0);
  });

  it("finds what it does not score green, too", () => {
    const offered = sets.get(revision)?.unscored.filter(isOffered) ?? [];
    expect(flawed(revision, offered)).toEqual([]);
    expect(offered).toHaveLength(3);
  });
});

it("came through the product's own key check: without the key there is no response", async () => {
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  await response.body?.cancel();
  expect(response.status).toBe(401);
});

it("met no mistake of the gateway on the way", () => {
  const lines = logged.join("").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it("excuses nothing: there is no file of expected failures", () => {
  expect(filesBelow("test", [".yml", ".yaml"])).toEqual([]);
});
