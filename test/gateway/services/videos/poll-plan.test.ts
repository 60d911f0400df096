import { describe, expect, it } from "vitest";
import { PollPlan } from "../../../../gateway/services/videos/engine/poll-plan.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { providers } from "../../../../gateway/providers/registry.ts";
import { taskId, taskRecord } from "../../../support/tasks.ts";

const NOW = 1_800_000_000_000;

/** A plan without chance, whose clock stands still, for tasks of a DashScope connection (15 s between questions). */
function planOf(count: number) {
  const connections = new Connections();
  connections.put(
    makeConnection({
      id: "c1",
      provider: providers.dashscope,
      name: "DashScope",
      baseUrl: "https://dashscope.example",
      priority: 0,
      enabled: true,
      from: "created",
      createdAt: NOW,
      credentials: [{ secret: "k", hint: "…k" }],
    }),
  );
  const plan = new PollPlan({ clock: { now: () => NOW, monotonic: () => 1_000 }, random: () => 0.5, connections });
  const tasks = Array.from({ length: count }, (_, index) =>
    taskRecord({ id: taskId(index), connection: "c1", phase: "running", operation: { id: `t-${index}` } }),
  );
  for (const task of tasks) {
    plan.next(task);
    plan.asked(task, { kind: "said", task });
  }
  return { plan, task: tasks[0] ?? taskRecord() };
}

describe("when a task is asked for next", () => {
  it.each([
    [1, 15_000],
    [150, 15_000],
    [500, 50_000],
    [20_000, 300_000],
  ])("with %i of them under way: in %i ms", (count, ms) => {
    const { plan, task } = planOf(count);
    expect(plan.next(task) - NOW).toBe(ms);
  });

  it("is soon while somebody waits for it, however many there are", () => {
    const { plan, task } = planOf(500);
    expect((plan.watched(task) as number) - NOW).toBe(3_000);
    expect(plan.next(task) - NOW).toBe(3_000);
  });

  it("forgets what has ended", () => {
    const { plan, task } = planOf(300);
    for (let index = 1; index < 300; index += 1) plan.forget(taskId(index));
    expect(plan.next(task) - NOW).toBe(15_000);
  });

  describe("that is to be called back", () => {
    const called = (plan: PollPlan, minutes: number, id: number) => {
      const task = taskRecord({
        id: taskId(id),
        connection: "c1",
        phase: "running",
        operation: { id: `t-${id}` },
        webhook_url: "https://receiver.example/hook",
        created_at: NOW - minutes * 60_000,
      });
      plan.next(task);
      plan.asked(task, { kind: "said", task });
      return task;
    };

    it.each([
      [0, 1, 3_000],
      [9, 500, 3_000],
      [11, 1, 15_000],
      [11, 500, 40_000],
    ])("%i minutes after its submission, with %i under way: in %i more ms", (minutes, count, ms) => {
      const { plan } = planOf(count);
      expect(plan.next(called(plan, minutes, 1_000)) - NOW).toBeLessThanOrEqual(ms * 1.01);
    });

    it.each([
      [0, [3_000, 6_000, 12_000, 24_000, 40_000, 40_000]],
      [11, [15_000, 30_000, 40_000, 40_000, 40_000, 40_000]],
    ])("%i minutes after it, each time that its provider does not answer, is put off by %j", (minutes, pauses) => {
      const { plan } = planOf(1);
      const task = called(plan, minutes, 1_000);
      const waits = pauses.map(() => {
        plan.asked(task, { kind: "nothing", task, why: "no", retryAfter: null });
        return plan.next(task) - NOW;
      });
      expect(waits).toEqual(pauses);
    });
  });
});
