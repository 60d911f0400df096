import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import type { VideoTask } from "../../../../gateway/contract/videos.ts";
import { thin } from "../../../support/dose.ts";
import { FullDisk } from "../../../support/full-disk.ts";
import { errorOf, until } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { useWire } from "../../../support/use-gateway.ts";

/** Who waits half a minute for a disk waits a second here. */
vi.mock(import("../../../../gateway/lib/within.ts"), async (original) => {
  const { within } = await original();
  return { within: (work, ms) => within(work, Math.min(ms, 1_000)) };
});

/** A disk that takes no more writes, at each point of a task's life, and takes them again later. */
const LIMITED = { key: "sk-test-limited-key-00001", name: "limited", limit_usd: 1 } as const;
const receiver = useWire();
const disk = new FullDisk();
let stage: VideoStage;
beforeAll(async () => {
  disk.install();
});
afterAll(async () => {
  disk.remove();
});
afterEach(async () => {
  disk.free();
  await stage.close();
  receiver.reset();
});

async function open(): Promise<VideoStage> {
  stage = await VideoStage.open({ keys: [LIMITED] });
  const allow_targets = [receiver.origin.slice("http://".length)];
  await stage.gateway.ask("PATCH", "/settings", { allow_targets });
  receiver.on("POST /hook", (_seen, outgoing) => void outgoing.writeHead(204).end());
  return stage;
}

const detailOf = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);
const listed = async (): Promise<VideoTask[]> => {
  const response = await stage.get("/videos/generations");
  return ((await response.json()) as { data: VideoTask[] }).data;
};
const writable = (): Promise<void> =>
  until(async () => (await stage.gateway.ask<{ status: string }>("GET", "/state")).status === "running");

describe("a submission", () => {
  it("that cannot be written down is refused before its provider is asked, and holds nothing", async () => {
    const { provider } = await open();
    disk.fill();
    const refused = await stage.gateway.post("/videos/generations", T2V, LIMITED.key);
    expect(refused.status).toBe(503);
    expect((await errorOf(refused)).code).toBe("storage_unavailable");
    expect(provider.count("submit")).toBe(0);
    disk.free();
    await writable();
    // The dollar is there for both.
    await stage.submit(T2V, { key: LIMITED.key });
    expect((await stage.submit(T2V, { key: LIMITED.key })).status).toBe("submitted");
  });

  it("that its provider has taken goes on as soon as the disk takes it, and is made once", async () => {
    const { provider } = await open();
    const letGo = provider.hold("submit");
    const headers = { "idempotency-key": "order" };
    const first = stage.gateway.post("/videos/generations", T2V, undefined, headers);
    await provider.when(() => provider.count("submit") === 1);
    disk.fill();
    letGo();
    // Its client is informed when it takes long, and not to send it again.
    const reported = await first;
    expect(reported.status).toBe(503);
    expect(reported.headers.get("x-should-retry")).toBe("false");
    expect((await errorOf(reported)).message).toContain("the task goes on by itself");
    disk.free();
    const task = await stage.submit(T2V, { headers });
    expect((await stage.over(task.id)).status).toBe("succeeded");
    expect(provider.count("submit")).toBe(1);
    expect(await stage.gateway.receipts()).toMatchObject([{ outcome: "completed" }]);
  });

  it("that its provider refused leaves no task behind, though the disk refuses that too for a while", async () => {
    const { provider } = await open();
    const letGo = provider.hold("submit");
    const body = { code: "InvalidParameter", message: "Field required: input.img_url" };
    provider.fault("submit", { do: "answer", status: 400, body });
    const headers = { "idempotency-key": "order" };
    const refused = stage.gateway.post("/videos/generations", T2V, undefined, headers);
    await provider.when(() => provider.count("submit") === 1);
    disk.fill();
    letGo();
    expect((await refused).status).toBe(400);
    disk.free();
    await until(async () => (await listed()).length === 0);
    await writable();
    const again = await stage.submit(T2V, { headers });
    expect((await stage.over(again.id)).status).toBe("succeeded");
    expect(provider.count("submit")).toBe(2);
  });
});

describe("a task that runs", () => {
  it.each(["succeeded", "failed", "cancelled", "expired"] as const)(
    "and has %s at its provider ends when the disk takes it, once, though no one reads it",
    async (state) => {
      const { provider } = await open();
      provider.plan = ["running"];
      const task = await stage.submit({ ...T2V, webhook_url: `${receiver.origin}/hook` });
      await provider.when(() => provider.polls(provider.last.id) > 0);
      disk.fill();
      // A provider that does not know a task a minute later never will.
      const aged = stage.time.monotonic() + 61_000;
      await until(() => stage.time.monotonic() > aged);
      provider.advance(provider.last.id, state);
      const requestCount = provider.polls(provider.last.id);
      await provider.when(() => provider.polls(provider.last.id) > requestCount + 2);
      disk.free();
      await until(() => receiver.seen.length > 0);
      expect((await stage.over(task.id)).status).toBe(state === "expired" ? "failed" : state);
      const receipts = await stage.gateway.receipts();
      expect(receipts).toHaveLength(1);
      expect(receipts[0]?.nano === 0).toBe(state !== "succeeded");
    },
  );

  it("and is cancelled at its provider is cancelled here when the disk takes it", async () => {
    const { provider } = await open();
    provider.plan = ["queued"];
    const task = await stage.submit(T2V, { key: LIMITED.key });
    const letGo = provider.hold("cancel");
    const response = stage.delete(`/videos/generations/${task.id}`, LIMITED.key);
    await provider.when(() => provider.count("cancel") === 1);
    disk.fill();
    letGo();
    expect((await response).status).toBe(503);
    disk.free();
    await until(async () => (await stage.gateway.receipts()).length === 1);
    expect((await stage.read(task.id, LIMITED.key)).status).toBe("cancelled");
    expect((await detailOf(task.id)).held_nano).toBe(0);
  });
});

it("a whole life goes on over three refused writes, wherever they come", async () => {
  const { provider } = await open();
  const live = async (refusedFrom: number): Promise<number> => {
    receiver.seen.length = 0;
    const before = (await stage.gateway.receipts()).filter(({ outcome }) => outcome === "completed").length;
    disk.refuse(refusedFrom, 3);
    const headers = { "idempotency-key": `life ${refusedFrom}` };
    const order = { ...T2V, webhook_url: `${receiver.origin}/hook` };
    let id = "";
    await until(async () => {
      const response = await stage.gateway.post("/videos/generations", order, undefined, headers);
      const body = (await response.json()) as VideoTask;
      if (response.status === 202) id = body.id;
      else expect(response.status, JSON.stringify(body)).toBe(503);
      return id !== "";
    });
    expect((await stage.over(id)).status).toBe("succeeded");
    await until(async () => (await detailOf(id)).deliveries[0]?.state === "delivered", 20_000);
    await until(async () => (await detailOf(id)).results.length === 1);
    await until(async () => {
      const receipts = await stage.gateway.receipts();
      return receipts.filter(({ outcome }) => outcome === "completed").length === before + 1;
    });
    expect(new Set(receiver.seen.map(({ headers: sent }) => sent["webhook-id"])).size).toBe(1);
    return disk.writes;
  };
  const writes = await live(Infinity);
  expect(writes).toBeGreaterThan(8);
  const moments = thin(
    Array.from({ length: writes }, (_, index) => index + 1),
    3,
  );
  for (const from of moments) await live(from);
  expect(provider.count("submit")).toBe(moments.length + 1);
  disk.free();
  await writable();
  const receipts = await stage.gateway.receipts();
  const completed = receipts.filter(({ outcome }) => outcome === "completed");
  expect(new Set(completed.map(({ id, nano }) => `${id} ${nano}`)).size).toBe(moments.length + 1);
  await stage.restart();
  expect(await stage.gateway.receipts()).toEqual(receipts);
}, 900_000);
