import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../../../gateway/core/tasks/task.ts";
import { StoreWriteError } from "../../../../../gateway/store/store.ts";
import { TASK_AT } from "../../../../support/tasks.ts";
import { EngineParts, HOUR, MINUTE, SECOND, SILENCE, bill, ended, engineOf, running } from "./engine-parts.ts";
import type { Response } from "./engine-parts.ts";

describe("tasks that are due together", () => {
  const together = async (respond: (path: string) => Response | Error) => {
    const { parts, engine, pass } = engineOf();
    parts.respond = respond;
    const tasks = [1, 2, 3].map(() => parts.add());
    for (const task of tasks) engine.follow(task);
    await pass(3_500);
    return { parts, engine, pass, tasks, asked: [...parts.requests] };
  };

  it("are asked for in one question after the first", async () => {
    const { parts, tasks, asked } = await together((path) =>
      path.includes("batch") ? { body: { "t-2": running.body, "t-3": running.body } } : running,
    );
    expect(asked).toEqual(["GET /tasks/t-1", "GET /batch/t-2,t-3"]);
    expect(tasks.map((task) => parts.now(task).phase)).toEqual(["running", "running", "running"]);
  });

  it("are asked for alone where the list does not have them, until they were", async () => {
    const { parts, engine, pass, asked } = await together((path) => (path.includes("batch") ? { body: {} } : running));
    expect(asked).toEqual(["GET /tasks/t-1", "GET /batch/t-2,t-3", "GET /tasks/t-2", "GET /tasks/t-3"]);
    parts.time.jump(MINUTE);
    engine.check();
    await pass(SECOND);
    expect(parts.requests.slice(4, 6)).toEqual(["GET /tasks/t-1", "GET /batch/t-2,t-3"]);
  });

  it("are asked for alone where they are lost or being asked for already", async () => {
    const { parts, engine, pass } = engineOf();
    const slow = Promise.withResolvers<Response>();
    parts.respond = (path) => (path === "GET /tasks/t-2" ? slow.promise : path.includes("list") ? SILENCE : running);
    const tasks = [1, 2, 3].map(() => parts.add());
    for (const task of tasks) engine.follow(task);
    for (let lost = 0; lost < 2; lost += 1) engine.follow(parts.add({ phase: "unknown", operation: null }));
    const refreshed = engine.refresh(tasks[1] as TaskRecord);
    parts.time.jump(MINUTE);
    engine.check();
    await pass(SECOND);
    expect(parts.requests.map((path) => path.replace(/\?.*/, ""))).toEqual([
      "GET /tasks/t-2",
      "GET /tasks/t-1",
      "GET /tasks/t-3",
      "GET /list/1",
      "GET /list/1",
    ]);
    slow.resolve(running);
    await refreshed;
  });

  it.each([null, undefined])("are asked for in eight questions at the same time, with lists: %j", async (batch) => {
    const parts = new EngineParts(batch === null ? { batch } : {});
    const { engine, pass } = engineOf(parts);
    parts.respond = () => new Promise(() => {});
    for (let task = 0; task < 40; task += 1) engine.follow(parts.add());
    await pass(MINUTE);
    expect(parts.requests).toHaveLength(8);
  });

  it("are each asked for again where the disk refuses", async () => {
    const parts = new EngineParts();
    const { engine, pass } = engineOf(parts);
    parts.respond = (path) =>
      path.includes("batch") ? { body: { "t-2": running.body, "t-3": running.body } } : running;
    for (const task of [1, 2, 3].map(() => parts.add())) engine.follow(task);
    await pass(3 * SECOND);
    parts.diskFaults.push(new StoreWriteError("full"));
    await pass(SECOND);
    expect([...parts.tasks.values()].map(({ phase }) => phase)).toEqual(["running", "submitted", "running"]);
    await pass(5 * SECOND);
    expect([...parts.tasks.values()].map(({ phase }) => phase)).toEqual(["running", "running", "running"]);
  });

  it.each([
    ["connection_1", 100],
    ["gone", 250],
  ])("of %s begin %d ms apart", async (connection, gap) => {
    const parts = new EngineParts({ batch: null });
    const { engine, pass } = engineOf(parts);
    const tasks = [1, 2].map(() => parts.add({ connection, forgotten_at: TASK_AT - 1 }));
    for (const task of tasks) engine.follow(task);
    const looked: number[] = [];
    const { connections } = parts;
    const get = connections.get.bind(connections);
    const first = connection === "gone" ? 10 * SECOND : 3 * SECOND;
    await pass(first - 1);
    connections.get = (id) => {
      looked.push(parts.time.now() - TASK_AT - first);
      return get(id);
    };
    await pass(gap);
    const before = looked.length;
    await pass(1);
    expect([looked.every((at) => at === 0 || at === gap), looked.length > before]).toEqual([true, true]);
  });
});

it.each(["idle", "stop"] as const)("%s waits for what is booked and what is asked for", async (how) => {
  const { parts, engine, ledger } = engineOf();
  const [slow, book] = [Promise.withResolvers<Response>(), Promise.withResolvers<void>()];
  parts.respond = () => slow.promise;
  ledger.ready = book.promise;
  const state = { isOver: false };
  const wait = () => engine[how]().then(() => (state.isOver = true));
  engine.follow(parts.add({ ...ended, bill }));
  const booked = wait();
  await parts.settle();
  expect(state.isOver).toBe(false);
  book.resolve();
  await booked;
  state.isOver = false;
  const refreshed = engine.refresh(parts.add());
  const pending = wait();
  await parts.settle();
  expect(state.isOver).toBe(false);
  slow.resolve(running);
  await pending;
  expect((await refreshed).phase).toBe("running");
});

describe("a stop", () => {
  it("waits for what is asked and begins nothing more", async () => {
    const { parts, engine, pass } = engineOf();
    const slow = Promise.withResolvers<Response>();
    parts.respond = () => slow.promise;
    const task = parts.add();
    const other = parts.add();
    engine.follow(task);
    engine.follow(other);
    await pass(3 * SECOND);
    const refreshed = engine.refresh(parts.add());
    engine.follow(parts.add());
    parts.stop.abort();
    let isStopped = false;
    const stopped = engine.stop().then(() => (isStopped = true));
    await parts.settle();
    expect(isStopped).toBe(false);
    slow.resolve(running);
    await stopped;
    expect(parts.timers).toBe(0);
    expect((await refreshed).phase).toBe("running");
    const requestCount = parts.requests.length;
    await pass(HOUR);
    expect([parts.requests.length, parts.now(task).phase]).toEqual([requestCount, "running"]);
  });
});
