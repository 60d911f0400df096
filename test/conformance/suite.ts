import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../arch/source-tree.ts";

const PACKAGE = join(projectFolder, "node_modules/@modelcontextprotocol/conformance");

export type Revision = "2025-11-25" | "2026-07-28";

/** What a revision's frozen set asks of servers. */
export interface Requirements {
  readonly required: readonly string[];
  /** Run and reported, but nothing that conformance depends on: extensions, and what came after the set was frozen. */
  readonly unscored: readonly string[];
}

/** One thing that a scenario looked at. INFO is no verdict. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

export interface SuiteRun {
  /** 0 when every required scenario passed. */
  readonly exitCode: number | null;
  /** What the suite wrote, scenario by scenario. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
  /** Everything that the suite said. */
  readonly output: string;
}

/** Reads the set from the suite itself. */
export async function requirementsOf(revision: Revision): Promise<Requirements> {
  const text = await readFile(join(PACKAGE, "requirements", `${revision}.yaml`), "utf8");
  const required = /^server:\n((?: {2}- \S+\n)+)/m.exec(text)?.[1] ?? "";
  return {
    required: [...required.matchAll(/- (\S+)/g)].map(([, name = ""]) => name),
    unscored: [...text.matchAll(/- scenario: (\S+)\n {4}leg: server/g)].map(([, name = ""]) => name),
  };
}

/**
 * Runs a revision's set against a server. No file of expected failures is given: what fails, fails.
 * @param folder for the suite's results
 */
export async function runSuite(revision: Revision, url: string, folder: string): Promise<SuiteRun> {
  const argv = ["server", "--url", url, "--requirements", revision, "-o", folder];
  const child = spawn(process.execPath, [join(PACKAGE, "dist/index.js"), ...argv], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (output += part));
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, checks: await resultsIn(folder), output };
}

/** The suite leaves a folder for each scenario: `server-tools-list-2026-11-22T09-37-06-370Z/checks.json`. */
async function resultsIn(folder: string): Promise<Map<string, Check[]>> {
  const results = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    results.set(scenario, JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8")) as Check[]);
  }
  return results;
}

/** What keeps a scenario from being green, in words; empty when nothing does. Warnings and skipped checks do. */
export function flawsOf(checks: readonly Check[] | undefined): string[] {
  if (checks === undefined) return ["did not run"];
  if (!checks.some(({ status }) => status === "SUCCESS")) return ["checked nothing"];
  return checks
    .filter(({ status }) => status !== "SUCCESS" && status !== "INFO")
    .map(({ id, status, errorMessage = "" }) => `${status} ${id}: ${errorMessage}`);
}
