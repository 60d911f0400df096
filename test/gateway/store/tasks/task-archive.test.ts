import { readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { TASK_AT } from "../../../support/tasks.ts";
import { open as openDataFolder } from "../fixtures.ts";
import { ArchiveFolder, expectAll, numberedTask, threeMonths } from "./task-fixtures.ts";

const folder = new ArchiveFolder();
const { open, reopen, index, month } = folder;
const tasks = [...threeMonths];

describe("adding and reading back", () => {
  it("keeps whole records in the file of the month of their submission, for its owner alone", async () => {
    const archive = await open();
    await archive.add(tasks);
    expect((await readdir(join(folder.dir, "tasks"))).toSorted()).toEqual([
      "index.ndjson",
      "tasks-2026-11.ndjson",
      "tasks-2026-12.ndjson",
      "tasks-2027-01.ndjson",
    ]);
    expect((await stat(month())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.dir, "tasks"))).mode & 0o777).toBe(0o700);
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
    const large = numberedTask(100, { native: "é".repeat(2_000_000) });
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
    expect(await readdir(folder.dir)).toEqual([]);
  });
});

it("is in a backup, which is a data folder of its own", async () => {
  const { store } = await openDataFolder({ dir: folder.dir });
  const archive = await open();
  await archive.add(tasks);
  const { path } = await store.backup();
  await archive.add([numberedTask(500)]);
  const copy = await open({ dir: path });
  await expectAll(copy, tasks);
  expect(copy.problems).toEqual([]);
  await store.close();
});
