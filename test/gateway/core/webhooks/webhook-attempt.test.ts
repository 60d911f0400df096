import { describe, expect, it } from "vitest";
import type { TaskDelivery } from "../../../../gateway/core/tasks/task.ts";
import {
  afterAttempt,
  disableDelivery,
  getVerdict,
  withDelivery,
} from "../../../../gateway/core/webhooks/webhook-attempt.ts";
import type { AttemptVerdict, MadeAttempt } from "../../../../gateway/core/webhooks/webhook-attempt.ts";
import { taskDelivery, taskRecord } from "../../../support/tasks.ts";

const NOW = 1_000_000;

function attemptOf(verdict: AttemptVerdict, manual = false, retryAfter: number | null = null): MadeAttempt {
  return { attempt: { at: NOW - 10, status: 200, ms: 10, error: null, manual }, verdict, retryAfter };
}

const after = (delivery: TaskDelivery, made: MadeAttempt): TaskDelivery => afterAttempt(delivery, made, NOW, 0.5);

it.each([
  [200, "delivered"],
  [204, "delivered"],
  [299, "delivered"],
  [302, "failed"],
  [304, "failed"],
  [400, "failed"],
  [404, "failed"],
  [410, "gone"],
  [429, "failed"],
  [502, "failed"],
])("a status of %i is %s", (status, verdict) => expect(getVerdict(status)).toBe(verdict));

describe("an attempt by schedule", () => {
  it("that succeeds ends it", () => {
    const made = attemptOf("delivered");
    const end = { state: "delivered", next_at: null, attempts: [made.attempt] };
    expect(after(taskDelivery(), made)).toMatchObject(end);
  });

  it("that fails plans the next one, the tenth none", () => {
    let delivery = taskDelivery();
    const pauses: (number | null)[] = [];
    for (let made = 0; made < 10; made += 1) {
      delivery = after(delivery, attemptOf("failed"));
      pauses.push(delivery.next_at === null ? null : delivery.next_at - NOW);
    }
    expect(pauses.slice(0, 3)).toEqual([5_000, 300_000, 1_800_000]);
    expect(pauses.at(-1)).toBeNull();
    expect(delivery).toMatchObject({ state: "failed", next_at: null });
    expect(delivery.attempts).toHaveLength(10);
  });

  it("puts the next one off as the receiver asks", () =>
    expect(after(taskDelivery(), attemptOf("failed", false, 60_000)).next_at).toBe(NOW + 60_000));

  it("that is ordered to stop stops", () =>
    expect(after(taskDelivery(), attemptOf("gone"))).toMatchObject({ state: "disabled", next_at: null }));
});

describe("an attempt by hand", () => {
  it("takes none of the schedule's", () => {
    const first = after(taskDelivery(), attemptOf("failed"));
    const byHand = after(first, attemptOf("failed", true));
    expect(byHand).toMatchObject({ state: "pending", next_at: first.next_at });
    expect(byHand.attempts).toHaveLength(2);
    expect(after(byHand, attemptOf("failed")).next_at).toBe(NOW + 300_000);
  });

  it.each(["pending", "delivered", "failed", "disabled"] as const)("that succeeds delivers what was %s", (state) =>
    expect(after(taskDelivery({ state, next_at: null }), attemptOf("delivered", true))).toMatchObject({
      state: "delivered",
      next_at: null,
    }),
  );

  it.each([
    ["delivered", "failed", "delivered"],
    ["failed", "failed", "failed"],
    ["disabled", "failed", "failed"],
    ["delivered", "gone", "delivered"],
    ["failed", "gone", "disabled"],
    ["disabled", "gone", "disabled"],
    ["pending", "gone", "disabled"],
  ] as const)("leaves what was %s, and now %s, as %s", (state, verdict, end) =>
    expect(after(taskDelivery({ state, next_at: null }), attemptOf(verdict, true)).state).toBe(end),
  );
});

describe("a task", () => {
  const task = taskRecord({ deliveries: [taskDelivery({ id: "a" }), taskDelivery({ id: "b" })] });

  it("has one of its webhooks changed and the others as they were", () => {
    const next = withDelivery(task, "b", disableDelivery);
    expect(next?.deliveries.map(({ state }) => state)).toEqual(["pending", "disabled"]);
    expect(next?.deliveries[0]).toBe(task.deliveries[0]);
    expect(task.deliveries[1]?.state).toBe("pending");
  });

  it("stays the same record where nothing changes", () => {
    expect(withDelivery(task, "c", disableDelivery)).toBeNull();
    const ended = taskRecord({ deliveries: [taskDelivery({ state: "delivered", next_at: null })] });
    expect(withDelivery(ended, "msg_1", disableDelivery)).toBeNull();
  });
});
