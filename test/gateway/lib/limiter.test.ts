import { expect, it } from "vitest";
import { Limiter } from "../../../gateway/lib/limiter.ts";

/** Work that ends when it is ordered to, and what of it runs. */
function workshop() {
  const running: { name: string; end: () => void }[] = [];
  const work = (name: string) => (): Promise<void> =>
    new Promise((resolve) => {
      const one = {
        name,
        end: () => {
          running.splice(running.indexOf(one), 1);
          resolve();
        },
      };
      running.push(one);
    });
  const count = (name: string): number => running.filter((one) => one.name === name).length;
  return { running, work, count };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("two of a name and 64 in all run at the same time, and those who wait have their turn", async () => {
  const limiter = new Limiter({ each: 2, all: 64 });
  const { running, work, count } = workshop();
  for (let number = 0; number < 5; number += 1) void limiter.run("busy", work("busy"));
  expect(count("busy")).toBe(2);
  for (let number = 0; number < 40; number += 1) {
    for (let times = 0; times < 3; times += 1) void limiter.run(`r${number}`, work(`r${number}`));
  }
  expect(running).toHaveLength(64);
  let idle = false;
  void limiter.idle().then(() => (idle = true));
  let finished = 0;
  while (running.length > 0) {
    expect(running.length).toBeLessThanOrEqual(64);
    for (let number = 0; number < 40; number += 1) expect(count(`r${number}`)).toBeLessThanOrEqual(2);
    expect(count("busy")).toBeLessThanOrEqual(2);
    running[0]?.end();
    finished += 1;
    await settled();
  }
  expect(finished).toBe(5 + 3 * 40);
  expect(idle).toBe(true);
});

it("let a receiver that comes late have its turn before long queues of others end", async () => {
  const limiter = new Limiter({ each: 2, all: 64 });
  const { running, work, count } = workshop();
  for (let number = 0; number < 40; number += 1) {
    for (let times = 0; times < 20; times += 1) void limiter.run(`r${number}`, work(`r${number}`));
  }
  void limiter.run("late", work("late"));
  let ended = 0;
  while (count("late") === 0 && ended < 200) {
    running[0]?.end();
    ended += 1;
    await settled();
  }
  expect(ended).toBeLessThan(100);
});

it("work may go first, and what has not started is forgotten by clear", async () => {
  const limiter = new Limiter({ each: 2, all: 64 });
  const { running, work } = workshop();
  for (const name of ["a", "b", "c", "d"]) void limiter.run("one", work(name));
  void limiter.run("one", work("by hand"), true);
  running[0]?.end();
  await settled();
  expect(running.map(({ name }) => name)).toEqual(["b", "by hand"]);
  limiter.clear();
  running[0]?.end();
  running[0]?.end();
  await settled();
  expect(running).toEqual([]);
  await limiter.idle();
});

it("gives what the work brings, and a failure to its own caller", async () => {
  const limiter = new Limiter({ each: 1 });
  const failed = limiter.run("a", () => Promise.reject(new Error("no")));
  const next = limiter.run("a", async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
  await limiter.idle();
});
