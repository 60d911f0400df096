import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { filesBelow, readSource } from "./arch/source-tree.ts";
import { listMutants, type Mutant, sampleMutants } from "./run/mutate.ts";
import { projectFolder } from "./run/program.mjs";

/**
 * `npm run test:mutants -- FOLDER… [--tests PATH]… [--count N] [--seed N] [--list]`: plants small mistakes in the
 * sources of a folder, one at a time, and prints those that no test of the folder notices. The tree stays untouched.
 */

const USAGE = "npm run test:mutants -- FOLDER… [--tests PATH]… [--count N] [--seed N] [--list]";
/** Test runs at the same time: one takes a process for Vite and one for the tests. */
const WORKERS = 2;
/** A mutant that loops for ever counts as noticed after this many times the time without a mutant. */
const MAX_SLOWDOWN = 5;
/** Milliseconds that are always waited for a mutated run. */
const MIN_TIMEOUT_MS = 30_000;

interface Placed extends Mutant {
  readonly file: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    list: { type: "boolean", default: false },
  },
});
const sources = positionals.map((path) => relative(projectFolder, resolve(path)));
const tests = values.tests ?? sources.map((path) => `test/${path.replace(/\.tsx?$/u, "")}`);
if (sources.length === 0) throw new Error(`A folder or file is missing. Usage: ${USAGE}`);
const absent = [...sources, ...tests].filter((path) => !existsSync(join(projectFolder, path)) && !hasTests(path));
if (absent.length > 0) throw new Error(`${absent.join(", ")}: not found. Name the tests with --tests.`);

function hasTests(path: string): boolean {
  return [".test.ts", ".test.tsx"].some((ending) => existsSync(join(projectFolder, path + ending)));
}

const files = sources.flatMap((path) => (/\.tsx?$/u.test(path) ? [path] : filesBelow(path, [".ts", ".tsx"])));
const all = files.flatMap((file): Placed[] =>
  listMutants(readSource(file), file).map((mutant) => ({ ...mutant, file })),
);
const chosen = sampleMutants(all, Number(values.count), Number(values.seed));

if (values.list) for (const mutant of chosen) console.log(describeMutant(mutant));
else await runMutants();

async function runMutants(): Promise<void> {
  console.log(`${all.length} mutants in ${files.length} files; ${chosen.length} of them against ${tests.join(" ")}`);
  const from = performance.now();
  if ((await runTests(null, Infinity)) !== "passed")
    throw new Error("The tests fail without a mutant. Repair them first.");
  const timeout = Math.max(MIN_TIMEOUT_MS, MAX_SLOWDOWN * (performance.now() - from));
  const queue = chosen.values();
  const survivors: Placed[] = [];
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (const mutant of queue) {
        if ((await runTests(mutant, timeout)) !== "passed") continue;
        survivors.push(mutant);
        console.log(`survived  ${describeMutant(mutant)}`);
      }
    }),
  );
  const killed = chosen.length - survivors.length;
  console.log(`${killed} of ${chosen.length} mutants killed (${Math.round((100 * killed) / chosen.length)} %)`);
}

function describeMutant({ kind, file, start, end, replacement }: Placed): string {
  const source = readSource(file);
  const line = source.slice(0, start).split("\n").length;
  const before = source.slice(start, end).replaceAll(/\s+/gu, " ").slice(0, 80);
  return `${file}:${line} ${kind}: ${before} → ${replacement.replaceAll(/\s+/gu, " ").slice(0, 80)}`;
}

/** Runs the tests with a mutant and ends the run at the first failure or after `timeout` milliseconds. */
async function runTests(mutant: Placed | null, timeout: number): Promise<"passed" | "failed"> {
  const argv = [
    "run",
    "--config",
    "test/run/mutants.config.ts",
    "--bail=1",
    "--maxWorkers=1",
    "--reporter=dot",
    ...tests,
  ];
  const child = spawn(process.execPath, [join(projectFolder, "node_modules/vitest/vitest.mjs"), ...argv], {
    cwd: projectFolder,
    env: { ...process.env, POSTERN_TEST_MUTANT: JSON.stringify(mutant) },
    stdio: "ignore",
    // A group of its own, so that a worker in an endless loop ends with it.
    detached: true,
  });
  const timer = timeout === Infinity ? undefined : setTimeout(() => killGroup(child), timeout);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  return code === 0 ? "passed" : "failed";
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
