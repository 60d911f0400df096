import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { frame, readLines } from "../../../../gateway/store/disk/line.ts";
import { isTaskRecord } from "../../../../gateway/store/tasks/task-check.ts";
import { closedTask, taskDelivery, taskRecord } from "../../../support/tasks.ts";
import { open } from "../fixtures.ts";

test.each<[string, TaskRecord]>([
  ["on its way", taskRecord()],
  ["finished", closedTask({ deliveries: [taskDelivery()], idempotency: { key: "a", hash: "b" } })],
])("a task %s is what the program relies on", (_name, task) => {
  expect(isTaskRecord(task)).toBe(true);
});

test.each<[string, object]>([
  ["no id", { id: "" }],
  ["an unknown phase", { phase: "sleeping" }],
  ["no key", { key: undefined }],
  ["a model that is no text", { model: 7 }],
  ["a moment that is no date", { created_at: 9e15 }],
  ["a moment in words", { created_at: "yesterday" }],
  ["no order", { order: null }],
  ["an order without a prompt", { order: { ...taskRecord().order, prompt: null } }],
  ["a negative hold", { hold_nano: -1 }],
  ["a price without tiers", { price: { tiers: [], source: "", as_of: "" } }],
  ["an operation without an id", { operation: {} }],
  ["a receipt without a sum", { bill: { receipt: { id: "r" }, counted: true } }],
  ["no timeline", { timeline: {} }],
  ["deliveries that are no list", { deliveries: null }],
  ["a delivery without attempts", { deliveries: [{ ...taskDelivery(), attempts: undefined }] }],
])("a task with %s is not", (_name, damage) => {
  expect(isTaskRecord({ ...taskRecord(), ...damage })).toBe(false);
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "postern-tasks-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Changes what the newest state says of its records, and seals the lines again one by one. */
async function rewriteJournal(dir: string, change: (text: string) => string): Promise<void> {
  const name = (await readdir(dir)).find((file) => file.startsWith("journal.")) ?? "";
  const { lines } = readLines(await readFile(join(dir, name)));
  await writeFile(join(dir, name), lines.map(({ value }) => frame(change(JSON.stringify(value)))).join(""));
}

test("a task that the program cannot use is set aside, and costs no other", async () => {
  const dir = await folder();
  const { store } = await open({ dir });
  for (const id of ["vt_1", "vt_2"]) await store.commit([{ op: "put", in: "tasks", record: taskRecord({ id }) }]);
  await rewriteJournal(dir, (text) => text.replace('"id":"vt_1","phase":"submitting"', '"id":"vt_1","phase":"gone"'));
  const again = (await open({ dir })).store;
  expect([...again.document.tasks.keys()]).toEqual(["vt_2"]);
  expect(again.openingNotices).toHaveLength(1);
  const [aside = ""] = await readdir(join(dir, "quarantine"));
  const [file = ""] = await readdir(join(dir, "quarantine", aside));
  expect(await readFile(join(dir, "quarantine", aside, file), "utf8")).toContain('"phase":"gone"');
});

test("receivers are kept over restarts and in snapshots", async () => {
  const dir = await folder();
  const { store } = await open({ dir });
  const record = { id: "https://receiver.example/hook", disabled_at: 5 };
  await store.commit([{ op: "put", in: "receivers", record }]);
  expect((await open({ dir })).store.document.receivers.get(record.id)).toEqual(record);
  await store.snapshot();
  await store.close();
  const again = (await open({ dir })).store;
  expect(again.document.receivers.get(record.id)).toEqual(record);
  await again.commit([{ op: "delete", in: "receivers", id: record.id }]);
  await again.close();
  expect((await open({ dir })).store.document.receivers.size).toBe(0);
});

test("a folder of a version without receivers opens whole", async () => {
  const dir = await folder();
  const { store } = await open({ dir });
  await store.commit([{ op: "put", in: "tasks", record: taskRecord() }]);
  await store.snapshot();
  await store.close();
  const again = (await open({ dir })).store;
  expect(again.document.receivers.size).toBe(0);
  expect(again.document.tasks.size).toBe(1);
  expect(again.openingNotices).toEqual([]);
});
