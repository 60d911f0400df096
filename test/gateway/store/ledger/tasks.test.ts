import { appendFile, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listTasksSchema, type ListTasks } from "../../../../gateway/contract/tasks.ts";
import { getEntry } from "../../../../gateway/core/tasks/task-entry.ts";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { utcMonth } from "../../../../gateway/lib/clock.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { Ledger } from "../../../../gateway/store/ledger/ledger.ts";
import { taskLogName } from "../../../../gateway/store/tasks/task-months.ts";
import { TaskRepository, type ListVideoTasks } from "../../../../gateway/store/tasks/task-repository.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { TASK_AT, closedTask, taskOrder, taskReceipt, taskRecord } from "../../../support/tasks.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { seededRandom } from "../fixtures.ts";
import { LocalLedger } from "./local-ledger.ts";

const MONTH_MS = 31 * 86_400_000;

interface Sample {
  readonly id: string;
  readonly key?: string;
  readonly model?: string;
  readonly running?: boolean;
  readonly failed?: boolean;
  readonly createdAt?: number;
  readonly finishedAt?: number | null;
  readonly nano?: number | null;
  readonly prompt?: string;
  readonly providerId?: string | null;
  readonly requestId?: string;
  readonly name?: string;
  readonly deleted?: boolean;
}

function makeTask(sample: Sample): TaskRecord {
  const {
    id,
    key = "a",
    model = "m",
    createdAt = 0,
    finishedAt = 0,
    nano = 0,
    prompt = "",
    providerId = null,
  } = sample;
  const { running = false, failed = false, deleted = false, name, requestId = `req_${id}` } = sample;
  return {
    ...(running ? taskRecord() : closedTask()),
    id,
    key,
    model,
    request_id: requestId,
    created_at: TASK_AT + createdAt,
    phase: running ? "running" : failed ? "failed" : "succeeded",
    finished_at: running || finishedAt === null ? null : TASK_AT + finishedAt,
    order: taskOrder({ prompt }),
    operation: providerId === null ? null : { id: providerId },
    bill: nano === null ? null : { receipt: taskReceipt({ nano }), counted: true },
    idempotency: name === undefined ? null : { key: name, hash: id },
    deleted_at: deleted ? TASK_AT : null,
  };
}

let dir = "";
let ledger: LocalLedger;
const opened: TaskRepository[] = [];
const closeAll = (): Promise<unknown> => Promise.all(opened.splice(0).map((repository) => repository.close()));
beforeEach(async () => {
  dir = await temporaryFolder();
  await mkdir(join(dir, "tasks"));
  ledger = new LocalLedger(dir);
});
afterEach(async () => {
  await closeAll();
  await ledger.close();
  await rm(dir, { recursive: true, force: true });
});

/** A repository of these tasks of the document, over the files of the folder. */
function open(live: readonly TaskRecord[], request: Pick<Ledger, "ask" | "onDamage"> = ledger): TaskRepository {
  const document = { tasks: new Map(live.map((task) => [task.id, task])) };
  const repository = new TaskRepository({
    dataDir: dir,
    clock: new TestClock(),
    log: silentLog,
    notices: { add: () => undefined },
    events: { hears: () => false, emit: () => undefined },
    store: { document, ledger: request, frozen: false, transact, waitUntilSettled: () => Promise.resolve() } as never,
  });
  opened.push(repository);
  return repository;
}

const transact = (_records: unknown, work: (commit: () => Promise<void>) => Promise<unknown>): Promise<unknown> =>
  work(() => Promise.resolve());

async function archive(tasks: readonly TaskRecord[]): Promise<void> {
  for (const task of tasks)
    await appendFile(join(dir, "tasks", taskLogName(utcMonth(task.created_at))), frame(JSON.stringify(task)));
}

/** An index that cannot be asked: what is read then is the files. */
const refusing = { ask: () => Promise.reject(new Error("refused")), onDamage: () => undefined };

const listed = (tasks: readonly TaskRecord[]): string => tasks.map(({ id }) => id.replace("vt_", "")).join(" ");

describe("what a search finds", () => {
  const tasks = [
    makeTask({ id: "vt_1", createdAt: 10, prompt: "a lighthouse at Dusk", model: "alpha", nano: 50, finishedAt: 90 }),
    makeTask({
      id: "vt_2",
      createdAt: 20,
      prompt: "ein Leuchtturm. ÉTÉ 🚢 灯台",
      key: "b",
      nano: null,
      finishedAt: 30,
    }),
    makeTask({ id: "vt_3", createdAt: 30, running: true, nano: null, prompt: "dusk over the harbour" }),
    makeTask({ id: "vt_4", createdAt: 40, providerId: "cgt-4", nano: 7, finishedAt: 41, deleted: true }),
    makeTask({ id: "vt_5", createdAt: 40, failed: true, providerId: "v5", requestId: "req_x", finishedAt: 60 }),
  ];

  test.each<[ListTasks, string]>([
    [{}, "5 4 3 2 1"],
    [{ order: "asc" }, "1 2 3 4 5"],
    [{ q: "dusk" }, "3 1"],
    [{ q: "  DUSK   lighthouse " }, "1"],
    [{ q: "light" }, "1"],
    [{ q: "dusk harbour lighthouse" }, ""],
    [{ q: "été" }, "2"],
    [{ q: "灯" }, "2"],
    [{ q: "🚢" }, "2"],
    [{ q: " " }, "5 4 3 2 1"],
    [{ q: "vt_3" }, "3"],
    [{ q: "cgt-4" }, "4"],
    [{ q: "v5" }, "5"],
    [{ q: "req_x" }, "5"],
    [{ q: "vt_" }, ""],
    [{ status: "succeeded" }, "4 2 1"],
    [{ status: "running" }, "3"],
    [{ model: "alpha" }, "1"],
    [{ key: "b" }, "2"],
    [{ key: "b", model: "alpha" }, ""],
    [{ since: TASK_AT + 20 }, "5 4 3 2"],
    [{ until: TASK_AT + 20 }, "1"],
    [{ since: TASK_AT + 20, until: TASK_AT + 40 }, "3 2"],
    [{ min_nano: 7 }, "4 1"],
    [{ min_nano: 0 }, "5 4 1"],
    [{ sort: "nano" }, "1 4 5 3 2"],
    [{ sort: "nano", order: "asc" }, "5 4 1 2 3"],
    [{ sort: "finished_at" }, "1 5 4 2 3"],
    [{ sort: "finished_at", order: "asc" }, "2 4 5 1 3"],
    [{ limit: 2 }, "5 4"],
    [{ limit: 2, offset: 1 }, "4 3"],
    [{ limit: 2, offset: 4 }, "1"],
    [{ offset: 5 }, ""],
    [{ sort: "nano", limit: 2, offset: 2 }, "5 3"],
  ])("for %o", async (query, expected) => {
    expect(listTasksSchema.safeParse(query).success).toBe(true);
    expect(listed((await open(tasks).search(query)).tasks)).toBe(expected);
    await archive(tasks.slice(0, 2));
    expect(listed((await open(tasks.slice(2)).search(query)).tasks)).toBe(expected);
  });

  test("is 50 unless asked otherwise, and knows how many there are", async () => {
    await archive(Array.from({ length: 77 }, (_, number) => makeTask({ id: `vt_${number}` })));
    const { tasks: found, total, complete } = await open([]).search({});
    expect([found.length, total, complete]).toEqual([50, 77, true]);
  });

  test("is that of the document where an index is not asked, and no thread is started for it", async () => {
    const found = await open(tasks, refusing).search({ q: "dusk" });
    expect([listed(found.tasks), found.total, found.active, found.complete]).toEqual(["3 1", 2, 1, true]);
  });
});

const few = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const anyTask = fc
  .record({
    id: fc.integer({ min: 0, max: 15 }).map((number) => `vt_${number}`),
    key: few("a", "b"),
    model: few("m", "n"),
    failed: fc.boolean(),
    createdAt: fc.integer({ min: 0, max: 4 }),
    finishedAt: fc.option(fc.integer({ min: 0, max: 4 })),
    nano: fc.option(fc.integer({ min: 0, max: 3 })),
    prompt: few("", "red boat", "red", "boat at sea"),
    providerId: fc.option(few("v1", "v2", "vt_3")),
    name: few("once", "twice"),
    deleted: fc.boolean(),
  })
  // The month of a task never changes.
  .map((sample) => makeTask({ ...sample, createdAt: sample.createdAt + (Number(sample.id.slice(3)) % 2) * MONTH_MS }));
const anyLive = fc
  .tuple(anyTask, fc.boolean())
  .map(([task, isRunning]): TaskRecord => (isRunning ? { ...task, phase: "running", finished_at: null } : task));
const moment = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean());
const at = moment.map(([ms, isLate]) => TASK_AT + ms + (isLate ? MONTH_MS : 0));
const anyQuery: fc.Arbitrary<ListTasks> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.integer({ min: 0, max: 8 }),
    q: few("red", "boat red", "vt_3", "v1", "nothing"),
    status: few("running" as const, "failed" as const),
    model: few("m", "x"),
    key: few("a", "b"),
    since: at,
    until: at,
    min_nano: fc.integer({ min: 0, max: 3 }),
    sort: few("created_at" as const, "finished_at" as const, "nano" as const),
    order: few("asc" as const, "desc" as const),
  },
  { requiredKeys: [] },
);
const anyPage: fc.Arbitrary<ListVideoTasks> = fc.record(
  {
    key: few("a", "b", null),
    limit: fc.integer({ min: 1, max: 6 }),
    after: few("vt_1", "vt_3", "v1"),
    status: few("running" as const, "failed" as const),
    models: few(["m"], ["x"], ["m", "x"]),
    oldestFirst: fc.boolean(),
  },
  { requiredKeys: ["key", "limit"] },
);

const bySubmission = (a: TaskRecord, b: TaskRecord): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

/** As plainly as it can be said. */
function searchPlainly(all: readonly TaskRecord[], query: ListTasks): { ids: string[]; total: number } {
  const { q = "", sort = "created_at", order = "desc", limit = 50, offset = 0 } = query;
  const entries = all.toSorted(bySubmission).map((task) => getEntry(task));
  const figure = (one: (typeof entries)[number]): number | null =>
    sort === "nano" ? one.nano : sort === "finished_at" ? one.finishedAt : one.createdAt;
  const found = entries.filter(
    (one) =>
      (query.status ?? one.status) === one.status &&
      (query.model ?? one.model) === one.model &&
      (query.key ?? one.key) === one.key &&
      one.createdAt >= (query.since ?? 0) &&
      one.createdAt < (query.until ?? Infinity) &&
      (query.min_nano === undefined || (one.nano !== null && one.nano >= query.min_nano)) &&
      ([one.id, one.publicId, one.providerId, one.requestId].includes(q) ||
        q.split(" ").every((word) => one.prompt.includes(word))),
  );
  const up = found.toSorted((a, b) => (figure(a) ?? 0) - (figure(b) ?? 0));
  const ordered = order === "asc" ? up : up.toReversed();
  const sorted = [...ordered.filter((one) => figure(one) !== null), ...ordered.filter((one) => figure(one) === null)];
  return { ids: sorted.slice(offset, offset + limit).map(({ id }) => id), total: found.length };
}

/** A task of the document goes before those of the archive that a provider calls the same. */
function findPlainly(all: readonly TaskRecord[], live: ReadonlySet<string>, id: string, key: string | null) {
  const theirs = all.filter((task) => key === null || task.key === key).toSorted(bySubmission);
  const received = theirs.filter((task) => task.operation?.id === id);
  const newest = received.filter((task) => live.has(task.id)).at(-1) ?? received.at(-1);
  return theirs.find((task) => task.id === id) ?? newest ?? null;
}

function listPlainly(all: readonly TaskRecord[], live: ReadonlySet<string>, query: ListVideoTasks) {
  const { after, key, limit, status, models, oldestFirst = false } = query;
  const last = after === undefined ? null : findPlainly(all, live, after, key);
  if (after !== undefined && last === null) return { ids: [], hasMore: false };
  const ordered = oldestFirst ? all.toSorted(bySubmission) : all.toSorted(bySubmission).toReversed();
  const rest = ordered.slice(last === null ? 0 : ordered.indexOf(last) + 1).filter((task) => {
    const entry = getEntry(task);
    return (
      (key === null || (entry.key === key && !entry.deleted)) &&
      (status ?? entry.status) === entry.status &&
      (models ?? [entry.model]).includes(entry.model)
    );
  });
  return { ids: rest.slice(0, limit).map(({ id }) => id), hasMore: rest.length > limit };
}

async function expectTruth(
  repository: TaskRepository,
  [archived, live]: readonly (readonly TaskRecord[])[],
  query: ListTasks,
  page: ListVideoTasks,
): Promise<void> {
  const all = [...new Map([...(archived ?? []), ...(live ?? [])].map((task) => [task.id, task])).values()];
  const liveIds = new Set(live?.map(({ id }) => id));
  const { tasks, total, active, complete } = await repository.search(query);
  expect({ ids: tasks.map(({ id }) => id), total }).toEqual(searchPlainly(all, query));
  expect([active, complete]).toEqual([all.filter(({ phase }) => phase === "running").length, true]);
  const { tasks: found, hasMore } = await repository.list(page);
  expect({ ids: found.map(({ id }) => id), hasMore }).toEqual(listPlainly(all, liveIds, page));
  for (const id of ["vt_1", "vt_3", "v1", "v2", "none"])
    expect(await repository.find(id, page.key)).toEqual(findPlainly(all, liveIds, id, page.key));
  const named = all.filter((task) => task.key === "a" && task.idempotency?.key === "once").toSorted(bySubmission);
  const newest = named.filter(({ id }) => liveIds.has(id)).at(-1) ?? named.at(-1);
  expect(await repository.byIdempotency("a", "once")).toEqual(newest ?? null);
  await closeAll();
}

const LINES = ["nothing\n", '1234abcd {"id":"vt_1"}\n', frame('{"id":"vt_1"}')];
const path = (): string => join(dir, "index.sqlite");
const spoils: readonly (() => Promise<void>)[] = [
  () => Promise.resolve(),
  () => rm(path(), { force: true }),
  () => truncate(path(), 9_000),
  () => writeFile(path(), "x".repeat(50_000)),
  () => rm(join(dir, "tasks", "tasks-2026-11.ndjson"), { force: true }),
];

test("any tasks, of the archive and of the document, are found as a plain search finds them", async () => {
  const random = seededRandom(11);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyTask, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(anyLive, { selector: ({ id }) => id, maxLength: 6 }),
      anyQuery,
      anyPage,
      async (rounds, live, query, page) => {
        // A file never becomes another one under a running index.
        await ledger.close();
        await rm(join(dir, "tasks"), { recursive: true, force: true });
        await rm(path(), { force: true });
        ledger = new LocalLedger(dir);
        await mkdir(join(dir, "tasks"));
        let archived: TaskRecord[] = [];
        for (const tasks of rounds) {
          for (const task of tasks) {
            await archive([task]);
            if (random() < 0.1)
              await appendFile(join(dir, "tasks", "tasks-2026-11.ndjson"), LINES[Math.floor(random() * 3)] ?? "");
          }
          archived = [...archived, ...tasks];
          // A kill, and what may have become of the files since.
          if (random() < 0.5) {
            const chosen = Math.floor(random() * spoils.length);
            await ledger.close();
            await nodeStoreFs.remove(`${path()}-wal`).catch(() => undefined);
            await spoils[chosen]?.().catch(() => undefined);
            if (chosen === 4) archived = archived.filter(({ created_at: moment }) => utcMonth(moment) !== "2026-11");
            ledger = new LocalLedger(dir);
          }
          await expectTruth(open(live), [archived, live], query, page);
        }
        await expectTruth(open(live, refusing), [archived, live], query, page);
      },
    ),
    { numRuns: 120 },
  );
}, 300_000);

test("a task that a provider has by an id is claimed once for each connection", async () => {
  await archive([makeTask({ id: "vt_1", providerId: "v1" })]);
  const live = makeTask({ id: "vt_2", running: true });
  for (const requestOf of [ledger, refusing]) {
    const repository = open([live], requestOf);
    expect(await repository.claim("vt_2", live.connection, "v1", () => null)).toBeNull();
    expect(await repository.claim("vt_2", "another", "v1", () => null)).toEqual({ task: live, changed: false });
    expect(await repository.claim("vt_2", live.connection, "vt_1", () => null)).toEqual({ task: live, changed: false });
  }
});
