import { describe, expect, it } from "vitest";
import { getSeed, type TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { TaskViews } from "../../../../gateway/services/videos/task-views.ts";
import { closedTask, taskOrder, taskRecord, taskResult } from "../../../support/tasks.ts";

const views = new TaskViews({ media: { linkTo: async () => null }, origin: () => "" });
const outcome = async (task: TaskRecord) => {
  const { content, usage, seed } = await views.task(task);
  return { content, usage, seed };
};

describe("a task that is over", () => {
  const nothing = { content: null, usage: null, seed: null };

  it("has nothing to say of a video that was not made", async () => {
    for (const phase of ["failed", "cancelled"] as const)
      expect(await outcome(closedTask({ phase, result: null }))).toEqual(nothing);
  });

  it("and whose provider succeeded late is failed until its file is there", async () => {
    const error = { code: "timeout", message: "late" };
    expect(await outcome(closedTask({ phase: "fetching", error }))).toEqual(nothing);
  });

  it.each(["submitting", "unknown", "submitted", "running", "fetching"] as const)(
    "is never one that is %s",
    async (phase) => {
      expect(await outcome(taskRecord({ phase, result: taskResult() }))).toEqual({});
    },
  );
});

/** Earlier versions looked for a seed in fewer places; the request is kept as it came. */
it.each<[string, object, string, number | null]>([
  ["at the top", { seed: 5, input: { prompt: "A kite." } }, "alpha2.6-t2v", 5],
  ["in the input", { input: { prompt: "A kite.", seed: 5 } }, "grok-imagine-video", 5],
  ["among the parameters, which go before", { seed: 4, input: {}, parameters: { seed: 5 } }, "alpha2.6-t2v", 5],
  ["in a prompt", { input: { prompt: "A kite. --seed 5" } }, "doubao-seedance-1-0-pro-250528", 5],
  ["in a text", { content: [{ type: "text", text: "A kite. --dur 5 --seed 5" }] }, "seedance-1-0-lite", 5],
  ["in a prompt that means nothing to its model", { input: { prompt: "A kite. --seed 5" } }, "alpha2.6-t2v", null],
  ["that is none", { seed: "5", parameters: null, input: [], content: "--seed 5" }, "doubao-seedance-1-0-pro", null],
])("a record of an earlier version whose request says a seed %s", (_place, request, model, seed) => {
  const order = taskOrder({ request: request as Record<string, unknown>, seed: null });
  expect(getSeed(closedTask({ order, model, result: null }))).toBe(seed);
  expect(getSeed(closedTask({ order, model, result: taskResult({ seed: 9 }) }))).toBe(9);
});
