import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isOver, type TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { closedTask, taskDelivery, taskId, taskRecord } from "../../../support/tasks.ts";
import { SimFs } from "../sim-fs.ts";
import { RepositoryHarness } from "./repository-harness.ts";

let bench: RepositoryHarness;
beforeEach(async () => {
  bench = await RepositoryHarness.make();
});
afterEach(() => bench.end());

const running = (task: TaskRecord): TaskRecord => ({ ...task, phase: "running", progress: (task.progress ?? 0) + 1 });

describe("creating", () => {
  it("is done when the task is on the disk", async () => {
    const task = taskRecord();
    await bench.repository.create(task);
    expect(bench.repository.get(task.id)).toBe(task);
    expect(bench.changes).toEqual([task]);
    await bench.restart("killed");
    expect([...bench.repository.live()]).toEqual([task]);
    expect(await bench.repository.find(task.id, null)).toEqual(task);
  });

  it("leaves nothing when the disk refuses", async () => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const simulated = await RepositoryHarness.make(fs);
    fs.fault = { call: fs.calls, code: "ENOSPC", calls: 1_000 };
    await expect(simulated.repository.create(taskRecord())).rejects.toBeInstanceOf(StoreWriteError);
    fs.fault = null;
    expect([...simulated.repository.live()]).toEqual([]);
    expect(simulated.changes).toEqual([]);
    expect((await simulated.repository.search({})).total).toBe(0);
    await simulated.repository.create(taskRecord());
    expect((await simulated.repository.search({})).total).toBe(1);
  });

  it("can be taken back: then nothing is left of it", async () => {
    const task = taskRecord({ idempotency: { key: "once", hash: "h" }, operation: { id: "v1" } });
    await bench.repository.create(task);
    await bench.repository.remove(task.id);
    await bench.repository.remove("vt_nothing");
    for (const again of [false, true]) {
      if (again) await bench.restart();
      expect(await bench.repository.find(task.id, null)).toBeNull();
      expect(await bench.repository.find("v1", null)).toBeNull();
      expect(await bench.repository.byIdempotency("key_1", "once")).toBeNull();
      expect(await bench.repository.search({})).toMatchObject({ total: 0, active: 0 });
    }
  });
});

describe("changing", () => {
  it("makes the next record of the newest one, one at a time, regardless of who asks", async () => {
    const task = taskRecord();
    await bench.repository.create(task);
    const results = await Promise.all(Array.from({ length: 100 }, () => bench.repository.change(task.id, running)));
    expect(results.map((result) => result?.task.progress)).toEqual(
      Array.from({ length: 100 }, (_, count) => count + 1),
    );
    expect(bench.changes.map(({ progress }) => progress)).toEqual([null, ...results.map((_, count) => count + 1)]);
    await bench.restart("killed");
    expect(bench.repository.get(task.id)?.progress).toBe(100);
  });

  it("lets one of a hundred end a task", async () => {
    const task = taskRecord();
    await bench.repository.create(task);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, count) =>
        bench.repository.change(task.id, (newest) =>
          isOver(newest) ? null : closedTask({ id: task.id, client: `winner ${count}` }),
        ),
      ),
    );
    expect(results.filter((result) => result?.changed)).toHaveLength(1);
    expect(new Set(results.map((result) => result?.task))).toEqual(new Set([bench.repository.get(task.id)]));
    expect(bench.changes).toHaveLength(2);
  });

  it("leaves what is left as it is, and knows no task that is not there", async () => {
    const task = taskRecord();
    await bench.repository.create(task);
    expect(await bench.repository.change(task.id, () => null)).toEqual({ task, changed: false });
    expect(await bench.repository.change(task.id, (same) => same)).toEqual({ task, changed: false });
    expect(await bench.repository.change("vt_nothing", running)).toBeNull();
    expect(bench.changes).toHaveLength(1);
  });

  it("changes nothing when the disk refuses, nor when the change itself fails", async () => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const simulated = await RepositoryHarness.make(fs);
    const task = taskRecord();
    await simulated.repository.create(task);
    fs.fault = { call: fs.calls, code: "EIO", calls: 1_000 };
    await expect(simulated.repository.change(task.id, running)).rejects.toBeInstanceOf(StoreWriteError);
    fs.fault = null;
    expect(simulated.repository.get(task.id)).toBe(task);
    expect((await simulated.repository.search({ status: "running" })).total).toBe(0);
    expect(simulated.changes).toHaveLength(1);
    const broken = simulated.repository.change(task.id, () => {
      throw new Error("broken");
    });
    await expect(broken).rejects.toThrow("broken");
    expect((await simulated.repository.change(task.id, running))?.task.progress).toBe(1);
  });

  it("is reported to listeners until they leave, and to the pages while someone looks", async () => {
    const task = taskRecord();
    await bench.repository.create(task);
    expect(bench.emitted).toEqual([]);
    bench.listen();
    const events: string[] = [];
    const leave = bench.repository.onChange(({ phase }) => events.push(phase));
    await bench.repository.change(task.id, running);
    leave();
    await bench.repository.change(task.id, () => closedTask({ id: task.id, deliveries: [taskDelivery()] }));
    expect(events).toEqual(["running"]);
    expect(bench.emitted).toMatchObject([
      { type: "task.changed", task: { id: task.id, status: "running", progress: 1, webhook: null } },
      { type: "task.changed", task: { id: task.id, status: "succeeded", webhook: "pending" } },
    ]);
  });
});

describe("looking up", () => {
  it("finds a task by our id, by the provider's and by the one that clients were given", async () => {
    const tasks = [
      taskRecord({ id: taskId(1), operation: { id: "cgt-1" } }),
      taskRecord({ id: taskId(2), operation: { id: "provider-2" } }),
    ];
    for (const task of tasks) await bench.repository.create(task);
    expect(await bench.repository.find("cgt-1", "key_1")).toEqual(tasks[0]);
    expect(await bench.repository.find("provider-2", "key_1")).toEqual(tasks[1]);
    expect(await bench.repository.find(taskId(2), "key_1")).toEqual(tasks[1]);
    for (const id of ["cgt-1", taskId(2), "provider-2"]) expect(await bench.repository.find(id, "key_2")).toBeNull();
  });

  it("knows an id that the provider says later, and tells the tasks of two providers with one id apart", async () => {
    const task = taskRecord({ id: taskId(1) });
    await bench.repository.create(task);
    expect(await bench.repository.find("same", null)).toBeNull();
    await bench.repository.change(task.id, (newest) => ({ ...newest, operation: { id: "same" } }));
    await bench.repository.create(taskRecord({ id: taskId(2), key: "key_2", operation: { id: "same" } }));
    expect((await bench.repository.find("same", "key_1"))?.id).toBe(taskId(1));
    expect((await bench.repository.find("same", "key_2"))?.id).toBe(taskId(2));
    expect((await bench.repository.find("same", null))?.id).toBe(taskId(2));
    await bench.repository.remove(taskId(2));
    expect((await bench.repository.find("same", null))?.id).toBe(taskId(1));
  });

  it("finds the newest task that a key asked for by a name", async () => {
    const named = (number: number, key: string): TaskRecord =>
      taskRecord({ id: taskId(number), key, idempotency: { key: "once", hash: String(number) } });
    for (const task of [named(1, "key_1"), named(3, "key_1"), named(2, "key_1"), named(4, "key_2")])
      await bench.repository.create(task);
    expect((await bench.repository.byIdempotency("key_1", "once"))?.id).toBe(taskId(3));
    expect((await bench.repository.byIdempotency("key_2", "once"))?.id).toBe(taskId(4));
    expect(await bench.repository.byIdempotency("key_3", "once")).toBeNull();
    expect(await bench.repository.byIdempotency("key_1", "twice")).toBeNull();
  });
});

describe("an archive that cannot be opened", () => {
  it("keeps nothing from working that is in the document, and says once what is missing", async () => {
    const place = join(bench.dir, "tasks");
    await writeFile(place, "no folder");
    const task = taskRecord();
    await bench.repository.create(task);
    bench.repository.start();
    await expect(bench.repository.find("vt_nothing", null)).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect(bench.repository.list({ key: null, limit: 5 })).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(bench.reports).toEqual([expect.stringContaining("Older video tasks cannot be read")]);
    expect(await bench.repository.find(task.id, null)).toEqual(task);
    expect((await bench.repository.change(task.id, running))?.changed).toBe(true);
    expect(await bench.repository.search({})).toMatchObject({ total: 1, complete: false, active: 1 });
    await rm(place);
    expect(await bench.repository.find("vt_nothing", null)).toBeNull();
    expect((await bench.repository.search({})).complete).toBe(true);
  });
});
