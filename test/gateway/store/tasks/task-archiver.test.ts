import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isClosed, type TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { KEPT_CLOSED, TaskArchiver } from "../../../../gateway/store/tasks/task-archiver.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { until } from "../../../support/running-gateway.ts";
import { TASK_AT, closedTask, taskDelivery, taskId, taskRecord } from "../../../support/tasks.ts";
import { seededRandom } from "../fixtures.ts";
import { SimFs, type Disk, type Fault } from "../sim-fs.ts";
import { RepositoryHarness } from "./repository-harness.ts";
import { openTasks } from "./task-fixtures.ts";

const MORE = 60;
const DAY_MS = 86_400_000;

/** The oldest are in another month than the newest. */
const taskOf = (number: number, changes: Partial<TaskRecord> = {}): TaskRecord =>
  closedTask({ id: taskId(number), created_at: TASK_AT + (number < 30 ? number : number + 20 * DAY_MS), ...changes });

const closed = Array.from({ length: KEPT_CLOSED + MORE }, (_, number) => taskOf(number));
/** Older than all others, and still to be dealt with. */
const open = [
  taskRecord({ id: taskId(0, 5), created_at: 5 }),
  taskOf(0, { id: taskId(0, 6), created_at: 6, bill: null }),
  taskOf(0, { id: taskId(0, 7), created_at: 7, deliveries: [taskDelivery()] }),
];
const all = [...open, ...closed];

let bench: RepositoryHarness;
beforeEach(async () => {
  bench = await RepositoryHarness.make();
});
afterEach(() => bench.end());

async function fill(target: RepositoryHarness, tasks: readonly TaskRecord[] = all): Promise<void> {
  await target.store.commit(tasks.map((record) => ({ op: "put", in: "tasks", record }) as const));
  await target.restart();
  await target.ready();
}

const inDocument = (target: RepositoryHarness): number => target.store.document.tasks.size;
const moved = (target: RepositoryHarness): Promise<void> =>
  until(() => inDocument(target) === KEPT_CLOSED + open.length && target.waiting === 0);

/** Every task is found, once, as it is. */
async function expectAll(target: RepositoryHarness, expected: readonly TaskRecord[] = all): Promise<void> {
  const { tasks, total } = await target.repository.search({ limit: 500, order: "asc" });
  expect(total).toBe(expected.length);
  expect(tasks).toEqual(expected.slice(0, 500));
  const last = expected.at(-1) as TaskRecord;
  expect(await target.repository.find(last.id, null)).toEqual(last);
  const { tasks: listed } = await target.repository.list({ key: null, limit: expected.length });
  expect(listed).toEqual(expected.toReversed());
}

describe("moving", () => {
  it("takes the oldest closed tasks beyond the newest 1,000, and no one notices", async () => {
    await fill(bench);
    await expectAll(bench);
    expect(bench.waiting).toBe(1);
    bench.passTime();
    await moved(bench);
    expect([...bench.repository.live()].filter((task) => !isClosed(task))).toEqual(open);
    expect([...bench.repository.live()].filter(isClosed)).toEqual(closed.slice(MORE));
    await expectAll(bench);
    for (const how of ["killed", "closed"] as const) {
      await bench.restart(how);
      await bench.ready();
      expect(inDocument(bench)).toBe(KEPT_CLOSED + open.length);
      await expectAll(bench);
    }
  });

  it("leaves 1,000 where they are", async () => {
    for (const task of closed.slice(0, 3)) await bench.repository.create(task);
    expect(bench.waiting).toBe(0);
    await bench.store.commit(
      closed.slice(3, KEPT_CLOSED).map((record) => ({ op: "put", in: "tasks", record }) as const),
    );
    await bench.restart();
    await bench.ready();
    expect(bench.waiting).toBe(0);
    await bench.repository.create(closed[KEPT_CLOSED] as TaskRecord);
    bench.passTime();
    await until(() => inDocument(bench) === KEPT_CLOSED);
    expect(bench.repository.get(closed[0]?.id ?? "")).toBeUndefined();
  });

  it("loses no change that comes while it moves", async () => {
    await fill(bench);
    const changing = closed
      .slice(0, MORE)
      .map(({ id }) => bench.repository.change(id, (task) => ({ ...task, client: "before" })));
    bench.passTime();
    changing.push(
      ...closed
        .slice(0, MORE)
        .map(({ id }) => bench.repository.change(id, (task) => ({ ...task, client: `${task.client}, then` }))),
    );
    await Promise.all(changing);
    for (;;) {
      await until(() => bench.waiting > 0 || inDocument(bench) === KEPT_CLOSED + open.length);
      if (inDocument(bench) === KEPT_CLOSED + open.length) break;
      bench.passTime();
    }
    const expected = [
      ...open,
      ...closed.map((task, number) => (number < MORE ? { ...task, client: "before, then" } : task)),
    ];
    await expectAll(bench, expected);
    expect(bench.repository.get(closed[0]?.id ?? "")).toBeUndefined();
    await bench.restart("killed");
    await bench.ready();
    await expectAll(bench, expected);
  });
});

it("leaves a task where it is that is opened again while others are moved", async () => {
  await fill(bench);
  bench.passTime();
  // By now it is known which tasks leave, and the first of them are on their way.
  await new Promise(setImmediate);
  const last = closed[MORE - 1] as TaskRecord;
  await bench.repository.change(last.id, (task) => ({ ...task, deliveries: [taskDelivery()] }));
  await until(() => inDocument(bench) === KEPT_CLOSED + open.length + 1);
  expect(bench.repository.get(last.id)?.deliveries).toHaveLength(1);
});

it("archives a task once, however often the document does not let go of it", async () => {
  const tasks = new Map([1, 2].map((number) => [taskId(number), taskOf(number)]));
  const archived: TaskRecord[] = [];
  const due: (() => void)[] = [];
  let refusals = 2;
  const archiver = new TaskArchiver({
    store: {
      document: { ...bench.store.document, tasks },
      frozen: false,
      transact: (_records, work) =>
        work(async (changes) => {
          refusals -= 1;
          if (refusals >= 0) throw new StoreWriteError("no room");
          for (const change of changes) if (change.op === "delete") tasks.delete(change.id);
        }),
    },
    retained: 1,
    later: (_ms, work) => {
      due.push(work);
      return () => undefined;
    },
    log: silentLog,
    archive: { add: async (more: readonly TaskRecord[]) => void archived.push(...more) },
  });
  for (const task of tasks.values()) archiver.note(task);
  for (let round = 0; round < 3; round += 1) {
    expect(tasks.size).toBe(2);
    await until(() => due.length > 0);
    due.pop()?.();
  }
  await until(() => tasks.size === 1);
  expect(archived.map(({ id }) => id)).toEqual([taskId(1)]);
});

describe("a task of the archive", () => {
  const old = closed[2] as TaskRecord;

  beforeEach(async () => {
    await fill(bench);
    bench.passTime();
    await moved(bench);
    expect(bench.repository.get(old.id)).toBeUndefined();
  });

  it("is found by each of its ids, by its key alone, and by the name it was asked for with", async () => {
    const named = closedTask({ id: taskId(7, 1), created_at: 1, idempotency: { key: "once", hash: "h" } });
    await bench.repository.create(named);
    bench.passTime();
    await moved(bench);
    await bench.restart();
    expect(await bench.repository.byIdempotency("key_1", "once")).toEqual(named);
    expect(await bench.repository.find(old.id, "key_1")).toEqual(old);
    expect(await bench.repository.find(`provider-${old.id}`, "key_1")).toEqual(old);
    expect(await bench.repository.find(old.id, "key_2")).toBeNull();
  });

  it("comes back to the document when it is changed, at once and durably, and leaves again", async () => {
    const delivery = taskDelivery();
    const changed = await bench.repository.change(old.id, (task) => ({ ...task, deliveries: [delivery] }));
    expect(changed).toEqual({ task: { ...old, deliveries: [delivery] }, changed: true });
    await bench.restart("killed");
    await bench.ready();
    // Its webhook is still to be made: it is among those that are looked after.
    expect(bench.repository.get(old.id)?.deliveries).toEqual([delivery]);
    await bench.repository.change(old.id, (task) => ({ ...task, deliveries: [{ ...delivery, state: "delivered" }] }));
    bench.passTime();
    await moved(bench);
    expect(bench.repository.get(old.id)).toBeUndefined();
    await bench.restart("killed");
    await bench.ready();
    expect((await bench.repository.find(old.id, null))?.deliveries[0]?.state).toBe("delivered");
    expect((await bench.repository.search({})).total).toBe(all.length);
  });

  it("is changed by one at a time too", async () => {
    const add = (task: TaskRecord): TaskRecord => ({ ...task, client: `${task.client}+` });
    await Promise.all(Array.from({ length: 100 }, () => bench.repository.change(old.id, add)));
    expect((await bench.repository.find(old.id, null))?.client).toBe(`curl${"+".repeat(100)}`);
  });

  it("that is in the document too, after a crash, is what the document says", async () => {
    await bench.repository.close();
    await bench.ledger.close();
    const archive = await openTasks({ dir: bench.dir });
    const newest = closed.at(-1) as TaskRecord;
    await archive.add([{ ...newest, client: "of the archive" }]);
    await archive.close();
    await bench.restart("killed");
    await bench.ready();
    await expectAll(bench);
    expect((await bench.repository.find(newest.id, null))?.client).toBe("curl");
  });
});

const FEW = 4;
const few = [...open, ...closed.slice(0, FEW), ...closed.slice(30, 30 + FEW)];

describe("while the disk refuses", () => {
  it("any call of a move may fail: every task is found all the same, and the move is made later", async () => {
    const made = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const first = await RepositoryHarness.make(made, FEW);
    await fill(first, few);
    await first.end();
    const disk = made.afterKill();
    const calls = await moveWith(new SimFs(disk), null);
    expect(calls).toBeGreaterThan(8);
    for (const code of ["ENOSPC", "EIO"]) {
      for (let call = 0; call < calls; call += 1) {
        for (const many of [1, 5]) await moveWith(new SimFs(disk), { call, code, calls: many });
      }
    }
  }, 60_000);

  it("a kill or a power cut at any step of a move leaves every task, once", async () => {
    const made = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const first = await RepositoryHarness.make(made, FEW);
    await fill(first, few);
    const cuts: Disk[] = [];
    const random = seededRandom(5);
    made.onStep = () => cuts.push(made.afterKill(), ...made.afterPowerCut(6, random));
    first.passTime();
    await until(() => inDocument(first) === FEW + open.length);
    made.onStep = () => undefined;
    await first.end();
    expect(cuts.length).toBeGreaterThan(20);
    for (const disk of cuts) {
      const again = await RepositoryHarness.make(new SimFs(disk), FEW);
      await again.ready();
      await expectAll(again, few);
      if (again.waiting > 0) again.passTime();
      await until(() => inDocument(again) === FEW + open.length);
      await expectAll(again, few);
      await again.end();
    }
  }, 60_000);
});

/** @returns how many calls to the disk the move took */
async function moveWith(fs: SimFs, fault: Fault | null): Promise<number> {
  const target = await RepositoryHarness.make(fs, FEW);
  await target.ready();
  const before = fs.calls;
  fs.fault = fault === null ? null : { ...fault, call: before + fault.call };
  target.passTime();
  await until(() => target.waiting > 0 || inDocument(target) === FEW + open.length);
  const { calls } = fs;
  fs.fault = null;
  await expectAll(target, few);
  const killed = await RepositoryHarness.make(new SimFs(fs.afterKill()), FEW);
  await killed.ready();
  await expectAll(killed, few);
  await killed.end();
  if (target.waiting > 0) {
    target.passTime();
    await until(() => inDocument(target) === FEW + open.length);
    await expectAll(target, few);
  }
  await target.end();
  return calls - before;
}
