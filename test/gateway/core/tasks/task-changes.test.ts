import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  acceptTask,
  markCounted,
  deliverTask,
  failTask,
  isAwaitingVerdict,
  lost,
  made,
  addNote,
  updateProgress,
  savedLate,
  timedOut,
} from "../../../../gateway/core/tasks/task-changes.ts";
import { isClosed, isOver, publicId, getStatus, type TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { closedTask, taskRecord } from "../../../support/tasks.ts";

const AT = 1_800_000_000_000;
const when = { at: AT, eventId: "evt_1" };
const { receipt } = closedTask().bill as NonNullable<TaskRecord["bill"]>;
const result = closedTask({}).result ?? {
  video_url: "https://provider.example/v.mp4",
  last_frame_url: null,
  seconds: 5,
  resolution: "720p",
  seed: null,
  usage: {},
  video_media: "media_1",
  last_frame_media: null,
  saved: null,
};
const ERROR = { code: "InvalidParameter", message: "Field required: input.img_url" };

const submitting = taskRecord({ webhook_url: "https://receiver.example/hook" });
const submitted = acceptTask(submitting, { operationId: "op-1", native: { id: "op-1" } }, AT) as TaskRecord;
const running = updateProgress(submitted, { state: "running", progress: 10, native: {} }, AT) as TaskRecord;
const fetching = made(running, { result, native: {}, receipt }, AT) as TaskRecord;
const succeeded = deliverTask(fetching, true, null, when) as TaskRecord;

describe("the states of a task", () => {
  it("go from submitting to succeeded, and queue one webhook", () => {
    expect([submitting, submitted, running, fetching, succeeded].map(getStatus)).toEqual([
      "submitted",
      "submitted",
      "running",
      "running",
      "succeeded",
    ]);
    expect(succeeded.deliveries).toEqual([
      {
        id: "evt_1",
        type: "video.task.succeeded",
        at: AT,
        url: "https://receiver.example/hook",
        state: "pending",
        next_at: AT,
        attempts: [],
      },
    ]);
    expect(succeeded.finished_at).toBe(AT);
    expect(isClosed(succeeded)).toBe(false);
  });

  it("charge with the provider's success, before the file is there", () => {
    expect(fetching.bill).toEqual({ receipt, counted: false });
    expect(made(fetching, { result, native: {}, receipt }, AT)).toBeNull();
    expect(markCounted(fetching)?.bill?.counted).toBe(true);
  });

  it("do not go back from running to queued, and progress never falls", () => {
    expect(updateProgress(running, { state: "queued", progress: null, native: {} }, AT)).toBeNull();
    expect(updateProgress(running, { state: "running", progress: 5, native: {} }, AT)).toBeNull();
    expect(updateProgress(running, { state: "running", progress: 55, native: {} }, AT)?.progress).toBe(55);
  });

  it("are final once over", () => {
    const over = failTask(running, { phase: "failed", error: ERROR, receipt }, when) as TaskRecord;
    expect(getStatus(over)).toBe("failed");
    expect(over.error).toEqual(ERROR);
    for (const task of [over, succeeded]) {
      expect(updateProgress(task, { state: "running", progress: 99, native: {} }, AT)).toBeNull();
      expect(made(task, { result, native: {}, receipt }, AT)).toBeNull();
      expect(failTask(task, { phase: "cancelled", error: null, receipt }, when)).toBeNull();
      expect(timedOut(task, "late", when)).toBeNull();
    }
  });

  it("let a provider succeed after the deadline, once, with a webhook of its own", () => {
    const late = timedOut(running, "It took too long.", when) as TaskRecord;
    expect(late).toMatchObject({ phase: "failed", error: { code: "timeout" }, bill: null });
    expect(isAwaitingVerdict(late)).toBe(true);
    const after = made(late, { result, native: {}, receipt }, AT) as TaskRecord;
    // Still failed for its client until the file is there.
    expect(getStatus(after)).toBe("failed");
    const saved = deliverTask(after, true, null, { at: AT + 1, eventId: "evt_2" }) as TaskRecord;
    expect(saved).toMatchObject({ phase: "succeeded", error: null });
    expect(saved.deliveries.map(({ type, id }) => [type, id])).toEqual([
      ["video.task.failed", "evt_1"],
      ["video.task.succeeded", "evt_2"],
    ]);
  });

  it("take a late failure after the deadline as the last word, without a second webhook", () => {
    const late = timedOut(running, "It took too long.", when) as TaskRecord;
    const after = failTask(late, { phase: "failed", error: ERROR, receipt }, when) as TaskRecord;
    expect(after).toMatchObject({ phase: "failed", error: { code: "timeout" }, bill: { counted: false } });
    expect(after.deliveries).toHaveLength(1);
    expect(isAwaitingVerdict(after)).toBe(false);
  });

  it("keep a lost submission apart until it is found", () => {
    const unknown = lost(submitting, "No answer came.", AT) as TaskRecord;
    expect(getStatus(unknown)).toBe("unknown");
    expect(lost(running, "No answer came.", AT)).toBeNull();
    expect(updateProgress(unknown, { state: "running", progress: 1, native: {} }, AT)).toBeNull();
    expect(acceptTask(unknown, { operationId: "op-9", native: null }, AT)).toMatchObject({
      phase: "submitted",
      operation: { id: "op-9" },
    });
  });

  it("show a file that comes late, and say the same note once", () => {
    const without = deliverTask(fetching, null, "slow", when) as TaskRecord;
    expect(savedLate(without, true, AT)?.result?.saved).toBe(true);
    expect(savedLate(succeeded, true, AT)).toBeNull();
    const message = addNote(running, "The provider cannot be reached.", AT) as TaskRecord;
    expect(addNote(message, "The provider cannot be reached.", AT)).toBeNull();
  });

  it("tell clients Ark's own id", () => {
    expect(publicId({ id: "vt_1", operation: { id: "cgt-20250622134237-plkgw" } })).toBe("cgt-20250622134237-plkgw");
    expect(publicId({ id: "vt_1", operation: { id: "0385dc79" } })).toBe("vt_1");
    expect(publicId({ id: "vt_1", operation: null })).toBe("vt_1");
  });
});

/** One thing that may happen to a task, anyone who makes it happen. */
type Step = (task: TaskRecord, n: number) => TaskRecord | null;
const STEPS: readonly Step[] = [
  (task, n) => acceptTask(task, { operationId: `op-${n}`, native: null }, AT + n),
  (task, n) => lost(task, "no answer", AT + n),
  (task, n) => updateProgress(task, { state: "queued", progress: null, native: n }, AT + n),
  (task, n) => updateProgress(task, { state: "running", progress: (n * 37) % 130, native: n }, AT + n),
  (task, n) => made(task, { result, native: n, receipt: { ...receipt, id: `r-${n}` } }, AT + n),
  (task, n) => deliverTask(task, true, null, { at: AT + n, eventId: `evt-${n}` }),
  (task, n) => deliverTask(task, null, "slow", { at: AT + n, eventId: `evt-${n}` }),
  (task, n) => savedLate(task, n % 2 === 0, AT + n),
  (task, n) =>
    failTask(
      task,
      { phase: "failed", error: ERROR, receipt: { ...receipt, id: `r-${n}` } },
      { at: AT + n, eventId: `evt-${n}` },
    ),
  (task, n) => failTask(task, { phase: "cancelled", error: null, receipt }, { at: AT + n, eventId: `evt-${n}` }),
  (task, n) => timedOut(task, "late", { at: AT + n, eventId: `evt-${n}` }),
  (task) => markCounted(task),
  (task, n) => addNote(task, `note ${n % 3}`, AT + n),
];

describe("whatever happens to a task, in any order", () => {
  it("is charged once, ends once, and never goes back", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: STEPS.length - 1 }), { maxLength: 200 }), (steps) => {
        let task = submitting;
        for (const [n, index] of steps.entries()) {
          const before = task;
          task = (STEPS[index] as Step)(task, n) ?? task;
          if (before.bill !== null) expect(task.bill?.receipt).toEqual(before.bill.receipt);
          if (before.bill?.counted === true) expect(task.bill?.counted).toBe(true);
          // The one way out of an end is a success after a timeout.
          if (isOver(before) && !isAwaitingVerdict(before)) expect(task.phase).toBe(before.phase);
          if (before.operation !== null) expect(task.operation).toEqual(before.operation);
          expect(task.progress ?? 0).toBeGreaterThanOrEqual(before.progress ?? 0);
          expect(task.timeline.length).toBeLessThanOrEqual(60);
        }
        expect(task.deliveries.length).toBeLessThanOrEqual(2);
        expect(new Set(task.deliveries.map(({ type }) => type)).size).toBe(task.deliveries.length);
        if (task.phase === "succeeded" || task.phase === "cancelled") expect(task.bill).not.toBeNull();
      }),
    );
  });
});
