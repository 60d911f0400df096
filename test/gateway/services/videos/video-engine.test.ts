import { afterEach, describe, expect, it } from "vitest";
import type { State } from "../../../../gateway/contract/control.ts";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import { errorOf, until } from "../../../support/running-gateway.ts";
import type { TestOptions } from "../../../support/running-gateway.ts";
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

  it("holds its price while it runs and releases it when it fails", async () => {
    const { provider } = await open({ keys: [LIMITED] });
    provider.plan = ["running"];
    const task = await stage.submit(T2V, { key: LIMITED.key });
    const detail = await stage.gateway.ask<TaskDetail>("GET", `/tasks/${task.id}`);
    expect(detail.held_nano).toBeGreaterThan(0);
    // The dollar does not cover many of them.
    const refused = await stage.gateway.post(
      "/videos/generations",
      { ...T2V, duration: 15, parameters: {} },
      LIMITED.key,
    );
    expect(refused.status).toBe(402);
    provider.advance(provider.last.id, "failed");
    const failed = await stage.over(task.id, LIMITED.key);
    expect(failed.error).toEqual({ code: provider.last.error.code, message: provider.last.error.message });
    expect(await stage.gateway.spentCents(LIMITED.key)).toBe(0);
    expect((await stage.gateway.ask<TaskDetail>("GET", `/tasks/${task.id}`)).held_nano).toBe(0);
    expect(await stage.gateway.receipts()).toMatchObject([
      { outcome: "failed", nano: 0 },
      { status: 402, outcome: "failed" },
    ]);
  });

  it("passes a refused submission on in the provider's words, and leaves no task", async () => {
    const { provider } = await open();
    provider.fault("submit", {
      do: "answer",
      status: 400,
      body: { code: "InvalidParameter", message: "Field required: input.img_url", request_id: "r" },
    });
    const response = await stage.gateway.post("/videos/generations", T2V);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain("Field required: input.img_url");
    expect(await (await stage.get("/videos/generations")).json()).toMatchObject({ data: [] });
    expect(provider.count("submit")).toBe(1);
  });

  it.each([429, 500, 502, 503, 504, 529])("is not sent a second time after status %i", async (status) => {
    const { provider } = await open();
    provider.fault("submit", { do: "answer", status });
    await stage.gateway.post("/videos/generations", T2V);
    expect(provider.count("submit")).toBe(1);
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

  it("is fetched after a restart that came in the middle of its download", async () => {
    const { provider } = await open();
    provider.plan = ["succeeded"];
    const letGo = provider.hold("file");
    const task = await stage.submit();
    await provider.when(() => provider.count("file") > 0);
    await stage.restart();
    letGo();
    const done = await stage.over(task.id);
    expect(done.content?.local_url).toContain("/media/");
    expect((await stage.gateway.receipts()).filter(({ endpoint }) => endpoint === "videos")).toHaveLength(1);
  });

  it("is unknown when the submission had no response, and found in the provider's list", async () => {
    const { provider } = await open();
    provider.fault("submit", { do: "drop", after: true });
    const task = await stage.submit();
    expect(task.status).toBe("unknown");
    const done = await stage.over(task.id);
    expect(done.status).toBe("succeeded");
    expect(provider.count("submit")).toBe(1);
    expect(provider.count("list")).toBeGreaterThan(0);
  });

  it("fails when the provider's list shows that it never arrived", async () => {
    const { provider } = await open();
    provider.fault("submit", { do: "drop" });
    const task = await stage.submit();
    const over = await stage.over(task.id);
    expect(over).toMatchObject({ status: "failed", error: { code: "not_submitted" } });
    expect(provider.tasks).toHaveLength(0);
  });

  it("stays unknown where the provider has no list, until the owner says what became of it", async () => {
    const { provider } = await open();
    provider.fault("submit", { do: "drop", after: true });
    const task = await stage.submit({ model: "grok-imagine-video", input: { prompt: "A kite" }, resolution: "480p" });
    expect(task.status).toBe("unknown");
    const notices = async () => (await stage.gateway.ask<State>("GET", "/state")).notices;
    await until(async () => (await notices()).some(({ message }) => message.includes(task.id)));
    await stage.gateway.ask("POST", `/tasks/${task.id}/resolve`, { provider_task_id: provider.last.id });
    expect((await stage.over(task.id)).status).toBe("succeeded");
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

  it("is settled once however many ask at the same moment", async () => {
    const { provider } = await open();
    provider.plan = ["succeeded"];
    const task = await stage.submit();
    await Promise.all(Array.from({ length: 100 }, () => stage.gateway.control("POST", `/tasks/${task.id}/refresh`)));
    await stage.over(task.id);
    await until(async () => (await stage.gateway.receipts()).length > 0);
    expect(await stage.gateway.receipts()).toHaveLength(1);
  });

  it("does not go back when the provider's states do", async () => {
    const { provider } = await open();
    provider.plan = ["running", "queued", "running", "queued", "succeeded"];
    const task = await stage.submit();
    const seen: string[] = [];
    await stage.when(task.id, ({ status }) => {
      if (seen.at(-1) !== status) seen.push(status);
      return status === "succeeded";
    });
    expect(seen.filter((status) => status === "submitted").length).toBeLessThanOrEqual(1);
    expect(seen.indexOf("submitted")).toBeLessThanOrEqual(0);
  });

  it("is cancelled while it waits at a provider that can, and not afterwards", async () => {
    const { provider } = await open();
    provider.plan = ["queued"];
    const task = await stage.submit();
    const cancelled = await stage.delete(`/videos/generations/${task.id}`);
    expect(cancelled.status).toBe(200);
    expect(await cancelled.json()).toMatchObject({ id: task.id, status: "cancelled" });
    const again = await stage.delete(`/videos/generations/${task.id}`);
    expect(again.status).toBe(409);
    expect((await errorOf(again)).code).toBe("not_cancellable");
    provider.plan = ["running"];
    const running = await stage.submit();
    expect((await stage.delete(`/videos/generations/${running.id}`)).status).toBe(409);
    expect(await stage.gateway.spentCents()).toBe(0);
  });

  it("goes on when the network is away for a while", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    const task = await stage.submit();
    provider.fault("poll", ...Array.from({ length: 4 }, () => ({ do: "drop" }) as const));
    await provider.when(() => provider.count("poll") >= 6);
    provider.advance(provider.last.id, "succeeded");
    expect((await stage.over(task.id)).status).toBe("succeeded");
  });

  it("waits for the task when it is told to", async () => {
    await open();
    const done = await stage.submit({ ...T2V, wait: true }, { status: 200, query: "?wait_seconds=600" });
    expect(done.status).toBe("succeeded");
    stage.provider.plan = ["running"];
    const running = await stage.submit(T2V, { query: "?wait=true&wait_seconds=10" });
    expect(running.status).toMatch(/submitted|running/);
  });

  it("is told as it is to whoever waits for it when Postern stops", async () => {
    const { provider } = await open();
    provider.plan = ["running"];
    const waiting = stage.submit(T2V, { query: "?wait=true&wait_seconds=600" });
    await provider.when(() => provider.count("poll") > 0);
    await stage.gateway.stop();
    expect((await waiting).status).toMatch(/submitted|running/);
  });

  it("is made once for one Idempotency-Key", async () => {
    const { provider } = await open();
    const headers = { "idempotency-key": "order-7" };
    const [first, second] = await Promise.all([stage.submit(T2V, { headers }), stage.submit(T2V, { headers })]);
    const later = await stage.submit(T2V, { headers });
    expect(new Set([first.id, second.id, later.id]).size).toBe(1);
    const other = await stage.gateway.post(
      "/videos/generations",
      { ...T2V, duration: 6, parameters: {} },
      undefined,
      headers,
    );
    expect(other.status).toBe(409);
    expect((await errorOf(other)).code).toBe("idempotency_conflict");
    expect(provider.count("submit")).toBe(1);
  });
});
