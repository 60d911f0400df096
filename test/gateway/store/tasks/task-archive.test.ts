import { appendFile, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { TASK_AT } from "../../../support/tasks.ts";
import { open as openDataFolder } from "../fixtures.ts";
import { ArchiveFolder, expectAll, numberedTask, threeMonths } from "./task-fixtures.ts";

const folder = new ArchiveFolder();
const { open, reopen, month } = folder;
const tasks = [...threeMonths];
const others = tasks.filter((_task, number) => number % 3 !== 0);

describe("adding and reading back", () => {
  it("keeps whole records in the file of the month of their submission, for its owner alone", async () => {
    const archive = await open();
    await archive.add(tasks);
    expect((await readdir(join(folder.dir, "tasks"))).toSorted()).toEqual([
      "tasks-2026-11.ndjson",
      "tasks-2026-12.ndjson",
      "tasks-2027-01.ndjson",
    ]);
    expect((await stat(month())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.dir, "tasks"))).mode & 0o777).toBe(0o700);
    await expectAll(archive, tasks);
    expect(archive.problems).toEqual([]);
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

  it("keeps records of some megabytes, and many small ones around them", async () => {
    const archive = await open();
    const large = numberedTask(100, { native: "é".repeat(2_000_000) });
    const all = [...tasks.slice(0, 5), large, ...tasks.slice(5)];
    await archive.add(all);
    await expectAll(archive, all);
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
    expect(frozen.archive.isEmpty).toBe(true);
    expect(await readdir(folder.dir)).toEqual([]);
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

  it("removes what a crash left of a file that was written again", async () => {
    await (await open()).add(tasks);
    await writeFile(join(folder.dir, "tasks", "index.ndjson.tmp-0011223344556677"), "half");
    await reopen();
    expect(await readdir(join(folder.dir, "tasks"))).toHaveLength(3);
  });
});

describe("damage", () => {
  it("keeps the bytes of a torn last record, says so once, and goes on in its place", async () => {
    await (await open()).add(tasks);
    const before = await readFile(month());
    await appendFile(month(), '1234abcd {"id":"vt_to');
    const archive = await reopen();
    expect(archive.problems).toEqual([expect.stringContaining("not written to its end")]);
    expect(await readFile(month())).toEqual(before);
    const more = numberedTask(200);
    await archive.add([more]);
    await expectAll(archive, [...tasks, more]);
    const again = await reopen();
    await expectAll(again, [...tasks, more]);
    expect(again.problems).toEqual([]);
    const [aside = ""] = await readdir(join(folder.dir, "quarantine"));
    const [file = ""] = await readdir(join(folder.dir, "quarantine", aside));
    expect(await readFile(join(folder.dir, "quarantine", aside, file), "utf8")).toBe('1234abcd {"id":"vt_to');
  });

  it.each([
    ["zeros", Buffer.alloc(700_000)],
    ["zeros that end a line", Buffer.concat([Buffer.alloc(700_000), Buffer.from("\n")])],
    ["lines of text", Buffer.from("nothing\n".repeat(2_000))],
  ])("goes on after %s at the end of a month, and says so once", async (_name, damage) => {
    const first = await open();
    await first.add(tasks);
    await expectAll(first, tasks);
    await appendFile(month(), damage);
    const archive = await reopen();
    await expectAll(archive, tasks);
    expect(archive.problems).toHaveLength(1);
    const more = numberedTask(200);
    await archive.add([more]);
    const again = await reopen();
    await expectAll(again, [...tasks, more]);
    expect(again.problems).toEqual([]);
  });

  it("loses a damaged record and no other, and keeps its bytes", async () => {
    await (await open()).add(tasks);
    const bytes = await readFile(month());
    const lost = tasks[6] as TaskRecord;
    bytes.write("#", bytes.indexOf(lost.id) + 300);
    await writeFile(month(), bytes);
    const rest = tasks.filter((task) => task !== lost);
    const archive = await reopen();
    await expectAll(archive, rest);
    expect(archive.problems).toEqual([
      expect.stringContaining("(tasks/tasks-2026-11.ndjson) is damaged: 1 line of it was changed."),
    ]);
    expect(await readdir(join(folder.dir, "quarantine"))).toHaveLength(1);
    const again = await reopen();
    await expectAll(again, rest);
    expect(again.problems).toEqual([]);
    expect(await readFile(month())).toEqual(bytes);
  });

  it("has no record that was damaged since it was indexed", async () => {
    const archive = await open();
    await archive.add(tasks);
    await expectAll(archive, tasks);
    const bytes = await readFile(month());
    const lost = tasks[6] as TaskRecord;
    bytes.write("#", bytes.indexOf(lost.id) + 300);
    await writeFile(month(), bytes);
    expect((await archive.all()).get(lost.id)).toBeNull();
  });

  it.each([
    ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf("\n", bytes.length >> 1) + 1)],
    ["empty", () => Buffer.alloc(0)],
    [
      "another one",
      (bytes: Buffer) => {
        const lines = bytes.toString().split("\n").slice(0, -1);
        return Buffer.from(`${lines.toReversed().join("\n")}\n`);
      },
    ],
  ])("reads a month again that is %s, and says so", async (_name, change) => {
    const first = await open();
    await first.add(tasks);
    await expectAll(first, tasks);
    await writeFile(month(), change(await readFile(month())));
    const archive = await reopen();
    const left = [...(await archive.all()).values()];
    expect(archive.problems[0]).toContain("is not as it was left");
    expect(left).toEqual(expect.arrayContaining(others));
    expect(left).not.toContain(null);
    const more = numberedTask(200);
    await archive.add([more]);
    const again = await reopen();
    await expectAll(again, [...(left as TaskRecord[]), more]);
    expect(again.problems).toEqual([]);
  });

  it("says that a month is gone, and has the others", async () => {
    const first = await open();
    await first.add(tasks);
    await expectAll(first, tasks);
    await rm(month());
    const archive = await reopen();
    await expectAll(archive, others);
    expect(archive.problems).toEqual([expect.stringContaining("is gone")]);
    const again = await reopen();
    await expectAll(again, others);
    expect(again.problems).toEqual([]);
  });

  it("leaves out records that this version cannot use, and says so", async () => {
    const archive = await open();
    await archive.add([...tasks, { ...numberedTask(300), phase: "sleeping" } as unknown as TaskRecord]);
    await expectAll(archive, tasks);
    expect(archive.problems).toEqual([expect.stringContaining("1 records of tasks/tasks-2026-11.ndjson")]);
  });
});
