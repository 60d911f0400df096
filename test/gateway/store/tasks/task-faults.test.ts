import { expect, test } from "vitest";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { TASK_AT, closedTask, taskId } from "../../../support/tasks.ts";
import { CODES, eachCallInTurn, failures, fullForAWhile } from "../every-fault.ts";
import { seededRandom } from "../fixtures.ts";
import { SimFs, type Disk, type Fault } from "../sim-fs.ts";
import { openTasks, type OpenedArchive } from "./task-fixtures.ts";
import { dose } from "../../../support/dose.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };
const MONTH_MS = 31 * 86_400_000;

const open = (fs: SimFs): Promise<OpenedArchive> => openTasks({ dir: DIR, fs });

/** Some tasks of two months, and a second record of one of them. */
const STEPS: readonly (readonly TaskRecord[])[] = [
  [taskOf(1), taskOf(2)],
  [taskOf(3, MONTH_MS)],
  [taskOf(4), taskOf(5, MONTH_MS)],
  [{ ...taskOf(2), client: "changed" }],
  [taskOf(6)],
];

function taskOf(number: number, later = 0): TaskRecord {
  return closedTask({ id: taskId(number), created_at: TASK_AT + later });
}

/** What the archive was asked for and what it acknowledged, by ids. */
interface Reported {
  readonly added: Map<string, TaskRecord>;
  /** Asked for after that, and not acknowledged: some of it may be there, the tasks of another month for one. */
  readonly open: Set<TaskRecord>;
}

async function exercise(archive: OpenedArchive, reported: Reported): Promise<void> {
  for (const tasks of STEPS) {
    for (const task of tasks) reported.open.add(task);
    try {
      await archive.add(tasks);
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
      continue;
    }
    for (const task of tasks) {
      reported.added.set(task.id, task);
      for (const earlier of reported.open) if (earlier.id === task.id) reported.open.delete(earlier);
    }
  }
}

/** Everything that was acknowledged is there as it was last written, and nothing that was never asked for. */
async function expectWhole(archive: OpenedArchive, reported: Reported): Promise<void> {
  const all = await archive.all();
  expect([...all.keys()]).toEqual(expect.arrayContaining([...reported.added.keys()]));
  for (const [id, record] of all) {
    const possible = [reported.added.get(id), ...[...reported.open].filter((task) => task.id === id)];
    expect(possible).toContainEqual(record);
  }
}

const newTold = (): Reported => ({ added: new Map(), open: new Set() });

async function survive(fault: Fault | null): Promise<SimFs> {
  const fs = new SimFs(EMPTY);
  fs.fault = fault;
  const reported = newTold();
  const archive = await open(fs).catch(() => {
    // It could not be opened: that is said, and the next try is as if there had been none.
    fs.fault = null;
    return open(fs);
  });
  await exercise(archive, reported);
  fs.fault = null;
  await expectWhole(archive, reported);
  for (const disk of [fs.afterKill(), ...fs.afterPowerCut(6, () => 0)]) {
    const again = await open(new SimFs(disk));
    await expectWhole(again, reported);
    await again.close();
  }
  await exercise(archive, reported);
  expect(reported.added.size).toBe(6);
  await archive.close();
  const last = await open(new SimFs(fs.afterKill()));
  expect(last.problems).toEqual([]);
  await expectWhole(last, reported);
  return fs;
}

test("without a fault everything is in memory and on the disk", async () => {
  expect((await survive(null)).calls).toBeGreaterThan(40);
});

const CALLS = 70;

test.each(CODES)(
  "any one call may fail with %s, and what was acknowledged is whole",
  async (code) => {
    expect(await failures(eachCallInTurn(CALLS, code), survive)).toEqual([]);
  },
  300_000,
);

test("the disk may be full for a while, from any call on", async () => {
  expect(await failures(fullForAWhile(CALLS), survive)).toEqual([]);
}, 300_000);

test("a power cut or a kill at any step leaves all that was acknowledged", async () => {
  const random = seededRandom(7);
  const fs = new SimFs(EMPTY);
  const reported = newTold();
  const cuts: { disk: Disk; reported: Reported }[] = [];
  fs.onStep = () => {
    const now = { added: new Map(reported.added), open: new Set(reported.open) };
    for (const disk of [fs.afterKill(), ...fs.afterPowerCut(dose(3, 12), random)]) cuts.push({ disk, reported: now });
  };
  const archive = await open(fs);
  await exercise(archive, reported);
  await archive.close();
  expect(cuts.length).toBeGreaterThan(dose(40, 50));
  for (const cut of cuts) {
    const left = new SimFs(cut.disk);
    const again = await open(left);
    await expectWhole(again, cut.reported);
    // It goes on from there.
    const more = closedTask({ id: taskId(9) });
    await again.add([more]);
    const next = await open(new SimFs(left.afterKill()));
    await expectWhole(next, { added: new Map([...cut.reported.added, [more.id, more]]), open: cut.reported.open });
    expect(next.problems).toEqual([]);
  }
}, 300_000);

test("it goes on after a torn record whatever the disk refuses while it opens", async () => {
  const made = new SimFs(EMPTY);
  const reported = newTold();
  const first = await open(made);
  await exercise(first, reported);
  await first.close();
  const disk = made.afterKill();
  const path = `${DIR}/tasks/tasks-2026-11.ndjson`;
  const bytes = Buffer.concat([disk.files.get(path) ?? Buffer.alloc(0), Buffer.from('1234abcd {"id":')]);
  const torn = { files: new Map(disk.files).set(path, bytes), folders: disk.folders };
  const healthy = new SimFs(torn);
  await open(healthy);
  const more = taskOf(9);
  reported.added.set(more.id, more);
  for (let call = 0; call < healthy.calls; call += 1) {
    const fs = new SimFs(torn);
    fs.fault = { call, code: "EIO" };
    const archive = await open(fs).catch(() => {
      fs.fault = null;
      return open(fs);
    });
    fs.fault = null;
    await archive.add([more]);
    await expectWhole(archive, reported);
    const left = fs.afterKill();
    const again = await open(new SimFs(left));
    await expectWhole(again, reported);
    // A torn line that could not be set aside ends with a newline, and an index in memory finds it again.
    expect(again.problems.filter((problem) => !problem.includes("1 line of it was changed"))).toEqual([]);
  }
});
