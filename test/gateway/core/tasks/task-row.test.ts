import { describe, expect, it } from "vitest";
import { taskRowSchema } from "../../../../gateway/contract/tasks.ts";
import { taskRow } from "../../../../gateway/core/tasks/task-row.ts";
import { closedTask, taskDelivery, taskOrder, taskReceipt, taskRecord, taskResult } from "../../../support/tasks.ts";

describe("a row of the pages", () => {
  it("of a task that was just submitted", () => {
    const row = taskRow(taskRecord());
    expect(taskRowSchema.strict().parse(row)).toEqual(row);
    expect(row).toMatchObject({
      status: "submitted",
      nano: null,
      priced: true,
      webhook: null,
      media: null,
      seconds: 5,
    });
  });

  it("of a finished one says what was billed, and where the video is", () => {
    const result = taskResult({ seconds: 7, resolution: "1080p", video_media: "media_9" });
    const row = taskRow(closedTask({ operation: { id: "cgt-1" }, result }));
    expect(taskRowSchema.strict().parse(row)).toEqual(row);
    expect(row).toMatchObject({
      public_id: "cgt-1",
      status: "succeeded",
      seconds: 7,
      resolution: "1080p",
      nano: 500_000_000,
      media: "media_9",
    });
  });

  it.each([null, false])("names no video while its file is not there (%s)", (saved) => {
    expect(taskRow(closedTask({ result: taskResult({ saved }) })).media).toBeNull();
  });

  it("without a known price is distinguished from one that cost nothing", () => {
    const bill = { receipt: taskReceipt({ nano: null }), counted: true };
    expect(taskRow(closedTask({ price: null, bill }))).toMatchObject({ priced: false, nano: null });
    const free = { receipt: taskReceipt({ nano: 0 }), counted: true };
    expect(taskRow(closedTask({ phase: "failed", bill: free }))).toMatchObject({ priced: true, nano: 0 });
  });

  it("has the state of the newest webhook", () => {
    const deliveries = [taskDelivery({ state: "failed" }), taskDelivery({ id: "msg_2", state: "delivered" })];
    expect(taskRow(closedTask({ deliveries })).webhook).toBe("delivered");
  });

  it("has 300 characters of the prompt, and no half ones", () => {
    const prompt = `${"x".repeat(299)}🚢 and more`;
    expect(taskRow(taskRecord({ order: taskOrder({ prompt }) })).prompt).toBe("x".repeat(299));
    expect(taskRow(taskRecord({ order: taskOrder({ prompt: "y".repeat(400) }) })).prompt).toBe("y".repeat(300));
  });
});
