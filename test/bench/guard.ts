import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import type { Agent } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkOut, lastRelease, type Checkout } from "./guard/checkout.ts";
import { inspect } from "./guard/inspected.ts";
import { canCountSystemCalls, countSystemCalls } from "./guard/system-calls.ts";
import { KEY, makeCalls, newAgent, startProvider, WORKLOADS, type Workload } from "./guard/workloads.ts";
import { adopt } from "./peers/processes.ts";
import { LOAD_CPU, SERVER_CPU } from "./peers/machine.ts";
import { startCommand } from "./start-command.ts";

/**
 * What a call, a stream, a translated stream, a large request and a start cost, next to an earlier version, in turns on
 * one machine: CPU time, which a busy machine changes less than time; bytes allocated and system calls, which it does
 * not change. Says where one grew by more than 3 %, and takes about two minutes.
 * `npm run bench:guard -- [OLDER: a commit or a folder, the last release unless named] [NEWER, this folder unless named]`
 */
const [older = lastRelease(), newer = join(import.meta.dirname, "../..")] = process.argv.slice(2);
const ROUNDS = 9;
const STARTS = 7;
const GROWTH = 1.03;
/** The part of the pairs that must have grown before a median of more than that is believed. */
const CLEARLY = 0.75;
/** Young generation that nothing outgrows between two looks, MiB. */
const ROOMY = 512;

interface Started extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly agent: Agent;
  /** CPU until the ready line, ms. */
  readonly startCpu: number;
  /** Of its inspector, where it has one. */
  readonly inspector: Promise<string>;
}

/** CPU of a process, all its threads, in µs: exact, where /proc/PID/stat counts in steps of 10 ms. */
function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e3;
}

/** `npm start -- --headless` without npm, on one CPU, until its ready line. */
async function start(folder: string, dataDir: string, providerPort: number, ...flags: string[]): Promise<Started> {
  const { PATH = "", HOME = "" } = process.env;
  const own = ["--headless", "--port", "0", "--data-dir", dataDir];
  const command = [...startCommand(folder, ...flags), ...own];
  const child = spawn("taskset", ["-c", String(SERVER_CPU), ...command], {
    env: {
      PATH,
      HOME,
      POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "bench", limit_usd: 1_000_000 }]),
      POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-upstream",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  adopt(child);
  const exited = once(child, "exit");
  const inspector = new Promise<string>((resolve) => {
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      if (text.length < 10_000) text += more;
      const address = /ws:\/\/\S+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
  });
  const [line] = (await Promise.race([
    once(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error(`${folder} did not start`))),
  ])) as [Buffer];
  const pid = child.pid ?? 0;
  const startCpu = cpuOf(pid) / 1_000;
  child.stdout.resume();
  const agent = newAgent();
  return {
    pid,
    port: Number(/127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]),
    agent,
    startCpu,
    inspector,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      child.kill("SIGTERM");
      await exited;
    },
  };
}

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;
/** Older and newer, in pairs. */
type Pairs = [number[], number[]];

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly pairs: Pairs;
}

function print(rows: readonly Row[]): void {
  console.log("\n| what | measured | older | newer | ratio | lowest to highest | |\n|---|---|---:|---:|---:|---:|---|");
  for (const { what, measured, pairs } of rows) {
    const ratios = pairs[1].map((figure, index) => figure / (pairs[0][index] ?? Number.NaN));
    const ratio = median(ratios);
    const grown = ratios.filter((one) => one > 1).length;
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const [first, second] = pairs.map((figures) => median(figures).toFixed(1));
    const mark = ratio <= GROWTH ? "" : grown >= ratios.length * CLEARLY ? "**grew**" : "unclear, run again";
    console.log(`| ${what} | ${measured} | ${first} | ${second} | ${ratio.toFixed(3)} | ${spread} | ${mark} |`);
  }
}

const provider = await startProvider();
const dirs = [0, 1].map(() => mkdtempSync(join(tmpdir(), "postern-guard-data-")));

/** Both in turns, the order changed in each round. */
const inTurns = async (rounds: number, one: (which: 0 | 1, round: number) => Promise<void>): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) await one(which, round);
  }
};

async function measureStarts(folders: readonly Checkout[]): Promise<Row> {
  const pairs: Pairs = [[], []];
  await inTurns(STARTS + 1, async (which, round) => {
    await using run = await start(folders[which]?.folder ?? "", dirs[which] ?? "", provider.port);
    // The first start makes the folder and the compile cache, which is written after a while; it is not counted.
    if (round > 0) pairs[which].push(run.startCpu);
    await sleep(round === 0 ? 4_000 : 100);
  });
  return { what: "a start", measured: "CPU to the ready line, ms", pairs };
}

async function measureCpu(runs: readonly Started[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workload of WORKLOADS) {
    const pairs: Pairs = [[], []];
    await inTurns(ROUNDS + 2, async (which, round) => {
      const run = runs[which];
      if (run === undefined) return;
      const before = cpuOf(run.pid);
      await makeCalls(run.port, run.agent, workload, workload.calls);
      if (round > 1) pairs[which].push((cpuOf(run.pid) - before) / workload.calls);
    });
    rows.push({ what: workload.name, measured: "CPU, µs", pairs });
  }
  return rows;
}

async function measureSystemCalls(runs: readonly Started[]): Promise<Row[]> {
  if (!canCountSystemCalls()) {
    console.log("System calls are not counted: strace is not installed.");
    return [];
  }
  const rows: Row[] = [];
  for (const workload of WORKLOADS) {
    const pairs: Pairs = [[], []];
    const calls = workload.calls / 2;
    await inTurns(5, async (which) => {
      const run = runs[which];
      if (run === undefined) return;
      const count = await countSystemCalls(run.pid, () => makeCalls(run.port, run.agent, workload, calls));
      pairs[which].push(count / calls);
    });
    rows.push({ what: workload.name, measured: "system calls", pairs });
  }
  return rows;
}

/** What a call allocates, in kB. Nothing is collected meanwhile, and a run in which something was is not counted. */
async function measureBytes(folders: readonly Checkout[]): Promise<Row[]> {
  const flags = [`--min-semi-space-size=${ROOMY}`, `--max-semi-space-size=${ROOMY}`, "--inspect=127.0.0.1:0"];
  const pairs = new Map<Workload, Pairs>(WORKLOADS.map((workload) => [workload, [[], []]]));
  await inTurns(1, async (which) => {
    await using run = await start(folders[which]?.folder ?? "", dirs[which] ?? "", provider.port, ...flags);
    using meter = await inspect(await run.inspector);
    for (const [workload, of] of pairs) {
      // Optimised code allocates less: what is measured is what a process does that has run for a while.
      await makeCalls(run.port, run.agent, workload, workload.calls);
      for (let tried = 0; tried < 20 && of[which].length < 5; tried += 1) {
        await meter.begin();
        await makeCalls(run.port, run.agent, workload, workload.countedCalls);
        const sum = await meter.end();
        if (sum !== null) of[which].push(sum / workload.countedCalls / 1_000);
      }
    }
  });
  return [...pairs].map(([{ name }, of]) => ({ what: name, measured: "allocated, kB", pairs: of }));
}

{
  using first = checkOut(older);
  using second = checkOut(newer);
  const folders = [first, second];
  // This program and the provider must not disturb the server's CPU.
  spawnSync("taskset", ["-acp", String(LOAD_CPU), String(process.pid)]);
  console.log(`${first.name} beside ${second.name}; load ${loadavg()[0]?.toFixed(1)}; Node ${process.version}`);
  const rows = [await measureStarts(folders)];
  {
    await using one = await start(first.folder, dirs[0] ?? "", provider.port);
    await using other = await start(second.folder, dirs[1] ?? "", provider.port);
    const runs = [one, other];
    rows.push(...(await measureCpu(runs)), ...(await measureSystemCalls(runs)));
  }
  rows.push(...(await measureBytes(folders)));
  print(rows);
  console.log(`\nload ${loadavg()[0]?.toFixed(1)}`);
}
provider.close();
for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
