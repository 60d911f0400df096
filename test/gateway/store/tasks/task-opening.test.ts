import { appendFile, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { taskId } from "../../../support/tasks.ts";
import { ArchiveFolder, expectAll, numberedTask, threeMonths } from "./task-fixtures.ts";

const folder = new ArchiveFolder();
const { open, reopen, index, month } = folder;
const tasks = [...threeMonths];

beforeEach(async () => {
  await (await open()).add(tasks);
  await folder.newest?.close();
});

it("makes the list anew when it is gone, and reads no month again afterwards", async () => {
  const before = (await readFile(index(), "utf8")).split("\n").toSorted();
  await rm(index());
  await expectAll(await open(), tasks);
  await folder.newest?.close();
  expect((await readFile(index(), "utf8")).split("\n").toSorted()).toEqual(before);
});

it("goes on with a list that ends too early, as a crash leaves it, and says nothing of it", async () => {
  for (const part of [0, 10, 1_000, 5_000]) {
    await truncate(index(), part);
    const archive = await open();
    await expectAll(archive, tasks);
    expect(archive.problems).toEqual([]);
    await archive.close();
  }
});

it("makes a damaged list anew, keeps its bytes, and says so once", async () => {
  const bytes = await readFile(index());
  bytes.write("#", 700);
  await writeFile(index(), bytes);
  const archive = await open();
  await expectAll(archive, tasks);
  expect(archive.problems).toEqual([expect.stringContaining("made anew")]);
  expect(await readdir(join(folder.dir, "quarantine"))).toHaveLength(1);
  const again = await reopen();
  await expectAll(again, tasks);
  expect(again.problems).toEqual([]);
});

it("tells of a torn last record once, keeps its bytes, and goes on after it", async () => {
  await appendFile(month(), '1234abcd {"id":"vt_to');
  const archive = await open();
  expect(archive.problems).toEqual([expect.stringContaining("not written to its end")]);
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
])("goes on after %s at the end of a month, and tells of them once", async (_name, damage) => {
  await appendFile(month(), damage);
  const archive = await open();
  expect(archive.problems).toHaveLength(1);
  const more = numberedTask(200);
  await archive.add([more]);
  const again = await reopen();
  await expectAll(again, [...tasks, more]);
  expect(again.problems).toEqual([]);
  await rm(index());
  await expectAll(await reopen(), [...tasks, more]);
});

it("loses a damaged record and no other, whether the list is there or not", async () => {
  const bytes = await readFile(month());
  const lost = tasks[6] as TaskRecord;
  bytes.write("#", bytes.indexOf(lost.id) + 300);
  await writeFile(month(), bytes);
  const archive = await open();
  expect(await archive.read(lost.id)).toBeNull();
  expect(await archive.readAll(tasks.map(({ id }) => id))).toEqual(tasks.map((task) => (task === lost ? null : task)));
  await archive.close();
  await rm(index());
  const rest = tasks.filter((task) => task !== lost);
  const second = await open();
  expect(second.problems).toEqual([
    expect.stringContaining("(tasks/tasks-2026-11.ndjson) is damaged: 1 line of it was changed."),
  ]);
  await expectAll(second, rest);
  const third = await reopen();
  expect(third.problems).toEqual([]);
  await expectAll(third, rest);
  expect(await readFile(month())).toEqual(bytes);
});

it.each([
  ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ["empty", () => Buffer.alloc(0)],
  [
    "another one",
    (bytes: Buffer) => {
      const lines = bytes.toString().split("\n").slice(0, -1);
      return Buffer.from(`${lines.toReversed().join("\n")}\n`);
    },
  ],
])("reads a month again that is %s, and tells", async (_name, change) => {
  await writeFile(month(), change(await readFile(month())));
  const archive = await open();
  expect(archive.problems[0]).toContain("is not as it was left");
  const left = (await archive.readAll(tasks.map(({ id }) => id))).filter((task) => task !== null);
  expect(archive.entries.size).toBe(left.length);
  expect(left).toEqual(expect.arrayContaining(tasks.filter((_task, number) => number % 3 !== 0)));
  const more = numberedTask(200);
  await archive.add([more]);
  const again = await reopen();
  expect(again.problems).toEqual([]);
  await expectAll(again, [...left, more]);
});

it("takes the newest record of a task also when the list has lost the line of an older one", async () => {
  const archive = await open();
  const changed = { ...(tasks[0] as TaskRecord), client: "new" };
  await archive.add([changed]);
  await archive.close();
  const lines = (await readFile(index(), "utf8")).split("\n");
  await writeFile(index(), lines.filter((line) => !line.includes('"offset":0,')).join("\n"));
  const again = await open();
  expect(await again.read(changed.id)).toEqual(changed);
  expect((await reopen()).entries.size).toBe(tasks.length);
  expect(await folder.newest?.read(changed.id)).toEqual(changed);
});

it("notices that a month was cut which ended in damage that is known", async () => {
  await appendFile(month(), "nothing\n");
  await (await open()).close();
  expect((await open()).problems).toEqual([]);
  await folder.newest?.close();
  const bytes = await readFile(month());
  await writeFile(month(), bytes.subarray(0, bytes.length >> 1));
  const archive = await open();
  expect(archive.problems[0]).toContain("is not as it was left");
  expect(await archive.readAll([...archive.entries.keys()])).not.toContain(null);
});

it("remembers what is damaged when it makes the list of many tasks anew", async () => {
  const archive = await open();
  await archive.add(Array.from({ length: 600 }, (_, number) => numberedTask(1_000 + number)));
  await archive.close();
  const bytes = await readFile(month());
  bytes.write("#", bytes.indexOf(taskId(1_300)) + 300);
  await writeFile(month(), bytes);
  await rm(index());
  const again = await open();
  expect(again.problems).toEqual([expect.stringContaining("1 line of it was changed")]);
  expect(again.entries.size).toBe(tasks.length + 599);
  const third = await reopen();
  expect(third.problems).toEqual([]);
  expect(third.entries.size).toBe(tasks.length + 599);
});

it("tells of a month that is gone, and has the others", async () => {
  await rm(month());
  const archive = await open();
  expect(archive.problems).toEqual([expect.stringContaining("is gone")]);
  await expectAll(
    archive,
    tasks.filter((_task, number) => number % 3 !== 0),
  );
  expect((await reopen()).problems).toEqual([]);
});

it("leaves out records that this version cannot use, and tells", async () => {
  const archive = await open();
  await archive.add([{ ...numberedTask(300), phase: "sleeping" } as unknown as TaskRecord]);
  await archive.close();
  await rm(index());
  const again = await open();
  expect(again.problems).toEqual([expect.stringContaining("1 records of tasks/tasks-2026-11.ndjson")]);
  await expectAll(again, tasks);
});

it("removes what a crash left of a list that was written anew", async () => {
  await writeFile(join(folder.dir, "tasks", "index.ndjson.tmp-0011223344556677"), "half");
  await open();
  expect(await readdir(join(folder.dir, "tasks"))).toHaveLength(4);
});
