import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { KEY, errorOf, until } from "../../../support/running-gateway.ts";
import { T2V } from "../../../support/video-acts.ts";
import { useVideoStage } from "../../../support/video-stage.ts";

/** docs/specification.md#video, `wait`: a response that comes when the task is over, or when the time for it is. */

const videos = useVideoStage();

describe("waiting", () => {
  const patient = "?wait_seconds=600";

  it.each([
    ["in the body", { ...T2V, wait: true }, patient],
    ["in the query", T2V, `${patient}&wait=true`],
    ["in both", { ...T2V, wait: true }, `${patient}&wait=true`],
  ])("true %s answers 200 with the finished task", async (_where, body, query) => {
    videos.provider.plan = ["queued", "running", "succeeded"];
    const done = await videos.stage.submit(body, { status: 200, query });
    expect(done).toMatchObject({ status: "succeeded", content: { local_url: expect.stringContaining("/media/") } });
  });

  it("is over when the task fails, too", async () => {
    videos.provider.plan = ["failed"];
    expect(await videos.stage.submit({ ...T2V, wait: true }, { status: 200, query: patient })).toMatchObject({
      status: "failed",
      error: { code: "InternalError" },
    });
  });

  it.each([
    ["wait is false", { ...T2V, wait: false }, ""],
    ["the query says false, whatever the body says", { ...T2V, wait: true }, "?wait=false"],
    ["only the seconds are given", T2V, patient],
    ["the seconds are none", { ...T2V, wait: true }, "?wait_seconds=0"],
  ])("does not happen where %s: 202 at once", async (_why, body, query) => {
    const { stage } = videos;
    const startedAt = stage.time.monotonic();
    expect((await stage.submit(body, { status: 202, query })).status).toBe("submitted");
    expect(stage.time.monotonic() - startedAt).toBeLessThan(600_000);
  });

  it("lasts a minute, or as long as is asked: then 202 with the task as it is", async () => {
    const { stage } = videos;
    for (const [query, seconds] of [
      ["", 60],
      ["?wait_seconds=9", 9],
    ] as const) {
      const startedAt = stage.time.now();
      const task = await stage.submit({ ...T2V, wait: true }, { status: 202, query });
      expect(task.status).toMatch(/submitted|running/);
      expect(stage.time.now() - startedAt).toBeGreaterThanOrEqual(seconds * 1_000 * 0.95);
    }
  });

  it.each([
    ["?wait=yes", "wait"],
    ["?wait=", "wait"],
    ["?wait=true&wait=true", "wait"],
    ["?wait_seconds=601", "wait_seconds"],
    ["?wait_seconds=9999999999", "wait_seconds"],
    ["?wait_seconds=-1", "wait_seconds"],
    ["?wait_seconds=1.5", "wait_seconds"],
    ["?wait_seconds=soon", "wait_seconds"],
  ])("%s is refused before anything is paid for", async (query, param) => {
    const { stage, provider } = videos;
    const response = await stage.gateway.post(`/videos/generations${query}`, T2V);
    expect([response.status, (await errorOf(response)).param]).toEqual([400, param]);
    expect(provider.count("submit")).toBe(0);
  });

  it("does not keep a task from going on when its client leaves", async () => {
    const { stage, provider } = videos;
    const body = JSON.stringify({ ...T2V, wait: true });
    const client = request(`${stage.gateway.url}/v1/videos/generations?wait_seconds=600`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    });
    const left = new Promise<void>((resolve) => client.on("close", resolve));
    client.on("error", () => {});
    client.end(body);
    await provider.when(() => provider.tasks.length === 1);
    await until(() => provider.last.polls > 0);
    client.destroy();
    await left;
    provider.advance(provider.last.id, "succeeded");
    expect(await stage.over(provider.last.id)).toMatchObject({ status: "succeeded", usage: { cost_usd: 0.5 } });
    expect(provider.count("submit")).toBe(1);
  });
});
