import { mkdirSync, mkdtempSync, rmSync, statSync, createWriteStream } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Sort } from "../../gateway/contract/list.ts";
import type { Search } from "../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { utcMonth } from "../../gateway/lib/clock.ts";
import { frame } from "../../gateway/store/disk/line.ts";
import { segmentName } from "../../gateway/store/disk/segments.ts";
import { Ledger } from "../../gateway/store/ledger/ledger.ts";

/**
 * What the index over receipts costs: CPU and time of a rebuild, memory, and for each question its time and the longest gap
 * of the event loop of who asks. `npx node test/bench/ledger.ts [RECEIPTS]`; a million unless told.
 */
const COUNT = Number(process.argv[2] ?? 1_000_000);
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 29);
const SPAN_MS = 365 * DAY_MS;
const MODELS = 40;
const CLIENTS = 9;
const TURNS = 40;

function receiptOf(index: number): Receipt {
  const model = `model-${String(Math.floor(MODELS * ((index * 0.618) % 1) ** 2)).padStart(2, "0")}`;
  const failed = index % 37 === 0;
  const app = index % CLIENTS;
  const id = `req_${index.toString(16).padStart(8, "0")}-0000-4000-8000-${((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(12, "0")}`;
  const input = 100 + (index % 9_000);
  const ms = 200 + ((index * 7_919) % 60_000);
  return {
    id,
    at: Math.floor(NOW - SPAN_MS + (index / COUNT) * SPAN_MS),
    key: `key_${app}`,
    endpoint: app % 3 === 0 ? "messages" : "chat",
    model,
    provider: `provider-${model.length % 3}`,
    connection: `con_${model.charCodeAt(7) % 5}`,
    client: `client-${app}`,
    status: failed ? 502 : 200,
    code: failed ? "upstream_unavailable" : null,
    outcome: failed ? "failed" : "completed",
    stream: true,
    ms,
    first_ms: ms / 4,
    wait_ms: 1,
    connect_ms: 0,
    attempts: 1,
    sandbox: false,
    estimated: false,
    terms: [
      { unit: "input", quantity: input, nano_per_million: 2_000_000_000, nano: input * 2_000 },
      { unit: "cached_input", quantity: input * 3, nano_per_million: 200_000_000, nano: input * 600 },
      { unit: "output", quantity: 400, nano_per_million: 8_000_000_000, nano: 3_200_000 },
    ],
    nano: input * 2_600 + 3_200_000,
    price: { source: "catalog", as_of: "2026-11-01" },
    ...(index % 3 === 0 && {
      session: `session-${Math.floor(index / (3 * TURNS))}`,
      project: `project-${Math.floor(index / (3 * TURNS)) % 5}`,
    }),
  };
}

async function fill(dir: string): Promise<number> {
  mkdirSync(join(dir, "usage"));
  let bytes = 0;
  let month = "";
  let file = createWriteStream("/dev/null");
  for (let index = 0; index < COUNT; index += 1) {
    const receipt = receiptOf(index);
    if (utcMonth(receipt.at) !== month) {
      month = utcMonth(receipt.at);
      file.end();
      file = createWriteStream(join(dir, "usage", segmentName(month)), { flags: "a" });
    }
    const line = frame(JSON.stringify({ n: index + 1, receipt }));
    bytes += line.length;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return bytes;
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const say = (...words: readonly unknown[]): void => void process.stdout.write(`${words.join(" ")}\n`);

const dir = mkdtempSync(join(tmpdir(), "postern-ledger-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
say(`${COUNT} receipts, ${mib(await fill(dir))}`);
global.gc?.();
await delay(200);
const before = process.memoryUsage.rss();
const ledger = new Ledger({ dir, readOnly: false, log: ({ message }) => say(message) });

const list = (search: Search, sort: Sort | null = null) =>
  ledger.ask("receipts.list", { search, sort, limit: 200, before: null, settledAfter: 0, recordedFrom: -Infinity });

let [from, used] = [performance.now(), cpu()];
let first = 0;
for (;;) {
  const { rebuilding } = await list({});
  first ||= performance.now() - from;
  if (rebuilding === null) break;
  await delay(200);
}
say(
  `rebuild ${((performance.now() - from) / 1e3).toFixed(1)} s, CPU ${((cpu() - used) / 1e3).toFixed(1)} s, first page after ${first.toFixed(0)} ms`,
);
say(`index ${mib(statSync(join(dir, "index.sqlite")).size)}, memory ${mib(process.memoryUsage.rss() - before)} more`);
await ledger.close();

const again = new Ledger({ dir, readOnly: false, log: ({ message }) => say(message) });
const ask = again.ask.bind(again);
await delay(200);
const calm = process.memoryUsage.rss();
const page =
  (search: Search, sort: Sort | null = null) =>
  () =>
    ask("receipts.list", { search, sort, limit: 200, before: null, settledAfter: 0, recordedFrom: -Infinity });
const activity = (search: Search, length: number) => () =>
  ask("receipts.activity", { search, from: search.since ?? NOW - SPAN_MS, length, buckets: 60 });
const sessions = (filter: object) => () => ask("receipts.sessions", { ...filter, limit: 100, before: null });
const desc = (by: Sort["by"]): Sort => ({ by, order: "desc" });

const questions: Record<string, () => Promise<unknown>> = {
  "first page, with the start of the thread": page({}),
  "newest 200": page({}),
  "of a model": page({ model: "model-03" }),
  failed: page({ status: "failed" }),
  "three filters at once": page({ model: "model-03", client: "client-5", status: "failed" }),
  "a filter that nothing passes": page({ model: "model-03", client: "client-5", key: "key_9" }),
  "a day a year ago": page({ since: NOW - 300 * DAY_MS, until: NOW - 299 * DAY_MS }),
  "a word of a model": page({ q: "MODEL-07" }),
  "a word of a session": page({ q: "session-4999" }),
  "a word that is nowhere": page({ q: "nowhere" }),
  "a part of an id": page({ q: "00f0f0" }),
  "by cost": page({}, desc("cost")),
  "by rate": page({}, desc("rate")),
  "by cost of a model in 30 days": page({ model: "model-03", since: NOW - 30 * DAY_MS }, desc("cost")),
  "a day in buckets": activity({ since: NOW - DAY_MS }, DAY_MS / 48),
  "30 days in buckets": activity({ since: NOW - 30 * DAY_MS }, DAY_MS / 2),
  "all time in buckets": activity({}, 7 * DAY_MS),
  sessions: sessions({}),
  "sessions of a project": sessions({ project: "project-3" }),
  "sessions with a word": sessions({ q: "model-07" }),
};
for (const [name, question] of Object.entries(questions)) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  for (let round = 0; round < (name.startsWith("first") ? 1 : 3); round += 1) {
    delays.enable();
    [from, used] = [performance.now(), cpu()];
    await question();
    times.push(performance.now() - from);
    await delay(5);
    delays.disable();
  }
  const gap = Math.max(0, delays.max / 1e6 - 1);
  say(
    `${name}: ${times.map((ms) => ms.toFixed(0)).join(", ")} ms, CPU ${(cpu() - used).toFixed(0)} ms, gap ${gap.toFixed(1)} ms`,
  );
}
say(`memory ${mib(process.memoryUsage.rss() - calm)} more`);
await again.close();
await delay(500);
say(`memory ${mib(process.memoryUsage.rss() - calm)} more when closed`);
