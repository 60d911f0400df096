import { expect, test } from "vitest";
import { Turns } from "../../../gateway/lib/turns.ts";

test("work on the same id is done one after another, and other ids do not wait", async () => {
  const turns = new Turns();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.run(["a"], async () => {
    log.push("first begins");
    await gate.promise;
    log.push("first ends");
  });
  const second = turns.run(["a"], async () => log.push("second"));
  await turns.run(["b"], async () => log.push("other"));
  expect(log).toEqual(["first begins", "other"]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(log).toEqual(["first begins", "other", "first ends", "second"]);
});

test("work on several ids waits for each of them and keeps each of them waiting", async () => {
  const turns = new Turns();
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const log: string[] = [];
  const running = [
    turns.run(["a"], () => gates.a.promise),
    turns.run(["b"], () => gates.b.promise),
    turns.run(["a", "b"], async () => log.push("both")),
    turns.run(["b"], async () => log.push("b after")),
  ];
  gates.b.resolve();
  await running[1];
  expect(log).toEqual([]);
  gates.a.resolve();
  await Promise.all(running);
  expect(log).toEqual(["both", "b after"]);
});

test("a failure is its own caller's, and the next has its turn", async () => {
  const turns = new Turns();
  const failed = turns.run(["a"], () => Promise.reject(new Error("no")));
  const next = turns.run(["a"], async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});

test("it is settled when nothing that was asked for is left", async () => {
  const turns = new Turns();
  const gate = Promise.withResolvers<void>();
  let done = false;
  void turns.run(["a"], () => gate.promise);
  void turns.run(["a"], async () => (done = true));
  const settled = turns.settled();
  gate.resolve();
  await settled;
  expect(done).toBe(true);
});
