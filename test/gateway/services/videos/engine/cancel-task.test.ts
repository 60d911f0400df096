import { expect, it } from "vitest";
import { CancelTask } from "../../../../../gateway/services/videos/engine/cancel-task.ts";
import { TASK_AT } from "../../../../support/tasks.ts";
import { EngineParts, SILENCE } from "./engine-parts.ts";

const OK = { body: {} };

it.each([
  ["knows it still", { body: { state: "cancelled" } }, "cancelled", 0, null],
  ["says nothing then", SILENCE, "cancelled", 0, null],
  ["does not know it any more", { body: { state: "absent" } }, "unknown", 500_000_000, "cancelled"],
])("a cancelled task whose provider %s (%j) is booked as %s at %d", async (_what, last, outcome, nano, code) => {
  const parts = new EngineParts();
  const task = parts.add({ webhook_url: "https://receiver.example/hook" });
  parts.respond = (requested) => (requested.startsWith("DELETE") ? OK : last);
  const after = await new CancelTask(parts.deps).cancel(task);
  expect(after).toMatchObject({ phase: "cancelled", finished_at: TASK_AT, bill: { receipt: { outcome, nano } } });
  expect(after.error?.code ?? null).toBe(code);
  expect(after.deliveries).toHaveLength(1);
  expect(parts.now(task)).toBe(after);
  expect(parts.requests).toEqual(["DELETE /tasks/t-1", "GET /tasks/t-1"]);
});

it.each([
  ["runs", { phase: "running" }, OK, "only while they wait", 0],
  ["has no id there", { operation: null }, OK, "only while they wait", 0],
  ["has no connection", { connection: "gone" }, OK, "was removed", 0],
  ["cannot be cancelled there", { connection: "none" }, OK, "no way to cancel", 0],
  ["is refused", {}, { status: 409, body: {} }, "status 409", 1],
  ["is redirected", {}, { status: 300, body: {} }, "status 300", 1],
  ["has no final status", {}, { status: 199, body: {} }, "status 199", 1],
] as const)("a task that %s is not cancelled", async (_what, changes, response, why, requests) => {
  const parts = new EngineParts();
  parts.connect("none", { toCancelRequest: null });
  const task = parts.add(changes);
  parts.respond = () => response;
  const message = expect.stringContaining(why);
  await expect(new CancelTask(parts.deps).cancel(task)).rejects.toMatchObject({ code: "not_cancellable", message });
  expect([parts.now(task), parts.requests.length]).toEqual([task, requests]);
});

it("a task whose provider says nothing is not cancelled", async () => {
  const parts = new EngineParts();
  const task = parts.add();
  await expect(new CancelTask(parts.deps).cancel(task)).rejects.toMatchObject({ code: "upstream_error" });
  expect(parts.now(task)).toBe(task);
});
