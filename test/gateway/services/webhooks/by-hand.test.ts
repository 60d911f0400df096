import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { taskId, taskRecord } from "../../../support/tasks.ts";
import { reply, type WireAct } from "../../../support/wire-provider.ts";
import { webhooksViewSchema } from "../../../../gateway/contract/tasks.ts";
import { START, WebhookWorld } from "./webhook-world.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

describe("sending again by hand", () => {
  it("is answered with the task and the attempt on record, and takes none from the schedule", async () => {
    world.receiver.on("POST /hook", reply(500, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    const planned = world.delivery(1).next_at;
    const task = await world.deliver.resend(taskId(1));
    expect(task.deliveries[0]?.attempts.map(({ manual }) => manual)).toEqual([false, true]);
    expect(world.delivery(1)).toMatchObject({ state: "pending", next_at: planned });
    world.receiver.on("POST /hook", reply(200, {}));
    await world.deliver.resend(taskId(1));
    expect(world.delivery(1)).toMatchObject({ state: "delivered", next_at: null });
    await world.pass(100 * HOUR);
    expect(world.receiver.seen).toHaveLength(3);
    expect(new Set(world.receiver.seen.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  it("works for one that failed for good and one that was delivered", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    world.deliver.start();
    world.end(1, { state: "failed", next_at: null });
    world.end(2, { state: "delivered", next_at: null });
    await world.pass(SECOND);
    expect(world.receiver.seen).toHaveLength(0);
    await world.deliver.resend(taskId(1));
    world.receiver.on("POST /hook", reply(500, {}));
    await world.deliver.resend(taskId(2));
    expect(world.receiver.seen).toHaveLength(2);
    expect(world.delivery(1).state).toBe("delivered");
    expect(world.delivery(2)).toMatchObject({ state: "delivered" });
    expect(world.delivery(2).attempts).toMatchObject([{ status: 500, manual: true }]);
  });

  it("sends the newest of several", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    world.deliver.start();
    const task = world.end(1, { state: "delivered", next_at: null });
    const [first] = task.deliveries;
    if (first === undefined) throw new Error("it has no callback");
    world.repository.put({ ...task, deliveries: [first, { ...first, id: "msg_late", at: START + 1 }] });
    await world.deliver.resend(taskId(1));
    expect(world.receiver.seen.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_late"]);
  });

  it("goes before what waits for the same receiver, and what it has delivered is not sent again", async () => {
    const pending: ServerResponse[] = [];
    const hold: WireAct = (_seen, outgoing) => void pending.push(outgoing);
    world.receiver.on("POST /hook", hold, hold, reply(200, {}));
    world.deliver.start();
    for (const number of [1, 2, 3, 4]) world.end(number);
    void world.time.pass(0, async () => {});
    await expect.poll(() => pending.length).toBe(2);
    const sent = world.deliver.resend(taskId(4));
    // It stands in its receiver's row by now.
    await new Promise((resolve) => setImmediate(resolve));
    for (const outgoing of pending) outgoing.writeHead(200).end();
    await sent;
    await world.pass(SECOND);
    const ids = world.receiver.seen.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(4);
    expect(new Set(ids)).toEqual(new Set(["msg_1", "msg_2", "msg_3", "msg_4"]));
    expect(ids.indexOf("msg_4")).toBe(2);
    expect(world.delivery(4).attempts.map(({ manual }) => manual)).toEqual([true]);
  });

  it("enables a disabled receiver, which may disable itself again", async () => {
    world.receiver.on("POST /hook", reply(410, {}), reply(500, {}), reply(410, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    await world.deliver.resend(taskId(1));
    expect(world.delivery(1).state).toBe("failed");
    expect((await world.deliver.view()).disabled).toEqual([]);
    world.end(2, { next_at: world.time.now() + HOUR });
    await world.deliver.resend(taskId(1));
    expect(world.delivery(1).state).toBe("disabled");
    expect((await world.deliver.view()).disabled).toHaveLength(1);
    await world.pass(SECOND);
    expect(world.delivery(2)).toMatchObject({ state: "disabled", attempts: [] });
  });

  it("says what is wrong with tasks that have nothing to send", async () => {
    world.repository.put(taskRecord({ id: taskId(1) }));
    world.repository.put(taskRecord({ id: taskId(2), webhook_url: world.url }));
    await expect(world.deliver.resend(taskId(1))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("without a webhook_url"),
    });
    await expect(world.deliver.resend(taskId(2))).rejects.toMatchObject({
      message: expect.stringContaining("has not ended"),
    });
    await expect(world.deliver.resend(taskId(3))).rejects.toMatchObject({ code: "not_found" });
  });

  it("that is cut off by the end of Postern leaves no attempt on record", async () => {
    world.receiver.on("POST /hook", () => {});
    world.end(1, { state: "failed", next_at: null });
    const sent = world.deliver.resend(taskId(1)).catch((error: unknown) => error);
    await expect.poll(() => world.receiver.seen.length).toBe(1);
    await world.deliver.stop();
    expect(await sent).toMatchObject({ code: "shutting_down" });
    expect(world.delivery(1)).toMatchObject({ state: "failed", attempts: [] });
  });

  it("says so when the disk refuses what came of it, or Postern is stopping", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    world.end(1, { state: "failed", next_at: null });
    world.repository.refusals = 1;
    await expect(world.deliver.resend(taskId(1))).rejects.toThrow("the disk is full");
    await world.deliver.stop();
    await expect(world.deliver.resend(taskId(1))).rejects.toMatchObject({ code: "shutting_down" });
  });
});

describe("what the control API shows", () => {
  it("is the secret, what is pending and disabled, and the newest hundred webhooks", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    for (let number = 1; number <= 120; number += 1) {
      world.end(number, { at: START + number, next_at: null, state: "delivered" });
    }
    world.end(121, { next_at: START + HOUR });
    const view = await world.deliver.view();
    expect(webhooksViewSchema.parse(view)).toEqual(view);
    expect(view.recent).toHaveLength(100);
    expect(view.recent[0]).toMatchObject({ task: taskId(120), model: "alpha2.6-t2v", state: "delivered" });
    expect(view).toMatchObject({ pending: 1, disabled: [], from_environment: false, previous_until: null });
    expect(view.secret).toBe(await world.secret.current());
  });
});
