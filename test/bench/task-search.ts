import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ListTasks } from "../../gateway/contract/tasks.ts";
import type { TaskRecord } from "../../gateway/core/tasks/task.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { Events } from "../../gateway/services/events.ts";
import { TaskRepository } from "../../gateway/store/tasks/task-repository.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { openStore } from "../../gateway/store/open-store.ts";
import { TaskArchive } from "../../gateway/store/tasks/task-archive.ts";
import { closedTask, taskId, taskOrder, taskReceipt } from "../support/tasks.ts";

/**
 * How long 100,000 archived tasks and 1,000 in the document take to open, to search and to page through.
 * `node test/bench/task-search.ts [archived] [folder to keep]`
 */
const ARCHIVED = Number(process.argv[2] ?? 100_000);
const LIVE = 1_000;
const KEPT = process.argv[3];
const FIRST = Date.UTC(2025, 0, 1);
const APART_MS = 5 * 60_000;
const ROUNDS = 60;
const WORDS = (
  "a lighthouse at dusk painted in gouache with the beam just lit and sea still bright over harbour boats slow dolly " +
  "camera cinematic wide shot drone golden hour mist rolling fog city neon rain reflections cat dog astronaut walking " +
  "through forest ancient temple wind desert dunes storm ocean waves rocks sunset purple sky woman red dress dancing"
).split(" ");

let seed = 7;
const random = (most: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return (seed >>> 8) % most;
};

function task(index: number): TaskRecord {
  const at = FIRST + index * APART_MS;
  const prompt = `${Array.from({ length: 45 }, () => WORDS[random(WORDS.length)]).join(" ")} ${index}`;
  const phase = index % 10 === 0 ? "failed" : "succeeded";
  const nano = phase === "failed" ? 0 : (1 + random(500)) * 10_000_000;
  const id = taskId(index, at);
  return closedTask({
    id,
    request_id: `req_${index}`,
    key: `key_${random(5)}`,
    model: `model-${random(7)}`,
    created_at: at,
    finished_at: at + 30_000 + random(600_000),
    phase,
    operation: { id: index % 4 === 0 ? `cgt-${index}` : `provider-${index}` },
    order: taskOrder({ prompt, request: { model: "alpha2.6-t2v", input: { prompt }, duration: 5 } }),
    native: { output: { task_status: "SUCCEEDED", video_url: `https://results.example/${"x".repeat(300)}`, prompt } },
    bill: { receipt: taskReceipt({ id: `req_${index}`, at, nano }), counted: true },
  });
}

const dir = KEPT ?? (await mkdtemp(join(tmpdir(), "postern-bench-")));
const log = (): void => undefined;
const options = { dir, clock: systemClock, log };
{
  const store = await openStore({ ...options, sealer: fileSealer() });
  const archive = await TaskArchive.open({ ...options, readOnly: false });
  for (let start = 0; start < ARCHIVED; start += 1_000) {
    await archive.add(Array.from({ length: Math.min(1_000, ARCHIVED - start) }, (_, offset) => task(start + offset)));
  }
  await archive.close();
  await store.commit(
    Array.from({ length: LIVE }, (_, offset) => ({ op: "put", in: "tasks", record: task(ARCHIVED + offset) }) as const),
  );
  await store.close();
}

const collect = (globalThis as { gc?: () => void }).gc ?? ((): void => undefined);
collect();
const heap = process.memoryUsage().heapUsed;
/** Milliseconds that this thread has worked: what else the machine does is not in them. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
/** The longest time between two turns of the event loop, by the wall and by work. */
const gap = { wall: 0, work: 0 };
let last = { wall: performance.now(), work: worked() };
let watching = true;
const forgetGap = (): void => {
  last = { wall: performance.now(), work: worked() };
  Object.assign(gap, { wall: 0, work: 0 });
};
const gapText = (): string => `longest gap ${gap.wall.toFixed(1)} ms (${gap.work.toFixed(1)} of work)`;
const watch = (): void => {
  const now = { wall: performance.now(), work: worked() };
  gap.wall = Math.max(gap.wall, now.wall - last.wall);
  gap.work = Math.max(gap.work, now.work - last.work);
  last = now;
  if (watching) setImmediate(watch);
};
const started = performance.now();
const store = await openStore({ ...options, sealer: fileSealer() });
const storeMs = performance.now() - started;
const repository = new TaskRepository({
  dataDir: dir,
  store,
  clock: systemClock,
  log: silentLog,
  events: new Events(),
  notices: { add: (_level, message) => console.log(message) },
});
forgetGap();
watch();
const before = worked();
repository.start();
await repository.find("nothing", null);
const opened = performance.now() - started - storeMs;
const openingWork = worked() - before;
const openingGap = gapText();
collect();
const kept = process.memoryUsage().heapUsed - heap;

async function time(name: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const works: number[] = [];
  await work();
  forgetGap();
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    const workedFrom = worked();
    await work();
    times.push(performance.now() - from);
    works.push(worked() - workedFrom);
    await new Promise(setImmediate);
  }
  console.log(`${name}: ${percentiles(times)}; of work ${percentiles(works)}; ${gapText()}`);
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `p50 ${sorted[sorted.length >> 1]?.toFixed(1)}, p99 ${sorted.at(-1)?.toFixed(1)} ms`;
}

console.log(`${LIVE} + ${ARCHIVED} tasks: the document opened in ${storeMs.toFixed(0)} ms`);
console.log(`the archive opened in ${opened.toFixed(0)} ms (${openingWork.toFixed(0)} of work), ${openingGap}`);
console.log(`${(kept / 1024 ** 2).toFixed(0)} MiB kept in memory`);
const middle = FIRST + (ARCHIVED / 2) * APART_MS;
const searches: Readonly<Record<string, ListTasks>> = {
  "newest 50": {},
  "50 from the middle": { offset: ARCHIVED / 2 },
  "500 from the middle": { offset: ARCHIVED / 2, limit: 500 },
  "a word that is everywhere": { q: "lighthouse" },
  "three words": { q: "the lighthouse neon" },
  "a word that is nowhere": { q: "zebra" },
  "one number": { q: String(Math.floor(ARCHIVED / 3)) },
  "by cost, dearest first, of a key and a model": { sort: "nano", key: "key_3", model: "model-2" },
  "by the end, oldest first, that failed, in a year": {
    sort: "finished_at",
    order: "asc",
    status: "failed",
    since: middle,
    until: middle + 365 * 86_400_000,
  },
  "at least 4 USD with a word": { min_nano: 4_000_000_000, q: "astronaut" },
};
for (const [name, query] of Object.entries(searches)) await time(`search: ${name}`, () => repository.search(query));
const deep = taskId(Math.floor(ARCHIVED / 4), FIRST + Math.floor(ARCHIVED / 4) * APART_MS);
await time("list: 20 newest of a key", () => repository.list({ key: "key_1", limit: 20 }));
await time("list: 20 after a deep cursor", () => repository.list({ key: null, limit: 20, after: deep }));
await time("list: 100 failed of a model", () =>
  repository.list({ key: null, limit: 100, status: "failed", models: ["model-5"] }),
);
await time("find: an archived task", () => repository.find(deep, null));
await time("find: one by the provider's id", () => repository.find("cgt-4000", null));
watching = false;
await repository.close();
await store.close();
if (KEPT === undefined) await rm(dir, { recursive: true, force: true });
