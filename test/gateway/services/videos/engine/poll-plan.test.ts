import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../../../gateway/core/tasks/task.ts";
import { PollPlan } from "../../../../../gateway/services/videos/engine/poll-plan.ts";
import type { VideosAdapter } from "../../../../../gateway/providers/videos.ts";
import { TASK_AT, taskId, taskRecord } from "../../../../support/tasks.ts";
import { EngineParts, HOUR, MINUTE, SECOND } from "./engine-parts.ts";

const WITH_WEBHOOK = { webhook_url: "https://receiver.example/hook" };
const TIMED_OUT = { phase: "failed", error: { code: "timeout", message: "" } } as const;

/** A plan for one task of a provider whose paces are 3, 2 and 10 s. */
function plan(changes: Partial<TaskRecord> = {}, random = 0.5, videos: Partial<VideosAdapter> = {}) {
  const parts = new EngineParts(videos);
  const dice = { random };
  const polls = new PollPlan({ ...parts.deps, random: () => dice.random });
  const task = parts.add(changes);
  const next = () => polls.next(task) - parts.time.now();
  const watch = () => {
    const at = polls.watchTask(task);
    return at === null ? null : at - parts.time.now();
  };
  const said = () => polls.recordPoll(task, { kind: "said", task });
  const fail = (retryAfter: number | null = null) =>
    polls.recordPoll(task, { kind: "nothing", task, why: "no", retryAfter });
  return { parts, polls, task, dice, next, watch, said, fail };
}

describe("a question about a task", () => {
  it.each([
    [0, 2_400, 8_000],
    [0.5, 3_000, 10_000],
    [1, 3_600, 12_000],
  ])("comes with the dice at %d after %d ms, then after %d ms", (random, first, usual) => {
    const { next, said } = plan({}, random);
    expect(next()).toBe(first);
    said();
    expect(next()).toBe(usual);
  });

  it("comes each minute where the connection is gone, each 10 s while it is watched", () => {
    const { next, said, watch } = plan({ connection: "gone" });
    expect(next()).toBe(10_000);
    said();
    expect(next()).toBe(MINUTE);
    expect([watch(), next()]).toEqual([10_000, 10_000]);
  });

  it.each([
    [{}, 10 * MINUTE],
    [WITH_WEBHOOK, 10 * MINUTE],
  ])("comes each ten minutes for the verdict about a task %j that has timed out", (changes, ms) => {
    const { next, said, watch } = plan({ ...TIMED_OUT, ...changes });
    said();
    expect([next(), watch()]).toEqual([ms, null]);
  });

  it.each([
    [5_000, 10_000, [10_000, 5_000, 5_000]],
    [2_000, 1_000, [1_000, 1_000, 3_000]],
  ])("at a provider with %d ms while watched and %d ms otherwise comes after %j", (watched, usual, expected) => {
    const pace = { first: 1, watched, usual, gap: 1, timeouts: HOUR, memory: HOUR };
    const [plain, seen, eager] = [{}, {}, WITH_WEBHOOK].map((changes) => plan(changes, 0.5, { pace }));
    for (const one of [plain, seen, eager]) one?.said();
    seen?.watch();
    expect([plain, seen, eager].map((one) => one?.next())).toEqual(expected);
  });

  it("is as usual again when the time of the webhook's eagerness is over, also after the clock was set back", async () => {
    const { parts, next, said } = plan({ ...WITH_WEBHOOK, created_at: TASK_AT + HOUR });
    next();
    said();
    await parts.pass(10 * MINUTE - 1);
    expect(next()).toBe(3_000);
    await parts.pass(1);
    expect(next()).toBe(10_000);
  });
});

describe("a task that is watched", () => {
  it("is asked for 2 s after the last question, for 30 s", async () => {
    const { parts, next, watch, said } = plan();
    expect(watch()).toBeNull();
    next();
    said();
    await parts.pass(500);
    expect([watch(), next()]).toEqual([1_500, 2_000]);
    await parts.pass(29_999);
    expect(next()).toBe(2_000);
    await parts.pass(1);
    expect(next()).toBe(10_000);
    expect(watch()).toBe(0);
  });

  it("is not asked for sooner after a failure, nor before its first question", () => {
    const { watch, fail, said } = plan();
    fail();
    expect(watch()).toBeNull();
    said();
    expect(watch()).toBe(2_000);
  });
});

describe("a failed question", () => {
  it("is repeated after 10 s, 20 s, 40 s and so on, at most each 5 min, until it succeeds", () => {
    const { next, fail, said } = plan();
    const pauses = [10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * SECOND);
    expect(
      pauses.map(() => {
        fail();
        return next();
      }),
    ).toEqual(pauses);
    said();
    expect(next()).toBe(10_000);
    fail();
    expect(next()).toBe(10_000);
  });

  it.each([
    [5, 10_000],
    [25, 25_000],
    [300, 300_000],
    [86_400, 300_000],
  ])("whose provider asks for %d s comes after %d ms, without a guess", (retryAfter, ms) => {
    const { next, fail } = plan();
    fail(retryAfter);
    expect(next()).toBe(ms);
    fail(null);
    expect(next()).toBe(20_000);
  });

  it("counts the provider's pause from its response", async () => {
    const { parts, next, fail } = plan();
    fail(30);
    await parts.pass(12_000);
    expect(next()).toBe(18_000);
  });

  it("is news from the third on, once for each reason until the provider responds", () => {
    const { polls, task, fail, said } = plan();
    const tell = (why: string) => polls.problem(task, why);
    const reports = [1, 2, 3, 4].map(() => {
      fail();
      return tell("a");
    });
    expect([...reports, tell("b"), tell("b"), tell("a")]).toEqual([false, false, true, false, true, false, true]);
    said();
    expect(tell("a")).toBe(false);
    for (let failures = 0; failures < 3; failures += 1) fail();
    expect(tell("a")).toBe(true);
  });
});

it.each([
  [0, 0],
  [0.5, 5_000],
  [0.999_99, 9_999],
])("after a start with the dice at %d the first question comes after %d ms, and the next as usual", (random, ms) => {
  const { parts, polls, task, dice, next } = plan({}, random);
  expect(polls.afterStart(task) - parts.time.now()).toBe(ms);
  dice.random = 0.5;
  expect(next()).toBe(10_000);
});

it("looks for a lost task after 15 s, 1, 2, 5, 15 and 30 minutes, then each half hour", () => {
  const { parts, polls, task } = plan();
  const looks = Array.from({ length: 8 }, () => {
    const at = [polls.looks(task), (polls.nextLook(task) - parts.time.now()) / SECOND];
    polls.markRead(task);
    return at;
  });
  expect(looks).toEqual([15, 60, 120, 300, 900, 1_800, 1_800, 1_800].map((seconds, look) => [look, seconds]));
  polls.forget(task.id);
  expect(polls.looks(task)).toBe(0);
});

/** A plan for so many tasks of a provider that is asked each 15 s, 3 s while someone waits. */
function crowd(count: number) {
  const parts = new EngineParts({
    pace: { first: 3_000, watched: 3_000, usual: 15_000, gap: 1, timeouts: HOUR, memory: HOUR },
  });
  const plan = new PollPlan(parts.deps);
  const tasks = Array.from({ length: count }, () => parts.add({ phase: "running" }));
  for (const task of tasks) {
    plan.next(task);
    plan.recordPoll(task, { kind: "said", task });
  }
  return { plan, task: tasks[0] as TaskRecord };
}

describe("when a task is asked for next", () => {
  it.each([
    [1, 15_000],
    [150, 15_000],
    [500, 50_000],
    [20_000, 300_000],
  ])("with %i of them under way: in %i ms", (count, ms) => {
    const { plan, task } = crowd(count);
    expect(plan.next(task) - TASK_AT).toBe(ms);
  });

  it("is soon while someone waits for it, however many there are", () => {
    const { plan, task } = crowd(500);
    expect((plan.watchTask(task) as number) - TASK_AT).toBe(3_000);
    expect(plan.next(task) - TASK_AT).toBe(3_000);
  });

  it("forgets what has ended", () => {
    const { plan, task } = crowd(300);
    for (let index = 1; index < 300; index += 1) plan.forget(taskId(index + 1));
    expect(plan.next(task) - TASK_AT).toBe(15_000);
  });

  describe("that is to be called back", () => {
    const called = (plan: PollPlan, minutes: number, id: number) => {
      const task = taskRecord({
        id: taskId(id),
        phase: "running",
        operation: { id: `t-${id}` },
        webhook_url: "https://receiver.example/hook",
        created_at: TASK_AT - minutes * 60_000,
      });
      plan.next(task);
      plan.recordPoll(task, { kind: "said", task });
      return task;
    };

    it.each([
      [0, 1, 3_000],
      [9, 500, 3_000],
      [11, 1, 15_000],
      [11, 500, 40_000],
    ])("%i minutes after its submission, with %i under way: in %i more ms", (minutes, count, ms) => {
      const { plan } = crowd(count);
      expect(plan.next(called(plan, minutes, 1_000)) - TASK_AT).toBe(ms);
    });

    it.each([
      [0, [3_000, 6_000, 12_000, 24_000, 40_000, 40_000]],
      [11, [15_000, 30_000, 40_000, 40_000, 40_000, 40_000]],
    ])("%i minutes after it, each time that its provider does not answer, is put off by %j", (minutes, pauses) => {
      const { plan } = crowd(1);
      const task = called(plan, minutes, 1_000);
      const waits = pauses.map(() => {
        plan.recordPoll(task, { kind: "nothing", task, why: "no", retryAfter: null });
        return plan.next(task) - TASK_AT;
      });
      expect(waits).toEqual(pauses);
    });
  });
});
