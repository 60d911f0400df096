import { expect, test } from "vitest";
import { endWithoutVideo, taskReceipt } from "../../../../gateway/core/tasks/task-receipt.ts";
import { taskRecord } from "../../../support/tasks.ts";

test.each([
  [{}, {}],
  [
    { session: "s", project: "shop", agent: "a" },
    { session: "s", project: "shop", agent: "a" },
  ],
  [{ project: "shop" }, { project: "shop" }],
])("the receipt of a task of %j says whose it is", (told, expected) => {
  const task = taskRecord(told);
  const { session, project, agent } = taskReceipt(task, endWithoutVideo(task, "failed", "x"), 1);
  expect({
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
  }).toEqual(expected);
});
