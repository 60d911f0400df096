import { expect, test } from "vitest";
import { pause, unlessAborted } from "../../../gateway/lib/abortable.ts";
import { Background } from "../../../gateway/lib/background.ts";

function started() {
  const failures: string[] = [];
  const stop = new AbortController();
  const background = new Background(stop.signal, (what, error) => void failures.push(`${what}: ${String(error)}`));
  return { background, failures, stop };
}

test("what work breaks with is heard by its owner", async () => {
  const { background, failures } = started();
  background.run("one", () => Promise.reject(new Error("no")));
  background.run("two", async () => undefined);
  await background.idle();
  expect(failures).toEqual(["one: Error: no"]);
});

test("it is idle when what was started meanwhile is done too", async () => {
  const { background } = started();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  background.run("outer", async () => {
    background.run("inner", async () => {
      await gate.promise;
      done.push("inner");
    });
    done.push("outer");
  });
  const idle = background.idle().then(() => done.push("idle"));
  gate.resolve();
  await idle;
  expect(done).toEqual(["outer", "inner", "idle"]);
});

test("a stop tells work to end and lets nothing begin any more", async () => {
  const { background, stop } = started();
  const done: string[] = [];
  background.run("waits", async () => {
    done.push(String(await pause(() => () => undefined, 1_000, background.stopping)));
  });
  stop.abort();
  await background.idle();
  background.run("late", async () => done.push("late"));
  expect(done).toEqual(["false"]);
});

test("a pause ends when its time has passed, and leaves no one listening", async () => {
  const { signal } = new AbortController();
  const works: (() => void)[] = [];
  const waiting = pause((_ms, work) => (works.push(work), () => undefined), 5, signal);
  works[0]?.();
  expect(await waiting).toBe(true);
  expect(await pause(() => () => undefined, 5, AbortSignal.abort())).toBe(false);
});

test("what no one waits for any more may fail in silence", async () => {
  const stop = new AbortController();
  const work = Promise.withResolvers<string>();
  const waiting = unlessAborted(work.promise, stop.signal);
  stop.abort();
  expect(await waiting).toBeNull();
  work.reject(new Error("nobody hears it"));
  expect(await unlessAborted(Promise.resolve("there"), new AbortController().signal)).toBe("there");
  await expect(unlessAborted(Promise.reject(new Error("no")), new AbortController().signal)).rejects.toThrow("no");
});
