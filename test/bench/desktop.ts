import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { electronHere, members, projectFolder, startPostern, threadCpu } from "./desktop/app.ts";
import type { Member, Started } from "./desktop/app.ts";
import { measureRest } from "./desktop/rest.ts";
import { measureStarts } from "./desktop/start.ts";
import { askingOf } from "./peers/contenders.ts";
import { loadWhole, type WholeLoad } from "./peers/load.ts";
import { median } from "./peers/bars.ts";
import { startMocks } from "./peers/mocks.ts";
import { startCommand } from "./start-command.ts";

/**
 * The desktop app beside headless, by hand, where there is an Electron and a display:
 * `npm run build && npx node test/bench/desktop.ts [--parts load,memory,start]`. Prints what it measured; nothing
 * is judged. docs/benchmarks.md has the figures.
 */
const { values: options } = parseArgs({
  options: {
    parts: { type: "string", default: "load,memory,start" },
    rounds: { type: "string", default: "3" },
    /** Seconds under load before anything is counted, and seconds of each measurement. */
    "warm-up": { type: "string", default: "4" },
    window: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
    /** Pages that the window shows under load, one app each. */
    pages: { type: "string", default: "overview,requests" },
    starts: { type: "string", default: "5" },
  },
});
const parts = new Set(options.parts.split(","));
const KEY = { key: "sk-test-of-the-benchmarks", name: "bench", limit_usd: 1_000_000 };

const folder = mkdtempSync(join(tmpdir(), "postern-desktop-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
console.log(`${cpus().length} x ${cpus()[0]?.model ?? "CPU"}, load before ${(loadavg()[0] ?? 0).toFixed(2)}`);

// Debian keeps nginx where only root looks.
process.env["PATH"] += ":/usr/sbin";
await using mocks = await startMocks(folder);
const env = {
  POSTERN_KEYS: JSON.stringify([KEY]),
  POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${mocks.wholePort}/v1`,
  POSTERN_OPENAI_API_KEY: "sk-upstream",
};
const headlessCommand = [...startCommand(projectFolder), "--headless"];
const appCommand = [electronHere(), join(projectFolder, "out/main/index.mjs")];
/** What the app is given to show a page, or no window. */
const showing = (page: string | null): string[] =>
  page === null ? ["--hidden"] : ["--", `postern://open?page=${page}`];
const dataDir = (name: string): string => {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  return dir;
};
const start = (name: string, page: string | null = null): Promise<Started> =>
  name === "headless"
    ? startPostern(headlessCommand, dataDir(name), [], env)
    : startPostern(appCommand, dataDir(name), showing(page), env);
const tools = { folder, sseload: "" };
const load = (app: Started, seconds: number): Promise<WholeLoad> => {
  const target = { port: Number(new URL(app.url).port), asking: askingOf("postern", "chat", mocks.wholePort) };
  return loadWhole(tools, target, Number(options.connections), seconds);
};
const number = (value: number, digits = 0): string => value.toFixed(digits).padStart(9);

/** What one window of load cost, in µs of CPU a request: the gateway's thread, and each kind of process. */
interface Cost {
  readonly load: WholeLoad;
  readonly cpu: Readonly<Record<string, number>>;
}

const THREAD = "gateway's thread";

function cpuNow(pid: number): Record<string, number> {
  const cpu: Record<string, number> = { [THREAD]: threadCpu(pid) };
  for (const { role, cpuUs } of members(pid)) cpu[role] = (cpu[role] ?? 0) + cpuUs;
  return cpu;
}

async function measureOnce(app: Started): Promise<Cost> {
  await sleep(500);
  const before = cpuNow(app.pid);
  const seen = await load(app, Number(options.window));
  const spent = Object.entries(cpuNow(app.pid)).map(([role, us]) => [role, (us - (before[role] ?? 0)) / seen.requests]);
  return { load: seen, cpu: Object.fromEntries(spent) };
}

/** Each app beside headless, turn by turn. One window at a time: what is covered paints nothing. */
async function measureLoad(): Promise<void> {
  console.log(`\nLoad at ${options.connections} connections; CPU in µs a request`);
  await using headless = await start("headless");
  await load(headless, Number(options["warm-up"]));
  for (const name of ["hidden", ...options.pages.split(",")]) {
    await using app = await start(name, name === "hidden" ? null : name);
    await load(app, Number(options["warm-up"]));
    const pairs: { app: Cost; headless: Cost }[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      const first = round % 2 === 0 ? await measureOnce(app) : null;
      const other = await measureOnce(headless);
      pairs.push({ app: first ?? (await measureOnce(app)), headless: other });
    }
    const share = median(pairs.map((pair) => pair.app.load.perSecond / pair.headless.load.perSecond));
    const p99 = median(pairs.map((pair) => pair.app.load.p99 / pair.headless.load.p99));
    console.log(`${name}: ${share.toFixed(2)} of headless's requests/s, ${p99.toFixed(2)} of its p99`);
    for (const who of ["headless", "app"] as const) {
      const of = (pick: (one: Cost) => number): number => median(pairs.map((pair) => pick(pair[who])));
      const cpu = Object.keys(pairs[0]?.[who].cpu ?? {})
        .map((role) => `${role} ${of((one) => one.cpu[role] ?? 0).toFixed(0)}`)
        .join(", ");
      const loads = `${number(of((one) => one.load.perSecond))}/s, p50 ${of((one) => one.load.p50 / 1_000).toFixed(1)} ms`;
      const errors = pairs.reduce((sum, pair) => sum + pair[who].load.errors, 0);
      console.log(
        `  ${who.padEnd(9)}${loads}, p99 ${of((one) => one.load.p99 / 1_000).toFixed(1)} ms, ${errors} errors; ${cpu}`,
      );
    }
  }
}

/** A process a line; the sum takes RSS where PSS may not be read. */
function printMemory(title: string, found: readonly Member[]): void {
  const sum = (pick: (one: Member) => number): string => found.reduce((all, one) => all + pick(one), 0).toFixed(0);
  console.log(`${title}: ${sum((one) => one.pssMb ?? one.rssMb)} PSS, ${sum((one) => one.rssMb)} RSS`);
  for (const { role, pssMb, rssMb } of found) {
    console.log(`  ${role.padEnd(20)}${pssMb === null ? "        –" : number(pssMb)}${number(rssMb)}`);
  }
}

async function measureMemory(): Promise<void> {
  console.log("\nMemory, MB: PSS, RSS");
  for (const name of ["headless", "hidden"] as const) {
    await using app = await start(name);
    await sleep(5_000);
    printMemory(name, members(app.pid));
  }
  const { before, after, backMs } = await measureRest(Number(options.starts));
  printMemory("window", before);
  printMemory("window, hidden for a while", after);
  console.log(`\nFrom the tray to a page with data, after the window was let go of: ${backMs.toFixed(0)} ms`);
}

async function measureAllStarts(): Promise<void> {
  console.log("\nFrom the command, ms: ready, window loads, page with data");
  const commands: Readonly<Record<string, readonly string[]>> = {
    "npm start": ["npm", "start", "--silent", "--"],
    "node main/start.mjs": startCommand(projectFolder),
  };
  for (const [name, command] of Object.entries(commands)) {
    const { ready, loading, data } = await measureStarts(folder, command, Number(options.starts));
    console.log(`${name.padEnd(20)}${number(ready)}${number(loading)}${number(data)}`);
  }
}

if (parts.has("load")) await measureLoad();
if (parts.has("memory")) await measureMemory();
if (parts.has("start")) await measureAllStarts();
process.exit();
