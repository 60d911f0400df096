import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer, request, type Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { checkOut } from "./guard/checkout.ts";
import { CONNECTIONS, newAgent } from "./guard/workloads.ts";
import { history, RESPONSES, SIZES, STREAMED, WAYS, type Size, type Way } from "./large/requests.ts";
import { LOAD_CPU, SERVER_CPU } from "./peers/machine.ts";
import { adopt } from "./peers/processes.ts";
import { startOptions } from "./start-command.ts";

/**
 * What requests as agents send them cost: CPU of the whole gateway process for each way through it and each size, with a
 * key that has limits and with one that has none, next to a bare `toString` and `JSON.parse` of the same bytes in the same
 * minutes; and the longest gap of its event loop while one passes next to a hundred streams. Several versions in turns.
 * `npx node test/bench/large.ts [FOLDER OR COMMIT …]`; this folder unless named. `WAYS=chat,…`, `SIZES=730 kB,…`, `PARTS=cpu` or
 * `gaps`, and `ROUNDS` make it shorter.
 */
const project = join(import.meta.dirname, "../..");
const named = process.argv.slice(2);
const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
/** Bytes of a window, so that the collector goes through the whole heap in each: fewer calls of what is large. */
const WINDOW = 60e6;
const STREAMS = 100;
const GAPS = 11;
const FREE = "sk-test-of-a-key-without-limits";
const LIMITED = "sk-test-of-a-key-with-limits";
const FLAGS = startOptions(join(import.meta.dirname, "../.."));
/**
 * In the gateway: tells the longest time between two turns of its event loop since it was last asked, in ms by the clock and
 * in ms of its thread's CPU time, which what else runs on the machine does not lengthen.
 */
const WATCH = `let at=performance.now(),cpu=process.threadCpuUsage(),gap=0,work=0;const sum=({user,system})=>(user+system)/1e3;
setInterval(()=>{const now=performance.now(),then=process.threadCpuUsage();gap=Math.max(gap,now-at);work=Math.max(work,sum(then)-sum(cpu));at=now;cpu=then;},1).unref();
process.on("SIGUSR2",()=>{process.stderr.write("\\ngap "+gap+" "+work+"\\n");gap=work=0;});`;

const chosen = (variable: string): ((name: string) => boolean) => {
  const names = process.env[variable]?.split(",");
  return (name) => names?.includes(name) ?? true;
};
const ways = WAYS.filter(({ name }) => chosen("WAYS")(name));
const sizes = SIZES.filter(({ name }) => chosen("SIZES")(name));
const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;

/** CPU of a process, all its threads, ms. */
function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** A provider of all dialects: answers a whole request at once, and a request to stream with an event each 10 ms. */
const provider = createServer((requested, response) => {
  const path = requested.url ?? "";
  if (path.endsWith("/models")) {
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"mock-chat"}]}');
    return;
  }
  if (requested.headers["content-length"] !== undefined && Number(requested.headers["content-length"]) < 1_000) {
    requested.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write(STREAMED), 10);
    response.on("close", () => clearInterval(timer));
    return;
  }
  const kind = path.endsWith("/messages") ? "messages" : path.endsWith("/responses") ? "responses" : "chat";
  requested.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" }).end(RESPONSES[kind]);
  });
});
provider.keepAliveTimeout = 60_000;
provider.listen(0, "127.0.0.1");
await once(provider, "listening");
const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

interface Gateway extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly agent: Agent;
  /** The longest gap of the event loop since it was last asked: ms by the clock, and of CPU. */
  gap(): Promise<{ readonly gap: number; readonly work: number }>;
}

async function start(folder: string, watched: boolean): Promise<Gateway> {
  const { PATH = "", HOME = "" } = process.env;
  const data = mkdtempSync(join(tmpdir(), "postern-large-"));
  const watch = watched ? ["--import", `data:text/javascript,${encodeURIComponent(WATCH)}`] : [];
  const own = [join(folder, "main/start.mjs"), "--headless", "--port", "0", "--data-dir", data];
  const child = spawn("taskset", ["-c", String(SERVER_CPU), process.execPath, ...FLAGS, ...watch, ...own], {
    env: {
      PATH,
      HOME,
      POSTERN_KEYS: JSON.stringify([
        { key: FREE, name: "free" },
        { key: LIMITED, name: "limited", limit_usd: 1_000_000 },
      ]),
      POSTERN_OPENAI_BASE_URL: `${origin}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-upstream",
      POSTERN_ANTHROPIC_BASE_URL: origin,
      POSTERN_ANTHROPIC_API_KEY: "sk-upstream",
      POSTERN_COMPATIBLE_BASE_URL: `${origin}/compatible/v1`,
      POSTERN_COMPATIBLE_API_KEY: "sk-upstream",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  adopt(child);
  const exited = once(child, "exit");
  child.stderr.setEncoding("utf8");
  const [line] = (await Promise.race([
    once(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error(`${folder} did not start`))),
  ])) as [Buffer];
  child.stdout.resume();
  child.stderr.resume();
  const agent = newAgent();
  return {
    pid: child.pid ?? 0,
    port: Number(/127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]),
    agent,
    async gap() {
      let text = "";
      const { promise, resolve } = Promise.withResolvers<RegExpExecArray>();
      const read = (more: string): void => {
        text += more;
        const reported = /\ngap (\S+) (\S+)\n/.exec(text);
        if (reported !== null) resolve(reported);
      };
      child.stderr.on("data", read);
      child.kill("SIGUSR2");
      const [, gap, work] = await promise;
      child.stderr.off("data", read);
      return { gap: Number(gap), work: Number(work) };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      child.kill("SIGTERM");
      await exited;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** One call, read to its end. @throws Error for another status than 200. */
function call(gateway: Gateway, way: Way, key: string, body: Buffer): Promise<void> {
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${key}`,
    "content-length": body.length,
  };
  const { port, agent } = gateway;
  return new Promise((resolve, reject) => {
    const requested = request(
      { port, host: "127.0.0.1", method: "POST", path: way.path, agent, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${way.name}: ${response.statusCode} ${text}`));
        });
      },
    );
    requested.on("error", reject).end(body);
  });
}

/** Calls, as many at a time as there are connections. */
async function makeCalls(gateway: Gateway, way: Way, key: string, body: Buffer, calls: number): Promise<void> {
  let left = calls;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await call(gateway, way, key, body);
    }),
  );
}

/** CPU of a bare `toString` and `JSON.parse`, ms: a process of its own with the gateway's flags, on the gateway's CPU. */
function bare(body: Buffer, times: number): number {
  const program = `const b=require("fs").readFileSync(0);const one=()=>JSON.parse(Buffer.from(b).toString());
    for(let i=0;i<${times};i++)one();const f=process.cpuUsage();for(let i=0;i<${times};i++)one();
    const{user,system}=process.cpuUsage(f);console.log((user+system)/1e3/${times})`;
  const argv = ["-c", String(SERVER_CPU), process.execPath, ...FLAGS, "-e", program];
  return Number(spawnSync("taskset", argv, { input: body }).stdout.toString());
}

async function cpuTable(runs: readonly Gateway[], names: readonly string[]): Promise<void> {
  const columns = names.flatMap((name) => [`${name}, no limit`, "of bare", `${name}, limited`, "of bare"]);
  console.log(`\n| way | size | bare, ms | ${columns.join(" | ")} |`);
  console.log(`|---|---|---:|${columns.map(() => "---:").join("|")}|`);
  for (const way of ways) {
    for (const size of sizes) {
      const body = history(way.dialect, way.model, size.bytes);
      const calls = Math.max(CONNECTIONS, Math.round(WINDOW / body.length));
      const bares: number[] = [];
      const figures = runs.map(() => [[], []] as [number[], number[]]);
      for (let round = 0; round < ROUNDS + 2; round += 1) {
        const reportCount = bare(body, calls);
        if (round > 1) bares.push(reportCount);
        for (let turn = 0; turn < runs.length; turn += 1) {
          const which = (turn + round) % runs.length;
          const run = runs[which] as Gateway;
          for (const [limited, key] of [FREE, LIMITED].entries()) {
            const before = cpuOf(run.pid);
            await makeCalls(run, way, key, body, calls);
            if (round > 1) figures[which]?.[limited]?.push((cpuOf(run.pid) - before) / calls);
          }
        }
      }
      const of = median(bares);
      const cells = figures.flatMap((both) =>
        both.flatMap((seen) => [median(seen).toFixed(2), (median(seen) / of).toFixed(2)]),
      );
      console.log(`| ${way.name} | ${size.name} | ${of.toFixed(3)} | ${cells.join(" | ")} |`);
    }
  }
}

/** The longest gap of the event loop next to a hundred streams, for each large request; the first column is without one. */
async function gapTable(folders: readonly string[], names: readonly string[]): Promise<void> {
  const largest = SIZES.at(-1) as Size;
  console.log(
    `\n| gap beside ${STREAMS} streams, ms of CPU (by the clock) | ${[...ways.map(({ name }) => name), "none"].join(" | ")} |`,
  );
  console.log(`|---|${[...ways, 0].map(() => "---:").join("|")}|`);
  for (const [index, folder] of folders.entries()) {
    await using run = await start(folder, true);
    const streams = Array.from({ length: STREAMS }, () =>
      request({
        port: run.port,
        host: "127.0.0.1",
        method: "POST",
        path: "/v1/chat/completions",
        headers: { "content-type": "application/json", authorization: `Bearer ${LIMITED}` },
      }).end('{"model":"gpt-4o-mini","stream":true,"messages":[{"role":"user","content":"Hi"}]}'),
    );
    await Promise.all(
      streams.map(async (stream) => {
        stream.on("error", () => undefined);
        const [response] = (await once(stream, "response")) as [NodeJS.ReadableStream];
        response.on("error", () => undefined).resume();
      }),
    );
    const cells: string[] = [];
    for (const way of [...ways, null]) {
      const body = way === null ? null : history(way.dialect, way.model, largest.bytes);
      const gaps: number[] = [];
      const works: number[] = [];
      for (let turn = 0; turn < GAPS + 5; turn += 1) {
        await run.gap();
        if (way === null || body === null) await new Promise((resolve) => setTimeout(resolve, 50));
        else await call(run, way, LIMITED, body);
        const { gap, work } = await run.gap();
        if (turn < 5) continue;
        gaps.push(gap);
        works.push(work);
      }
      cells.push(`${median(works).toFixed(1)} (${median(gaps).toFixed(1)})`);
    }
    for (const stream of streams) stream.destroy();
    console.log(`| ${names[index]} | ${cells.join(" | ")} |`);
  }
}

spawnSync("taskset", ["-acp", String(LOAD_CPU), String(process.pid)]);
const checkouts = (named.length === 0 ? [project] : named).map(checkOut);
const folders = checkouts.map(({ folder }) => folder);
const names = checkouts.map(({ name }) => name);
console.log(`${names.join(" beside ")}; load ${loadavg()[0]?.toFixed(1)}; Node ${process.version}`);
if (process.env["PARTS"] !== "gaps") {
  await using runs = new AsyncDisposableStack();
  const gateways: Gateway[] = [];
  for (const folder of folders) gateways.push(runs.use(await start(folder, false)));
  await cpuTable(gateways, names);
}
if (process.env["PARTS"] !== "cpu") await gapTable(folders, names);
for (const checkout of checkouts) checkout[Symbol.dispose]();
provider.close();
provider.closeAllConnections();
