import { afterEach, describe, expect, it } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import { errorOf, until, type TestOptions } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";

/** Things that meet in the same moment. */
let stage: VideoStage;
const open = async (options: TestOptions = {}): Promise<VideoStage> => (stage = await VideoStage.open(options));
afterEach(() => stage.close());

const detailOf = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);
const GROK = { model: "grok-imagine-video", input: { prompt: "A kite" }, resolution: "480p" } as const;

describe("a cancellation that takes its time", () => {
  it("and is refused leaves the task being asked for, though no one reads it", async () => {
    const { provider, time } = await open();
    provider.plan = ["queued", "queued", "queued"];
    const task = await stage.submit();
    const letGo = provider.hold("cancel");
    provider.fault("cancel", {
      do: "answer",
      status: 400,
      body: { code: "UnsupportedOperation", message: "too late" },
    });
    const cancelled = stage.delete(`/videos/generations/${task.id}`);
    await provider.when(() => provider.count("cancel") === 1);
    // Its next question becomes due meanwhile.
    const due = time.monotonic() + 60_000;
    await until(() => time.monotonic() > due);
    letGo();
    expect((await cancelled).status).toBe(409);
    const requestCount = provider.polls(provider.last.id);
    await provider.when(() => provider.polls(provider.last.id) > requestCount + 1);
    provider.advance(provider.last.id, "succeeded");
    expect((await stage.over(task.id)).status).toBe("succeeded");
  });
});

describe("two lost tasks that look the same", () => {
  it("never take the one that the provider has for both, though they look in the same moment", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    provider.fault("submit", { do: "drop", after: true }, { do: "drop" });
    const letGo = provider.hold("list");
    const tasks = await Promise.all([stage.submit(), stage.submit()]);
    expect(tasks.map(({ status }) => status)).toEqual(["unknown", "unknown"]);
    await provider.when(() => provider.count("list") >= 2);
    letGo();
    await until(async () =>
      (await Promise.all(tasks.map(({ id }) => stage.read(id)))).some(({ status }) => status !== "unknown"),
    );
    provider.advance(provider.last.id, "succeeded");
    const ends = await Promise.all(tasks.map(({ id }) => stage.over(id)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["failed", "succeeded"]);
    expect(ends.find(({ status }) => status === "failed")?.error?.code).toBe("not_submitted");
    const receipts = await stage.gateway.receipts();
    expect(receipts.filter(({ nano }) => nano !== 0)).toHaveLength(1);
  });
});

describe("what the owner says of a lost task", () => {
  it("cannot be a task that another one is already: it would be charged twice", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    await stage.submit(GROK);
    const providerId = provider.last.id;
    provider.fault("submit", { do: "drop" });
    const lost = await stage.submit(GROK);
    expect(lost.status).toBe("unknown");
    const refused = await stage.gateway.control("POST", `/tasks/${lost.id}/resolve`, { provider_task_id: providerId });
    expect(refused.status).toBe(409);
    expect((await errorOf(refused)).message).toContain("Another task");
    expect((await stage.read(lost.id)).status).toBe("unknown");
    // Nor twice at once.
    provider.fault("submit", { do: "drop", after: true }, { do: "drop" });
    const [one, other] = [await stage.submit(GROK), await stage.submit(GROK)];
    const responses = await Promise.all(
      [one, other].map(({ id }) =>
        stage.gateway.control("POST", `/tasks/${id}/resolve`, { provider_task_id: provider.last.id }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    for (const task of provider.tasks) provider.advance(task.id, "succeeded");
    await until(async () => (await stage.gateway.receipts()).filter(({ nano }) => nano !== 0).length === 2);
  });

  it("is heard once: what was decided in the same moment stays", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    provider.fault("submit", { do: "drop", after: true });
    const { id } = await stage.submit(GROK);
    const responses = await Promise.all([
      stage.gateway.control("POST", `/tasks/${id}/resolve`, { provider_task_id: provider.last.id }),
      stage.gateway.control("POST", `/tasks/${id}/resolve`, { never_arrived: true }),
      stage.gateway.control("POST", `/tasks/${id}/resolve`, { provider_task_id: "another-one" }),
      stage.delete(`/videos/generations/${id}`),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    provider.advance(provider.last.id, "succeeded");
    expect((await stage.over(id)).status).toBe("succeeded");
    expect((await stage.gateway.receipts()).filter(({ endpoint }) => endpoint === "videos")).toHaveLength(1);
  });
});

describe("one task", () => {
  it("that succeeds, is cancelled, refreshed and deleted at once by fifty each is settled once and stays so", async () => {
    const { provider } = await open();
    provider.plan = ["queued"];
    const task = await stage.submit();
    const letGo = provider.hold("poll");
    const all = Array.from({ length: 50 }, () => [
      stage.gateway.control("POST", `/tasks/${task.id}/refresh`),
      stage.gateway.control("POST", `/tasks/${task.id}/cancel`),
      stage.delete(`/videos/${task.id}`),
      stage.delete(`/videos/generations/${task.id}`),
      stage.get(`/videos/generations/${task.id}`),
    ]).flat();
    await provider.when(() => provider.count("poll") > 0);
    provider.advance(provider.last.id, "succeeded");
    letGo();
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    await until(async () => (await detailOf(task.id)).results.length === 1);
    expect(provider.count("cancel")).toBe(0);
    const [receipt, ...others] = await stage.gateway.receipts();
    expect(others).toEqual([]);
    expect(receipt).toMatchObject({ outcome: "completed", nano: expect.any(Number) });
    provider.advance(provider.last.id, "failed");
    await stage.restart();
    await stage.gateway.control("POST", `/tasks/${task.id}/refresh`);
    expect((await detailOf(task.id)).receipt).toEqual(receipt);
    expect(await stage.gateway.receipts()).toEqual([receipt]);
  });

  it("is sent again by hand by a hundred at once, each on record, and its record stays small", async () => {
    const { provider } = await open();
    // No one is there: what is tried is written down all the same.
    const task = await stage.submit({ ...T2V, webhook_url: `${provider.origin}/nobody` });
    await stage.over(task.id);
    await until(async () => (await detailOf(task.id)).deliveries[0]?.attempts.length !== 0);
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => stage.gateway.control("POST", `/tasks/${task.id}/resend`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const [delivery, ...others] = (await detailOf(task.id)).deliveries;
    expect(others).toEqual([]);
    const { attempts = [] } = delivery ?? {};
    expect(attempts.filter(({ manual }) => manual).length).toBeGreaterThan(10);
    expect(attempts.length).toBeLessThanOrEqual(60);
    expect(attempts[0]?.manual).toBe(false);
  });
});
