import { expect, test } from "vitest";
import { endWithoutVideo, taskReceipt } from "../../../../gateway/core/tasks/task-receipt.ts";
import { taskRecord } from "../../../support/tasks.ts";

test("the receipt of a task has what its provider says it charged", () => {
  const end = {
    outcome: "completed",
    status: 202,
    code: null,
    seconds: 5,
    resolution: "720p",
    estimated: true,
  } as const;
  expect(taskReceipt(taskRecord({}), { ...end, charged: 123 }, 1)).toMatchObject({
    nano: 123,
    estimated: false,
    terms: [{ unit: "second", quantity: 5, nano: 123 }],
    price: { source: expect.stringMatching(/^as charged by the provider/) },
  });
});

test.each([
  [{}, {}],
  [
    { session: "s", project: "shop", agent: "a" },
    { session: "s", project: "shop", agent: "a" },
  ],
  [{ project: "shop" }, { project: "shop" }],
])("the receipt of a task of %j says whose it is", (reported, expected) => {
  const task = taskRecord(reported);
  const { session, project, agent } = taskReceipt(task, endWithoutVideo(task, "failed", { code: "x" }), 1);
  expect({
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
  }).toEqual(expected);
});
