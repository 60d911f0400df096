import { describe, expect, it } from "vitest";
import { StoreWriteError } from "../../../../../gateway/store/store.ts";
import { TASK_AT, taskResult } from "../../../../support/tasks.ts";
import { HOUR, MINUTE, SECOND, SILENCE, bill, ended, engineOf, result, running, succeeded } from "./engine-parts.ts";
import type { Response } from "./engine-parts.ts";

describe("a task that is followed", () => {
  it("is asked for until it is made, saved and booked", async () => {
    const { parts, engine, booked, pass, settle } = engineOf();
    const task = parts.add();
    engine.follow(task);
    await pass(2_999);
    expect(parts.requests).toEqual([]);
    await pass(1);
    expect(parts.now(task).phase).toBe("running");
    await pass(10_000);
    expect(parts.requests).toHaveLength(2);
    parts.respond = () => succeeded;
    await pass(10_000);
    expect(parts.now(task)).toMatchObject({ phase: "succeeded", result: { saved: true }, bill: { counted: true } });
    expect(booked).toEqual([[task.id, false]]);
    await pass(HOUR);
    expect(parts.requests).toHaveLength(3);
    await settle();
  });

  it.each([
    [ended, 0],
    [{ ...ended, bill }, 0],
    [{ phase: "succeeded", result: taskResult(), bill: { ...bill, counted: true } }, 0],
    [{ phase: "failed", error: { code: "timeout", message: "" } }, 1],
  ] as const)("%j is asked for %d times", async (changes, times) => {
    const { parts, engine, pass } = engineOf();
    engine.follow(parts.add(changes));
    await pass(10 * SECOND);
    expect([parts.requests.length, parts.fetched]).toEqual([times, []]);
  });

  it("is forgotten at its end: 300 that have ended do not slow another one down", async () => {
    const { parts, engine, pass } = engineOf();
    const others = Array.from({ length: 300 }, () => parts.add());
    for (const other of others) engine.follow(other);
    for (const other of others) {
      parts.tasks.set(other.id, { ...other, ...ended, bill: { ...bill, counted: true } });
      engine.follow(parts.now(other));
    }
    engine.follow(parts.add());
    await pass(13 * SECOND);
    expect(parts.requests).toHaveLength(2);
  });

  it("and was taken out of the repository is not asked for", async () => {
    const { parts, engine, pass } = engineOf();
    engine.follow(parts.add());
    parts.tasks.clear();
    await pass(MINUTE);
    expect(parts.requests).toEqual([]);
  });

  it("reports a problem once, and asked for less often", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add();
    parts.respond = () => SILENCE;
    engine.follow(task);
    await pass(3 * SECOND + 10 * SECOND);
    expect(parts.now(task).timeline).toHaveLength(1);
    await pass(20 * SECOND);
    expect(parts.now(task).timeline.at(-1)?.note).toContain("cannot be reached");
    expect(parts.requests).toHaveLength(3);
    await pass(HOUR / 2);
    expect(parts.now(task).timeline).toHaveLength(2);
  });

  it("is asked for again 5 s after the disk refused, or after a mistake", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add();
    engine.follow(task);
    parts.diskFaults.push(new StoreWriteError("full"), new Error("a bug"));
    await pass(3 * SECOND);
    expect(parts.warnings).toEqual([]);
    await pass(5 * SECOND - 1);
    expect(parts.requests).toHaveLength(1);
    await pass(1);
    expect([parts.requests.length, parts.warnings]).toEqual([2, [expect.stringContaining("a bug")]]);
    await pass(5 * SECOND);
    expect(parts.now(task).phase).toBe("running");
  });

  it("is asked for again 5 s after the disk refused a note of a problem", async () => {
    const { parts, engine, pass } = engineOf();
    parts.respond = () => SILENCE;
    engine.follow(parts.add());
    await pass(33 * SECOND - 1);
    parts.diskFaults.push(new StoreWriteError("full"));
    await pass(1);
    expect(parts.requests).toHaveLength(3);
    await pass(5 * SECOND);
    expect(parts.requests).toHaveLength(4);
  });

  it("is booked again 5 s after the disk refused, as one that may have been booked", async () => {
    const { parts, engine, booked, refused, pass } = engineOf();
    const task = parts.add({ ...ended, bill });
    refused.push(true);
    engine.follow(task);
    await pass(5 * SECOND - 1);
    expect(booked).toEqual([[task.id, false]]);
    await pass(1);
    expect(booked).toEqual([
      [task.id, false],
      [task.id, true],
    ]);
    await pass(MINUTE);
    expect(booked).toHaveLength(2);
  });

  it("whose file cannot be fetched now is fetched later, from the address of then", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add({ phase: "fetching", result, bill });
    parts.fetchAs = async () => Promise.reject(new StoreWriteError("full"));
    engine.follow(task);
    await pass(0);
    expect(parts.requests).toEqual([]);
    parts.fetchAs = async () => true;
    parts.respond = () => succeeded;
    await pass(5 * SECOND);
    expect(parts.requests).toEqual(["GET /tasks/t-1"]);
    expect(parts.now(task).phase).toBe("succeeded");
  });

  it("is not followed when Postern stops", async () => {
    const { parts, engine, booked, pass } = engineOf();
    parts.stop.abort();
    engine.follow(parts.add({ ...ended, bill }));
    engine.follow(parts.add());
    engine.watch(parts.add());
    await pass(HOUR);
    expect([parts.requests, booked, engine.stopping.aborted]).toEqual([[], [], true]);
  });
});

describe("a start", () => {
  it("takes up each task where it was", async () => {
    const { parts, engine, booked, held, pass } = engineOf();
    const request = parts.add();
    const sent = parts.add({ phase: "submitting", operation: null });
    const lost = parts.add({ phase: "unknown", operation: null });
    const made = parts.add({ phase: "fetching", result, bill });
    const late = parts.add({ phase: "succeeded", result, bill: { ...bill, counted: true } });
    const over = parts.add({ ...ended, bill });
    parts.respond = (path) => (path.startsWith("GET /tasks/t-1") ? running : SILENCE);
    await engine.start();
    expect(held).toEqual([request, sent, lost, made, late, over].map(({ id }) => id));
    expect(parts.now(sent)).toMatchObject({ phase: "unknown", updated_at: TASK_AT });
    await pass(0);
    expect([parts.now(made).phase, parts.now(late).result?.saved]).toEqual(["succeeded", true]);
    expect(booked).toEqual([made, over].map(({ id }) => [id, true]));
    await pass(5 * SECOND - 1);
    expect(parts.requests.filter((path) => path === "GET /tasks/t-1")).toEqual([]);
    await pass(1);
    expect(parts.requests.filter((path) => path === "GET /tasks/t-1")).toHaveLength(1);
    await pass(11 * SECOND);
    expect(parts.requests.filter((path) => path.includes("list"))).toHaveLength(2);
  });

  it("waits until what was on its way is written down as lost", async () => {
    const { parts, engine } = engineOf();
    parts.add({ phase: "submitting", operation: null });
    const disk = Promise.withResolvers<void>();
    parts.disk = disk.promise;
    let isStarted = false;
    const started = engine.start().then(() => (isStarted = true));
    await parts.settle();
    expect(isStarted).toBe(false);
    disk.resolve();
    await started;
  });

  it("goes on 5 s later where the disk refuses", async () => {
    const { parts, engine, pass } = engineOf();
    const sent = parts.add({ phase: "submitting", operation: null });
    parts.diskFaults.push(new StoreWriteError("full"));
    await engine.start();
    expect(parts.now(sent)).toBe(sent);
    await pass(5 * SECOND - 1);
    expect(parts.now(sent)).toBe(sent);
    await pass(1);
    expect(parts.now(sent).phase).toBe("unknown");
  });
});

describe("a task that someone waits for", () => {
  it("is asked for sooner, and not while it is being asked for", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add();
    engine.follow(task);
    await pass(3 * SECOND);
    engine.watch(parts.now(task));
    await pass(2 * SECOND);
    expect(parts.requests).toHaveLength(2);
    const slow = Promise.withResolvers<Response>();
    parts.respond = () => slow.promise;
    await pass(2 * SECOND);
    engine.watch(parts.now(task));
    await pass(5 * SECOND);
    expect(parts.requests).toHaveLength(3);
    slow.resolve(running);
    await pass(2 * SECOND);
    expect(parts.requests).toHaveLength(4);
  });

  it("is not asked for before its first question is due", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add();
    engine.follow(task);
    engine.watch(task);
    await pass(2_999);
    expect(parts.requests).toEqual([]);
  });

  it("is not asked for once it is over", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add({ ...ended, bill });
    engine.watch(task);
    await pass(MINUTE);
    expect(parts.requests).toEqual([]);
  });
});

describe("a task that is refreshed", () => {
  it("is polled immediately, once for all callers", async () => {
    const { parts, engine } = engineOf();
    const task = parts.add();
    const [one, other] = await Promise.all([engine.refresh(task), engine.refresh(task)]);
    expect([one.phase, other]).toEqual(["running", one]);
    expect(parts.requests).toHaveLength(1);
    await engine.refresh(task);
    expect(parts.requests).toHaveLength(2);
  });

  it("is looked for where it is lost, and is as it was where it is over", async () => {
    const { parts, engine } = engineOf();
    const over = parts.add({ ...ended, bill });
    expect(await engine.refresh(over)).toBe(over);
    const lost = parts.add({ phase: "unknown", operation: null });
    parts.respond = () => SILENCE;
    expect(await engine.refresh(lost)).toBe(lost);
    expect(parts.requests).toEqual([expect.stringContaining("list")]);
  });

  it("counts its looks, the second of which may give it up", async () => {
    const { parts, engine, pass } = engineOf();
    const lost = parts.add({ phase: "unknown", operation: null });
    parts.respond = () => ({ body: { tasks: [], next: null } });
    await pass(5 * MINUTE);
    expect((await engine.refresh(lost)).phase).toBe("unknown");
    expect((await engine.refresh(lost)).phase).toBe("failed");
    await pass(SECOND);
    expect(parts.now(lost).bill?.counted).toBe(true);
  });
});

describe("a task that is cancelled", () => {
  it("is asked for first, and booked", async () => {
    const { parts, engine, booked, settle } = engineOf();
    const task = parts.add();
    parts.respond = (path) =>
      path.startsWith("DELETE") ? { body: {} } : { body: { state: "queued", progress: null } };
    expect(await engine.cancel(task)).toMatchObject({ phase: "cancelled" });
    expect(parts.requests.slice(0, 2)).toEqual(["GET /tasks/t-1", "DELETE /tasks/t-1"]);
    await settle();
    expect(booked).toEqual([[task.id, false]]);
  });

  it("is asked for again after a refusal, though it became due meanwhile", async () => {
    const { parts, engine, pass } = engineOf();
    const task = parts.add();
    const slow = Promise.withResolvers<Response>();
    const queued = { body: { state: "queued", progress: null } };
    parts.respond = (path) => (path.startsWith("DELETE") ? slow.promise : queued);
    const cancelled = expect(engine.cancel(task)).rejects.toMatchObject({ code: "not_cancellable" });
    await pass(10 * SECOND);
    expect(parts.requests).toHaveLength(2);
    slow.resolve({ status: 409, body: {} });
    await cancelled;
    await pass(5 * SECOND - 1);
    expect(parts.requests).toHaveLength(2);
    await pass(1);
    expect(parts.requests).toHaveLength(3);
  });

  it("is not, once it is over", async () => {
    const { parts, engine } = engineOf();
    const task = parts.add();
    parts.respond = () => ({ body: { state: "expired" } });
    await expect(engine.cancel(task)).rejects.toMatchObject({ message: expect.stringContaining("It is over: failed") });
    expect(parts.requests).toEqual(["GET /tasks/t-1"]);
  });

  it("is not, where it ended while the provider was asked", async () => {
    const { parts, engine } = engineOf();
    const task = parts.add();
    parts.respond = (path) => {
      if (path.startsWith("DELETE")) parts.tasks.set(task.id, { ...parts.now(task), ...ended, bill });
      return { body: { state: "queued", progress: null } };
    };
    await expect(engine.cancel(task)).rejects.toMatchObject({ message: expect.stringContaining("It is over: failed") });
    expect(parts.now(task).phase).toBe("failed");
  });
});

it("the owner's word on a lost task is followed", async () => {
  const { parts, engine, pass } = engineOf();
  const lost = parts.add({ phase: "unknown", operation: null });
  expect(await engine.decide(lost, "t-9")).toMatchObject({ phase: "submitted" });
  await pass(3 * SECOND);
  expect(parts.requests).toEqual(["GET /tasks/t-9"]);
});

it("what became due during sleep is done at the check", async () => {
  const { parts, engine, settle } = engineOf();
  engine.follow(parts.add());
  await settle();
  parts.time.jump(MINUTE);
  engine.check();
  await settle();
  expect(parts.requests).toHaveLength(1);
});
