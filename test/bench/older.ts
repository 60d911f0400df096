import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { adopt, cpuMicroseconds } from "./peers/processes.ts";

/**
 * What a call and a start cost, beside an older commit, in turns in one run: CPU time, which a busy machine changes
 * less than time. Both folders have been built (`npm run build`).
 * `node test/bench/older.ts FOLDER_OF_THE_OLDER [FOLDER_OF_THE_NEWER, this one unless told] [rounds] [starts]`
 */
const [older = "", newer = join(import.meta.dirname, "../.."), rounds = "9", starts = "9"] = process.argv.slice(2);
const CALLS = 1_000;
const CONNECTIONS = 8;
const SERVER_CPU = "0";

const RESPONSE = JSON.stringify({
  id: "chatcmpl-mock-0001",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "gpt-4o-mini-2024-07-18",
  choices: [
    { index: 0, message: { role: "assistant", content: "The quick brown fox. ".repeat(20) }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
});
const QUESTION = JSON.stringify({
  model: "gpt-4o-mini",
  messages: [{ role: "user", content: "The quick brown fox jumps over the lazy dog. ".repeat(16) }],
});

const provider = createServer((asked, response) => {
  asked.resume();
  asked.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(RESPONSE));
});
provider.listen(0, "127.0.0.1");
await once(provider, "listening");
const providerPort = (provider.address() as AddressInfo).port;

interface Started {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly readyMs: number;
  readonly readyCpuMs: number;
  stop(): Promise<void>;
}

/** `npm start -- --headless` without npm, on one CPU, until its ready line. */
async function start(name: string, folder: string, dataDir: string): Promise<Started> {
  const { PATH = "", HOME = "" } = process.env;
  const from = performance.now();
  const command = [process.execPath, "--max-semi-space-size=16", join(folder, "main/start.mjs")];
  const child = spawn("taskset", ["-c", SERVER_CPU, ...command, "--headless", "--port", "0", "--data-dir", dataDir], {
    env: {
      PATH,
      HOME,
      POSTERN_KEYS: JSON.stringify([{ key: "sk-test-of-the-benchmarks", name: "bench", limit_usd: 1_000_000 }]),
      POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-upstream",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  adopt(child);
  const exited = once(child, "exit");
  const [line] = (await Promise.race([
    once(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error(`${folder} did not start`))),
  ])) as [Buffer];
  const readyMs = performance.now() - from;
  const pid = child.pid ?? 0;
  const readyCpuMs = cpuMicroseconds(pid) / 1_000;
  child.stdout.resume();
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]);
  if (Number.isNaN(port)) throw new Error(`no address in: ${line.toString()}`);
  return {
    name,
    pid,
    port,
    readyMs,
    readyCpuMs,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** CPU of a process's main thread, in µs: exact, where `cpuMicroseconds` counts in steps of 10 ms. */
function mainThreadMicroseconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e3;
}

async function load({ port }: Started, agent: Agent, calls: number): Promise<void> {
  let left = calls;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request(
        {
          port,
          host: "127.0.0.1",
          method: "POST",
          path: "/v1/chat/completions",
          agent,
          headers: {
            "content-type": "application/json",
            authorization: "Bearer sk-test-of-the-benchmarks",
            "content-length": Buffer.byteLength(QUESTION),
          },
        },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
          response.resume().on("end", resolve);
        },
      );
      asked.on("error", reject).end(QUESTION);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await one();
    }),
  );
}

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;
const report = (name: string, unit: string, old: number[], now: number[]): void => {
  const ratios = now.map((figure, index) => figure / (old[index] ?? Number.NaN));
  const [first, last] = [Math.min(...ratios), Math.max(...ratios)];
  console.log(
    `${name}: older ${median(old).toFixed(1)} ${unit}, newer ${median(now).toFixed(1)} ${unit}; ` +
      `ratio of medians ${(median(now) / median(old)).toFixed(3)}, median of ratios ${median(ratios).toFixed(3)} ` +
      `(${first.toFixed(2)} to ${last.toFixed(2)})`,
  );
};
const loadNow = (): string =>
  loadavg()
    .map((figure) => figure.toFixed(1))
    .join(" ");

const dirs = [older, newer].map(() => mkdtempSync(join(tmpdir(), "postern-older-")));
const folders = [older, newer] as const;
console.log("load", loadNow());
if (Number(starts) > 0) {
  const ready: number[][] = [[], []];
  const cpu: number[][] = [[], []];
  for (let round = 0; round <= Number(starts); round += 1) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const which of order) {
      const run = await start("", folders[which] ?? "", dirs[which] ?? "");
      // The first start makes the folder and the compile cache; it is not counted.
      if (round > 0) {
        ready[which]?.push(run.readyMs);
        cpu[which]?.push(run.readyCpuMs);
      }
      await sleep(round === 0 ? 5_000 : 300);
      await run.stop();
    }
  }
  report("start to the ready line", "ms", ready[0] ?? [], ready[1] ?? []);
  report("CPU of a start to the ready line", "ms", cpu[0] ?? [], cpu[1] ?? []);
  console.log("load", loadNow());
}
if (Number(rounds) > 0) {
  const runs = [await start("older", older, dirs[0] ?? ""), await start("newer", newer, dirs[1] ?? "")];
  const agents = runs.map(() => new Agent({ keepAlive: true, maxSockets: CONNECTIONS }));
  const all: number[][] = [[], []];
  const main: number[][] = [[], []];
  for (let round = -2; round < Number(rounds); round += 1) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const which of order) {
      const run = runs[which];
      const agent = agents[which];
      if (run === undefined || agent === undefined) continue;
      const before = [cpuMicroseconds(run.pid), mainThreadMicroseconds(run.pid)];
      await load(run, agent, CALLS);
      if (round < 0) continue;
      all[which]?.push((cpuMicroseconds(run.pid) - (before[0] ?? 0)) / CALLS);
      main[which]?.push((mainThreadMicroseconds(run.pid) - (before[1] ?? 0)) / CALLS);
    }
  }
  report("CPU of a chat call, all threads", "µs", all[0] ?? [], all[1] ?? []);
  report("CPU of a chat call, main thread", "µs", main[0] ?? [], main[1] ?? []);
  console.log("load", loadNow());
  for (const agent of agents) agent.destroy();
  for (const run of runs) await run.stop();
}
provider.close();
for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
