import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fillFolder, modelOf } from "./fill-folder.ts";
import { adopt } from "./peers/processes.ts";

/**
 * What every page's first queries cost the gateway, by hand: `npm run build && node test/bench/first-queries.ts [page …]`,
 * with `--folder D` for a data folder that is filled once and kept, `--of FOLDER` for another checkout that is built,
 * `--rounds 3`. A million requests, half of them of agents, 10,000 tasks, 100,000 results and 50,000 imported responses.
 * Each page has a process of its own: its queries are asked one after the other after a start, and again after a rest.
 * CPU of all threads of the gateway, until it has nothing more to do.
 */
const { values, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    of: { type: "string", default: join(import.meta.dirname, "../..") },
    rounds: { type: "string", default: "3" },
    rest: { type: "string", default: "30" },
  },
});
const AMOUNTS = { receipts: 1_000_000, tasks: 10_000, media: 100_000, models: 20, keys: 7, history: 50_000 };
/** After ready, until memory is looked at; and until the first query of other pages comes. */
const CALM_MS = 10_000;
const SOON_MS = 5_000;
const DAY_MS = 86_400_000;
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

const route = { name: "route-0", models: [modelOf(0), modelOf(1)] };
const effect = { ...route, rules: [{ when: { input_tokens_above: 20_000 }, models: [modelOf(2)], enabled: true }] };
const LOG = ["keys", "models", "usage?by=client", "usage?by=project", "running-requests", "recordings"];
const log = (filter: string): readonly string[] => [
  `requests?limit=50${filter}`,
  `requests/activity?${filter}`,
  ...LOG,
];
const series = (query: string): string => `usage/series?${query}`;

/** As the pages ask (a browser's log of them, 24 November 2026), below /control. With a body: a POST. */
const PAGES: Readonly<Record<string, readonly (string | readonly [string, unknown])[]>> = {
  frame: ["state", "connections", "tasks?offset=0&limit=100"],
  overview: [
    "usage?by=day",
    `requests?limit=50&status=failed&since=${Date.now() - 7 * DAY_MS}`,
    series("range=7d&by=model&groups=20&zone=UTC"),
    series("range=7d&by=client&groups=20&zone=UTC"),
    "keys",
    "models",
    "requests?limit=50",
    "budgets",
  ],
  models: ["models"],
  connections: ["local-servers", "presets", "found-keys"],
  keys: ["keys", series(`since=${day(24)}&by=key&groups=1`), series("range=30d&by=key&groups=1")],
  usage: [
    series("range=30d&by=model&groups=40"),
    "keys",
    series("range=30d&by=model&when=before&groups=1"),
    series("range=24h&by=model&groups=40"),
  ],
  "usage of a day": [series("range=24h&by=model&groups=40"), series("range=24h&by=model&when=before&groups=1")],
  history: [
    "history",
    `history/usage?since=${day(120)}&by=model`,
    ["history/what-if", { of: "both", since: day(30), to: "gpt-5.4-mini" }],
  ],
  requests: log(""),
  "requests of a model that failed": log(`&status=failed&model=${modelOf(3)}`),
  "requests with a word": log("&q=lighthouse"),
  "requests by cost": ["requests/top?by=cost&limit=100", ...log("")],
  sessions: ["sessions?limit=100", "sessions/session-00019996"],
  tasks: ["tasks?offset=0&limit=100", "tasks?q=dusk&limit=100", "keys", "models"],
  library: ["media?limit=100", "keys"],
  playground: ["models", `model-facts?model=gpt-5.4-mini`],
  routes: ["routes", "models", "settings", "keys", ["routes/effect", effect]],
  clients: ["clients"],
  mcp: ["mcp", "keys"],
  settings: [
    "settings",
    "models",
    "price-list",
    "budgets",
    "search",
    "telemetry",
    "backups",
    "address",
    "key-protection",
  ],
  import: ["imports"],
};

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** CPU of all threads that live, ms. Threads of the pool and of V8 stay. */
function worked(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** The same when nothing is done any more: twice 40 ms with less than a tenth of a millisecond. */
async function calm(pid: number): Promise<number> {
  for (let before = worked(pid), quiet = 0; ;) {
    await wait(40);
    const now = worked(pid);
    quiet = now - before < 0.1 ? quiet + 1 : 0;
    before = now;
    if (quiet === 2) return now;
  }
}

const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** CPU until the response is here, and until nothing that the query began is done any more, ms. */
interface Cost {
  readonly response: number;
  readonly all: number;
}

interface Gateway {
  readonly pid: number;
  readonly readyMs: number;
  readonly readyCpu: number;
  ask(query: string | readonly [string, unknown]): Promise<Cost>;
  stop(): Promise<void>;
}

async function start(dir: string): Promise<Gateway> {
  const from = performance.now();
  const options = ["main/start.mjs", "--headless", "--port", "0", "--json", "--data-dir", dir];
  const child = spawn(process.execPath, ["--max-semi-space-size=16", ...options], {
    cwd: resolve(values.of),
    env: { PATH: process.env["PATH"], HOME: dir, POSTERN_SANDBOX: "on" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  adopt(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const pid = child.pid ?? 0;
  const [readyMs, readyCpu] = [performance.now() - from, worked(pid)];
  child.stdout.resume();
  const { url, ui } = JSON.parse(line.toString()) as { readonly url: string; readonly ui: string };
  let bearer = "";
  const send = async (path: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${url}/control/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}`, "x-requested-with": "postern" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  return {
    pid,
    readyMs,
    readyCpu,
    async ask(query) {
      if (bearer === "") {
        const token = /token=([^&]+)/.exec(ui)?.[1];
        bearer = (JSON.parse(await send("session", { token })) as { readonly bearer: string }).bearer;
        await send("settings");
        await wait(300);
      }
      const before = await calm(pid);
      await (typeof query === "string" ? send(query) : send(...query));
      const response = worked(pid) - before;
      return { response, all: (await calm(pid)) - before };
    },
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

const root = await mkdtemp(join(tmpdir(), "postern-first-"));
const full = values.folder ?? join(root, "full");
if (!existsSync(join(full, "usage"))) {
  await fillFolder(full, AMOUNTS);
  // With a change, its end writes a generation of its own: those of other versions are read row by row.
  const gateway = await start(full);
  const scope = { kind: "client", name: "codex*" };
  await gateway.ask(["budgets", { scope, reset: "monthly", limit_usd: 900_000 }]);
  await gateway.stop();
}
try {
  const starts: Record<"full" | "empty", { ms: number[]; cpu: number[]; ready: number[]; calm: number[] }> = {
    full: { ms: [], cpu: [], ready: [], calm: [] },
    empty: { ms: [], cpu: [], ready: [], calm: [] },
  };
  const begin = async (name: "full" | "empty", dir: string, page: string): Promise<Gateway> => {
    const gateway = await start(dir);
    if (page !== "frame") {
      await wait(SOON_MS);
      return gateway;
    }
    starts[name].ms.push(gateway.readyMs);
    starts[name].cpu.push(gateway.readyCpu);
    starts[name].ready.push(resident(gateway.pid));
    await wait(CALM_MS);
    starts[name].calm.push(resident(gateway.pid));
    return gateway;
  };
  const rounds = Array.from({ length: Number(values.rounds) }, (_, index) => index);
  for (const [page, queries] of Object.entries(PAGES)) {
    if (only.length > 0 && !only.includes(page)) continue;
    const cold = queries.map((): Cost[] => []);
    const rested = queries.map((): Cost[] => []);
    for (const round of rounds) {
      if (page === "frame") await (await begin("empty", join(root, `empty-${round}`), page)).stop();
      const gateway = await begin("full", full, page);
      for (const [index, query] of queries.entries()) cold[index]?.push(await gateway.ask(query));
      await wait(Number(values.rest) * 1_000);
      for (const [index, query] of queries.entries()) rested[index]?.push(await gateway.ask(query));
      await gateway.stop();
    }
    console.log(page);
    for (const [index, query] of queries.entries()) {
      const of = (all: readonly (readonly Cost[])[], by: keyof Cost): string =>
        median((all[index] ?? []).map((cost) => cost[by]))
          .toFixed(1)
          .padStart(7);
      const [first, again] = [of(cold, "response") + of(cold, "all"), of(rested, "response") + of(rested, "all")];
      console.log(`  after a start ${first}, a rest ${again}  ${typeof query === "string" ? query : query[0]}`);
    }
  }
  for (const [name, { ms, cpu, ready, calm: later }] of Object.entries(starts)) {
    const memory = `${median(ready).toFixed(0)} MiB, ${median(later).toFixed(0)} MiB ${CALM_MS / 1_000} s later`;
    console.log(`${name}: ready after ${median(ms).toFixed(0)} ms, ${median(cpu).toFixed(0)} ms of CPU; ${memory}`);
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
