import { expect, test } from "vitest";
import { KeyedMutex, Mutex } from "../../../gateway/lib/mutex.ts";

test("work on the same id is done one after another, and other ids do not wait", async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.run(["a"], async () => {
    log.push("first begins");
    await gate.promise;
    log.push("first ends");
  });
  const second = mutex.run(["a"], async () => log.push("second"));
  await mutex.run(["b"], async () => log.push("other"));
  expect(log).toEqual(["first begins", "other"]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(log).toEqual(["first begins", "other", "first ends", "second"]);
});

test("work on several ids waits for each of them and keeps each of them waiting", async () => {
  const mutex = new KeyedMutex();
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const log: string[] = [];
  const running = [
    mutex.run(["a"], () => gates.a.promise),
    mutex.run(["b"], () => gates.b.promise),
    mutex.run(["a", "b"], async () => log.push("both")),
    mutex.run(["b"], async () => log.push("b after")),
  ];
  gates.b.resolve();
  await running[1];
  expect(log).toEqual([]);
  gates.a.resolve();
  await Promise.all(running);
  expect(log).toEqual(["both", "b after"]);
});

test("a failure is its own caller's, and the next has its turn", async () => {
  const mutex = new KeyedMutex();
  const failed = mutex.run(["a"], () => Promise.reject(new Error("no")));
  const next = mutex.run(["a"], async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});

test("it is settled when nothing that was asked for is left", async () => {
  const mutex = new KeyedMutex();
  const gate = Promise.withResolvers<void>();
  let done = false;
  void mutex.run(["a"], () => gate.promise);
  void mutex.run(["a"], async () => (done = true));
  const settled = mutex.waitUntilFree();
  gate.resolve();
  await settled;
  expect(done).toBe(true);
});

test("without keys everything is one thing, and a failure is its own caller's", async () => {
  const mutex = new Mutex();
  const gate = Promise.withResolvers<void>();
  const log: string[] = [];
  const failed = mutex.run(async () => {
    await gate.promise;
    log.push("first");
    throw new Error("no");
  });
  const next = mutex.run(async () => log.push("second"));
  gate.resolve();
  await mutex.waitUntilSettled();
  expect(log).toEqual(["first", "second"]);
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe(2);
});
