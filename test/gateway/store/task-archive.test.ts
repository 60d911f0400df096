import { readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../gateway/core/task.ts";
import { entryOf } from "../../../gateway/core/task-entry.ts";
import { StoreWriteError } from "../../../gateway/store/store.ts";
import type { TaskArchive } from "../../../gateway/store/task-archive.ts";
import { temporaryFolder } from "../../support/running-gateway.ts";
import { TASK_AT, closedTask, taskId, taskOrder } from "../../support/tasks.ts";
import { open as openDataFolder } from "./fixtures.ts";
import { openTasks } from "./task-fixtures.ts";

let dir: string;
const opened: TaskArchive[] = [];

async function open(options: Partial<Parameters<typeof openTasks>[0]> = {}): Promise<TaskArchive> {
  const archive = await openTasks({ dir, ...options });
  opened.push(archive);
  return archive;
}

async function reopen(): Promise<TaskArchive> {
  await opened.at(-1)?.close();
  return open();
}

beforeEach(async () => {
  dir = await temporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((archive) => archive.close()));
  await rm(dir, { recursive: true, force: true });
});

const MONTH_MS = 31 * 86_400_000;
const taskOf = (number: number, changes: Partial<TaskRecord> = {}): TaskRecord =>
  closedTask({ id: taskId(number), request_id: `req_${number}`, ...changes });
const tasks = Array.from({ length: 40 }, (_, number) =>
  taskOf(number, {
    created_at: TASK_AT + (number % 3) * MONTH_MS,
    order: taskOrder({ prompt: `A boat ${number} 🚢` }),
  }),
);
const index = (): string => join(dir, "tasks", "index.ndjson");
const month = (): string => join(dir, "tasks", "tasks-2026-11.ndjson");

/** All of them are listed, with what is known of them, and can be read whole. */
async function expectAll(archive: TaskArchive, expected: readonly TaskRecord[]): Promise<void> {
  expect([...archive.entries.keys()].toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  for (const task of expected) expect(archive.entries.get(task.id)?.entry).toEqual(entryOf(task));
  expect(await archive.readAll(expected.map(({ id }) => id))).toEqual(expected);
}

describe("adding and reading back", () => {
  it("keeps whole records in the file of the month of their submission, for its owner alone", async () => {
    const archive = await open();
    await archive.add(tasks);
    expect((await readdir(join(dir, "tasks"))).toSorted()).toEqual([
      "index.ndjson",
      "tasks-2026-11.ndjson",
      "tasks-2026-12.ndjson",
      "tasks-2027-01.ndjson",
    ]);
    expect((await stat(month())).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, "tasks"))).mode & 0o777).toBe(0o700);
    await expectAll(archive, tasks);
    expect(archive.problems).toEqual([]);
  });

  it("has everything after a restart, with and without an end", async () => {
    const first = await open();
    await Promise.all([first.add(tasks.slice(0, 20)), first.add(tasks.slice(20))]);
    // Not closed: as after a kill.
    const second = await open();
    await expectAll(second, tasks);
    await expectAll(await reopen(), tasks);
    expect(second.problems).toEqual([]);
  });

  it("takes the newest record of a task, over restarts too", async () => {
    const archive = await open();
    await archive.add(tasks);
    const later = tasks.map((task, number) =>
      number === 3 ? { ...task, updated_at: TASK_AT + 9, client: "new" } : task,
    );
    await archive.add([later[3] as TaskRecord]);
    await expectAll(archive, later);
    const again = await reopen();
    await expectAll(again, later);
    expect(again.problems).toEqual([]);
  });

  it("has no task that was never added", async () => {
    const archive = await open();
    await archive.add(tasks.slice(0, 1));
    expect(await archive.read("vt_nothing")).toBeNull();
    expect(await archive.readAll(["vt_nothing", tasks[0]?.id ?? ""])).toEqual([null, tasks[0]]);
  });

  it("keeps records of some megabytes, and many small ones around them", async () => {
    const archive = await open();
    const large = taskOf(100, { native: "é".repeat(2_000_000) });
    const all = [...tasks.slice(0, 5), large, ...tasks.slice(5)];
    await archive.add(all);
    await rm(index());
    const again = await reopen();
    await expectAll(again, all);
    expect(again.problems).toEqual([]);
  });

  it("refuses after its end, and in a folder of a newer version", async () => {
    const archive = await open();
    await archive.add(tasks);
    await archive.close();
    await expect(archive.add(tasks)).rejects.toBeInstanceOf(StoreWriteError);
    const before = await readFile(month());
    const frozen = await open({ readOnly: true });
    await expectAll(frozen, tasks);
    await expect(frozen.add(tasks)).rejects.toBeInstanceOf(StoreWriteError);
    expect(await readFile(month())).toEqual(before);
  });

  it("makes nothing in a folder that it may only read", async () => {
    const frozen = await open({ readOnly: true });
    expect(frozen.entries.size).toBe(0);
    expect(await readdir(dir)).toEqual([]);
  });
});

it("is in a backup, which is a data folder of its own", async () => {
  const { store } = await openDataFolder({ dir });
  const archive = await open();
  await archive.add(tasks);
  const { path } = await store.backup();
  await archive.add([taskOf(500)]);
  const copy = await open({ dir: path });
  await expectAll(copy, tasks);
  expect(copy.problems).toEqual([]);
  await store.close();
});
