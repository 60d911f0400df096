import { mkdirSync, mkdtempSync, rmSync, statSync, createWriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Sort } from "../../gateway/contract/list.ts";
import type { Search } from "../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { utcMonth } from "../../gateway/lib/clock.ts";
import { frame } from "../../gateway/store/disk/line.ts";
import { segmentName } from "../../gateway/store/disk/segments.ts";
import { getEntry } from "../../gateway/core/tasks/task-entry.ts";
import { Ledger } from "../../gateway/store/ledger/ledger.ts";
import type { ListMediaRows, ListTaskRows } from "../../gateway/store/ledger/questions.ts";
import { taskLogName } from "../../gateway/store/tasks/task-months.ts";
import { getSidecarPath, writeSidecar } from "../../gateway/store/media/sidecar.ts";
import { mediaOrigin } from "../support/media-samples.ts";
import { closedTask, taskId, taskOrder } from "../support/tasks.ts";

/**
 * What the index over receipts, tasks and results costs: CPU and time of a rebuild, memory, and for each question its time and the longest gap
 * of the event loop of who asks. `npx node test/bench/ledger.ts [RECEIPTS]`; a million unless given.
 */
const COUNT = Number(process.argv[2] ?? 1_000_000);
const TASKS = 10_000;
const MEDIA = 100_000;
/** Tasks of the document, which each list brings with it. */
const LIVE = 1_000;
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

function taskOf(index: number) {
  const at = Math.floor(NOW - SPAN_MS + (index / TASKS) * SPAN_MS);
  const prompt = `A lighthouse at dusk in gouache, with the beam just lit and the sea still bright, number ${index}.`;
  return closedTask({
    id: taskId(index, at),
    key: `key_${index % 9}`,
    created_at: at,
    operation: { id: `provider-${index}` },
    order: taskOrder({ prompt }),
  });
}

function writeResult(dir: string, index: number): void {
  const origin = mediaOrigin({
    request_id: `req_${index}`,
    model: `model-${index % 9}`,
    prompt: `A lighthouse at dusk in gouache, with the beam just lit and the sea still bright, number ${index}.`,
  });
  const sizes = { bytes: 1_000_000, sha256: index.toString(16).padStart(64, "0"), width: 4, height: 4 };
  const kind = { id: `media_${index}`, at: NOW + index, kind: "image", type: "image/png" } as const;
  const entry = { ...kind, ...sizes, duration_ms: null, origin };
  const path = getSidecarPath(join(dir, "media"), entry.id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, writeSidecar({ entry, extension: "png", place: (NOW + index) * 1_000 }));
}

/** Archived tasks and results of the library. */
function fillOthers(dir: string): void {
  for (const folder of ["tasks", "media"]) mkdirSync(join(dir, folder));
  const months = new Map<string, string[]>();
  for (let index = 0; index < TASKS; index += 1) {
    const task = taskOf(index);
    const month = utcMonth(task.created_at);
    months.set(month, [...(months.get(month) ?? []), frame(JSON.stringify(task))]);
  }
  for (const [month, lines] of months) writeFileSync(join(dir, "tasks", taskLogName(month)), lines.join(""));
  for (let index = 0; index < MEDIA; index += 1) writeResult(dir, index);
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
fillOthers(dir);
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

const live = Array.from({ length: LIVE }, (_, index) => getEntry(taskOf(TASKS + index), false));
const tasks = (query: Partial<ListTaskRows>) => (): Promise<unknown> =>
  ask("tasks.list", {
    live,
    isListed: false,
    sort: "created_at",
    order: "desc",
    limit: 50,
    offset: 0,
    after: null,
    ...query,
  });
const media = (query: Partial<ListMediaRows>) => async (): Promise<unknown> => {
  for (;;) {
    const responded = await ask("media.list", {
      limit: 50,
      before: null,
      offset: 0,
      hidden: [],
      changed: [],
      ...query,
    });
    if (responded.rebuilding === null) return responded;
  }
};

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
async function measureAll(all: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  for (const [name, question] of Object.entries(all)) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const times: number[] = [];
    for (let round = 0; round < (/^first|rebuild/.test(name) ? 1 : 3); round += 1) {
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
}

await measureAll(questions);
say(`memory ${mib(process.memoryUsage.rss() - calm)} more`);
const others: Record<string, () => Promise<unknown>> = {
  "tasks, with their rebuild": tasks({}),
  tasks: tasks({}),
  "tasks with a word": tasks({ q: "lighthouse 77" }),
  "tasks by cost": tasks({ sort: "nano" }),
  "a task by its provider's id": () =>
    ask("tasks.find", { by: "id", value: "provider-77", key: "key_1", connection: null }),
  "library, with its rebuild": media({}),
  library: media({}),
  "library with a word": media({ q: "lighthouse 777" }),
  "library of a model": media({ model: "model-3", kind: "image" }),
};
await measureAll(others);
say(`memory ${mib(process.memoryUsage.rss() - calm)} more`);
await again.close();
await delay(500);
say(`memory ${mib(process.memoryUsage.rss() - calm)} more when closed`);
