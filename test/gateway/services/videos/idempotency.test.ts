import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY, errorOf } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";

/**
 * docs/specification.md#video: `Idempotency-Key` on submissions: same key and body give the same task and one charge.
 */

const OTHER = "sk-test-other-key-00000001";
let stage: VideoStage;
beforeEach(async () => {
  stage = await VideoStage.open({ keys: [{ key: OTHER, name: "other" }] });
  stage.provider.plan = ["running"];
});
afterEach(() => stage.close());

const named = (name: string) => ({ headers: { "idempotency-key": name } });
const OTHER_BODY = { ...T2V, input: { prompt: "Another lighthouse." } };
const conflicts = async (name: string, body: object = OTHER_BODY): Promise<void> => {
  const response = await stage.gateway.post("/videos/generations", body, KEY, { "idempotency-key": name });
  expect([response.status, await errorOf(response)]).toEqual([
    409,
    expect.objectContaining({ code: "idempotency_conflict", type: "invalid_request_error" }),
  ]);
};

it("gives the same task for the same key and body, however many ask at once", async () => {
  const tasks = await Promise.all(Array.from({ length: 20 }, () => stage.submit(T2V, named("order 1"))));
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
  const [task] = tasks;
  stage.provider.advance(stage.provider.last.id, "succeeded");
  await stage.over(task?.id as string);
  // What the task has become is what a later one is reported.
  expect(await stage.submit(T2V, named("order 1"))).toMatchObject({ id: task?.id, status: "succeeded" });
  expect(stage.provider.count("submit")).toBe(1);
  expect(await stage.gateway.receipts()).toHaveLength(1);
  expect(await stage.gateway.spentCents()).toBe(50);
});

it("is a conflict with another body, at once and later", async () => {
  const release = stage.provider.hold("submit");
  const first = stage.submit(T2V, named("order"));
  await stage.provider.when(() => stage.provider.count("submit") === 1);
  await conflicts("order");
  release();
  await first;
  await conflicts("order");
  await conflicts("order", { ...T2V, wait: false });
  expect(stage.provider.count("submit")).toBe(1);
});

it("holds over a restart", async () => {
  const first = await stage.submit(T2V, named("order"));
  await stage.restart();
  expect((await stage.submit(T2V, named("order"))).id).toBe(first.id);
  await conflicts("order");
  expect(stage.provider.count("submit")).toBe(1);
});

it("waits for the task that it names", async () => {
  const first = await stage.submit(T2V, named("order"));
  stage.provider.advance(stage.provider.last.id, "succeeded");
  const query = "?wait=true&wait_seconds=600";
  expect(await stage.submit(T2V, { ...named("order"), query, status: 200 })).toMatchObject({
    id: first.id,
    status: "succeeded",
  });
});

it("is a name of its local key: another key's is another task", async () => {
  const mine = await stage.submit(T2V, named("order"));
  const others = await stage.submit(OTHER_BODY, { ...named("order"), key: OTHER });
  expect(others.id).not.toBe(mine.id);
  expect((await stage.submit(T2V, named("order"))).id).toBe(mine.id);
  expect(stage.provider.count("submit")).toBe(2);
});

it("means nothing without a name: each submission is a task", async () => {
  const tasks = [await stage.submit(), await stage.submit(), await stage.submit(T2V, named(""))];
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(3);
});

describe("a submission that made no task", () => {
  it("frees its name", async () => {
    stage.provider.fault("submit", { do: "answer", status: 400, body: { code: "InvalidParameter", message: "no" } });
    const refused = await stage.gateway.post("/videos/generations", T2V, KEY, { "idempotency-key": "order" });
    expect(refused.status).toBe(400);
    expect((await stage.submit(OTHER_BODY, named("order"))).status).toBe("submitted");
  });

  it("keeps its name where no one knows whether it arrived: it is not sent again", async () => {
    stage.provider.fault("submit", { do: "drop", after: true });
    const lost = await stage.submit(T2V, named("order"));
    expect(lost.status).toBe("unknown");
    expect((await stage.submit(T2V, named("order"))).id).toBe(lost.id);
    expect(stage.provider.count("submit")).toBe(1);
  });
});
