import { afterEach, describe, expect, it } from "vitest";
import { type TestOptions } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";

let stage: VideoStage;
const open = async (options: TestOptions = {}): Promise<VideoStage> => (stage = await VideoStage.open(options));
afterEach(() => stage.close());

const LIMITED = { key: "sk-test-limited-key-00001", name: "limited", limit_usd: 1 } as const;

describe("a video task", () => {
  it("is submitted once, made, saved, and billed once", async () => {
    const { provider } = await open({ keys: [LIMITED] });
    const task = await stage.submit(T2V, { key: LIMITED.key });
    expect(task).toMatchObject({ object: "video.task", model: "alpha2.6-t2v", status: "submitted" });
    expect(task.id).toMatch(/^vt_[0-9A-Z]{26}$/);
    const done = await stage.over(task.id, LIMITED.key);
    expect(done).toMatchObject({
      status: "succeeded",
      content: { video_url: expect.stringContaining("http") },
      usage: { duration_seconds: 5, resolution: "720p" },
    });
    expect(provider.complaints).toEqual([]);
    expect(provider.count("submit")).toBe(1);
    const file = await fetch(done.content?.local_url as string);
    expect(file.headers.get("content-type")).toBe("video/mp4");
    expect(Buffer.from(await file.arrayBuffer())).toEqual(provider.last.video);
    const receipts = await stage.gateway.receipts();
    expect(receipts).toHaveLength(1);
    expect(receipts[0]).toMatchObject({ endpoint: "videos", outcome: "completed", nano: expect.any(Number) });
    expect(done.usage?.cost_usd).toBe((receipts[0]?.nano as number) / 1e9);
    expect(await stage.gateway.spentCents(LIMITED.key)).toBeCloseTo((done.usage?.cost_usd as number) * 100, 6);
  });

  it("survives a restart at any point between submission and end", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    const task = await stage.submit();
    await stage.restart();
    expect((await stage.read(task.id)).status).toMatch(/submitted|running/);
    provider.advance(provider.last.id, "succeeded");
    const done = await stage.over(task.id);
    expect(done.status).toBe("succeeded");
    await stage.restart();
    const again = await stage.read(task.id);
    expect((await fetch(again.content?.local_url as string)).status).toBe(200);
    expect((await stage.gateway.receipts()).filter(({ endpoint }) => endpoint === "videos")).toHaveLength(1);
    expect(provider.count("submit")).toBe(1);
  });

  it("fails by its deadline, and still succeeds when the provider does", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    const task = await stage.submit();
    await stage.when(task.id, ({ status }) => status === "running");
    stage.time.jump(4 * 3_600_000);
    const late = await stage.over(task.id);
    expect(late).toMatchObject({ status: "failed", error: { code: "timeout" } });
    provider.advance(provider.last.id, "succeeded");
    // The verdict is asked for every ten minutes.
    await stage.gateway.ask("POST", `/tasks/${task.id}/refresh`);
    const done = await stage.when(task.id, ({ status }) => status === "succeeded");
    expect(done.error).toBeUndefined();
    expect((await stage.gateway.receipts()).filter(({ endpoint }) => endpoint === "videos")).toMatchObject([
      { outcome: "completed" },
    ]);
  });

  it("is reported as it is to anyone who waits for it when Postern stops", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    const waiting = stage.submit(T2V, { query: "?wait=true&wait_seconds=600" });
    await provider.when(() => provider.count("poll") > 0);
    await stage.gateway.stop();
    expect((await waiting).status).toMatch(/submitted|running/);
  });
});
