import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../../../gateway/core/tasks/task.ts";
import { PollTask } from "../../../../../gateway/services/videos/engine/poll-task.ts";
import { TASK_AT, taskResult } from "../../../../support/tasks.ts";
import { EngineParts, HOUR, MINUTE, SECRET, SILENCE, type Response } from "./engine-parts.ts";

const ABSENT = { body: { state: "absent" } };
const running = (progress: number | null = null): Response => ({ body: { state: "running", progress } });

/** Asks for one task of this provider. */
function prepare(response: Response | Error, changes: Partial<TaskRecord> = {}, parts = new EngineParts()) {
  const poll = new PollTask(parts.deps);
  const task = parts.add(changes);
  parts.respond = () => response;
  /** @param ms of both clocks before the question */
  const ask = async (ms = 0) => {
    await parts.pass(ms);
    const outcome = await poll.poll(parts.now(task));
    const { phase, error, bill } = parts.now(task);
    expect(outcome.task).toBe(parts.now(task));
    return { outcome, phase, code: error?.code, outcomeOfBill: bill?.receipt.outcome, nano: bill?.receipt.nano };
  };
  return { parts, poll, task, ask };
}

describe("a task that its provider does not know", () => {
  it.each([
    [5_000, { phase: "submitted", nano: undefined }],
    [59_999, { phase: "submitted", nano: undefined }],
    [60_000, { phase: "failed", code: "expired", outcomeOfBill: "unknown", nano: 0 }],
    [24 * HOUR - 1, { phase: "failed", code: "expired", outcomeOfBill: "unknown", nano: 0 }],
    [24 * HOUR, { phase: "failed", code: "expired", outcomeOfBill: "unknown", nano: 500_000_000 }],
  ])("%d ms after its submission: %j", async (ms, expected) => {
    const { ask } = prepare(ABSENT);
    expect(await ask(ms)).toMatchObject(expected);
  });

  it("and was made under a date to come is believed after a minute", async () => {
    const { ask } = prepare(ABSENT, { created_at: TASK_AT + 1_000 * HOUR });
    expect([(await ask()).phase, (await ask(59_999)).phase, (await ask(1)).phase]).toEqual([
      "submitted",
      "submitted",
      "failed",
    ]);
  });
});

describe("a task past its deadline", () => {
  it("times out when the deadline has been past for a minute, with its progress", async () => {
    const { ask, parts, task } = prepare(running(40));
    expect([(await ask(HOUR - 1)).phase, (await ask(1)).phase, (await ask(59_999)).phase]).toEqual(
      Array(3).fill("running"),
    );
    parts.respond = () => running(60);
    expect(await ask(1)).toMatchObject({ phase: "failed", code: "timeout", nano: undefined });
    expect(parts.now(task)).toMatchObject({ progress: 60, finished_at: TASK_AT + HOUR + MINUTE });
  });

  it("times out without any progress too", async () => {
    const { ask } = prepare(running(), { phase: "running", deadline_at: TASK_AT });
    await ask();
    expect(await ask(MINUTE)).toMatchObject({ phase: "failed", code: "timeout" });
  });
});

describe("a question without a response about the task", () => {
  it.each([
    [SILENCE, "Mine cannot be reached", null],
    [{ status: 429, headers: { "retry-after": "7" }, body: {} }, "status 429", 7],
    [{ status: 500, body: { state: "failed", code: "x", message: "y" } }, "Mine failed: y", null],
    [{ body: "another" }, "responded about another task", null],
  ])("%# says why and changes nothing", async (response, why, retryAfter) => {
    const { ask, parts, task } = prepare(response);
    const before = parts.now(task);
    expect((await ask()).outcome).toMatchObject({ kind: "nothing", why: expect.stringContaining(why), retryAfter });
    expect(parts.now(task)).toBe(before);
  });

  it.each([
    ["has no connection", { connection: "gone" }, "was removed"],
    ["has no operation", { operation: null }, "has named no task"],
  ])("is not asked for a task that %s", async (_what, changes, why) => {
    const { ask, parts } = prepare(running(), changes);
    expect((await ask()).outcome).toMatchObject({ kind: "nothing", why: expect.stringContaining(why) });
    expect(parts.requests).toEqual([]);
  });

  it("is the last word an hour after the provider has forgotten the task", async () => {
    const { ask, parts, task } = prepare(SILENCE, { forgotten_at: TASK_AT + 10 });
    const phases = [await ask(9), await ask(1), await ask(HOUR - 1)].map(({ outcome, phase }) => [outcome.kind, phase]);
    expect(phases.flat()).toEqual(["nothing", "submitted", "nothing", "submitted", "nothing", "submitted"]);
    expect(await ask(1)).toMatchObject({
      phase: "failed",
      code: "expired",
      outcomeOfBill: "unknown",
      nano: 500_000_000,
    });
    expect(parts.now(task).error?.message).toContain("cannot be reached");
  });
});

describe("the verdict of a provider", () => {
  it.each([
    [{ state: "failed", code: SECRET, message: `no ${SECRET}` }, "failed", "[redacted]", "failed"],
    [{ state: "expired" }, "failed", "expired", "failed"],
    [{ state: "cancelled" }, "cancelled", undefined, "cancelled"],
  ])("%j costs nothing", async (body, phase, code, outcomeOfBill) => {
    const { ask, parts, task } = prepare({ body });
    expect(await ask()).toMatchObject({ outcome: { kind: "said" }, phase, code, outcomeOfBill, nano: 0 });
    expect(JSON.stringify(parts.now(task))).not.toContain(SECRET);
    expect(parts.now(task).native).toMatchObject({ state: body.state });
    expect(parts.timeouts).toEqual([[30_000, 30_000]]);
  });

  const made = taskResult({ seconds: 5, usage: { key: SECRET } });
  const video = {
    url: made.video_url,
    lastFrameUrl: null,
    seconds: 7.5,
    resolution: "720p",
    seed: 3,
    usage: made.usage,
  };
  const variants = ["720p", "1080p"].map((resolution) => ({ when: { resolution }, rates: { second: 2e14 } }));
  it.each([
    [{}, { seconds: 7.5, resolution: "720p" }, false, 1_500_000_000],
    [{ seconds: null }, { seconds: 5, resolution: "720p" }, true, 1_000_000_000],
    [{ resolution: "1080p" }, { resolution: "1080p" }, false, 1_500_000_000],
    [{ resolution: null }, { resolution: "720p" }, false, 1_500_000_000],
    [{ resolution: "4k" }, { resolution: "720p" }, true, 1_500_000_000],
  ])("%j is billed as %j, estimated: %j", async (message, result, estimated, nano) => {
    const { ask, parts, task } = prepare(
      { body: { state: "succeeded", result: { ...video, ...message } } },
      { price: { tiers: [{ above: 0, rates: {} }], variants, source: "s", as_of: "2026-11-01" } },
    );
    expect(await ask()).toMatchObject({ phase: "fetching", outcomeOfBill: "completed", nano });
    expect(parts.now(task)).toMatchObject({
      result: { ...result, seed: 3, saved: null },
      bill: { receipt: { status: 202, estimated } },
    });
    expect(JSON.stringify(parts.now(task))).not.toContain(SECRET);
  });

  it.each([
    [null, null],
    ["https://results.example/1.png", expect.stringMatching(/^media_/)],
  ])("with the last frame %j has an entry for it: %j", async (lastFrameUrl, last_frame_media) => {
    const { ask, parts, task } = prepare({ body: { state: "succeeded", result: { ...video, lastFrameUrl } } });
    await ask();
    expect(parts.now(task).result).toMatchObject({ last_frame_url: lastFrameUrl, last_frame_media });
  });

  it("keeps the entries of the library that an earlier result has", async () => {
    const result = taskResult({ video_media: "media_9", last_frame_media: "media_8" });
    const body = { state: "succeeded", result: { ...video, lastFrameUrl: "https://results.example/1.png" } };
    const { ask, parts, task } = prepare({ body }, { result });
    await ask();
    expect(parts.now(task).result).toMatchObject({ video_media: "media_9", last_frame_media: "media_8" });
  });
});

describe("a question about several tasks", () => {
  it("takes those of one key of one connection", () => {
    const { parts, poll, task } = prepare(running());
    parts.connect("alone", { batch: null });
    parts.connect("connection_2");
    const group = poll.together(task);
    expect(group).toEqual({ group: expect.any(String), most: 3 });
    expect(poll.together(parts.add())).toEqual(group);
    for (const changes of [{ connection: "connection_2" }, { credential: "…5678" }])
      expect(poll.together(parts.add(changes))?.group).not.toBe(group?.group);
    for (const connection of ["alone", "gone"]) expect(poll.together(parts.add({ connection }))).toBeNull();
  });

  it.each([200, 299])("with status %d brings the body about each that the list has", async (status) => {
    const { parts, poll, task } = prepare({ status, body: { "t-1": { state: "running" } } });
    const texts = await poll.askAll([task, parts.add()]);
    expect([...texts].map(([id, response]) => [id, response])).toMatchObject([
      ["t-1", { kind: "answer", status: 200, body: { state: "running" } }],
    ]);
    expect(parts.requests).toEqual(["GET /batch/t-1,t-2"]);
    expect(await poll.poll(task, texts.get("t-1"))).toMatchObject({ kind: "said", task: { phase: "running" } });
    expect(parts.requests).toHaveLength(1);
  });

  it.each([
    [SILENCE, true],
    [{ status: 401 }, true],
    [{ status: 403 }, true],
    [{ status: 408 }, true],
    [{ status: 429 }, true],
    [{ status: 500 }, true],
    [{ status: 499 }, false],
    [{ status: 300 }, false],
    [{ status: 404 }, false],
    [{ status: 400 }, false],
    [{ status: 200, body: null }, false],
  ])("that ends with %j holds for all of them and is asked again: %j", async (response, isPassing) => {
    const { parts, poll, task } = prepare(response);
    const texts = await poll.askAll([task, parts.add()]);
    expect([...texts.keys()]).toEqual(isPassing ? ["t-1", "t-2"] : []);
    expect(poll.together(task) !== null).toBe(isPassing);
    parts.connect("connection_2");
    expect(poll.together(parts.add({ connection: "connection_2" }))).not.toBeNull();
  });

  it.each([
    ["none", []],
    ["those whose connection is gone", [{ connection: "gone" }]],
    ["those of a provider without such a list", [{ connection: "alone" }]],
  ])("asks nothing for %s", async (_what, tasks) => {
    const { parts, poll } = prepare(running());
    parts.connect("alone", { batch: null });
    expect((await poll.askAll(tasks.map((changes) => parts.add(changes)))).size).toBe(0);
    expect(parts.requests).toEqual([]);
  });
});
