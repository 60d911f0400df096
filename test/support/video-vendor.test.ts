import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { VideoVendor } from "./video-vendor.ts";

/** What the engine's tests rely on: that the vendor does go wrong as it is told, and says so when it is spoken to wrongly. */

const vendor = new VideoVendor();
beforeAll(() => vendor.listen());
afterAll(() => vendor.close());
afterEach(() => vendor.reset());

const AUTHORIZED = { authorization: "Bearer k", "content-type": "application/json" };
const ORDER = { model: "m", content: [{ type: "text", text: "A cat" }], return_last_frame: true };

const submit = (init: RequestInit = {}): Promise<Response> =>
  fetch(`${vendor.baseUrl("ark")}/contents/generations/tasks`, {
    method: "POST",
    headers: AUTHORIZED,
    body: JSON.stringify(ORDER),
    ...init,
  });
const poll = async (id: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${vendor.baseUrl("ark")}/contents/generations/tasks/${id}`, { headers: AUTHORIZED });
  return (await response.json()) as Record<string, unknown>;
};

describe("a submission", () => {
  it.each([
    [{ do: "drop", after: true }, 1],
    [{ do: "drop" }, 0],
  ] as const)("breaks off by %j, with %i tasks accepted", async (fault, accepted) => {
    vendor.fault("submit", fault);
    await expect(submit()).rejects.toThrow("fetch failed");
    expect(vendor.accepted("A cat")).toHaveLength(accepted);
    expect((await submit()).status).toBe(200);
    expect(vendor.count("submit")).toBe(2);
  });

  it.each([
    [{ do: "answer", status: 500, body: { error: { code: "InternalServiceError", message: "…" } } }, 0],
    [{ do: "answer", status: 429, headers: { "retry-after": "7" }, after: true }, 1],
  ] as const)("is answered by %j, with %i tasks accepted", async (fault, accepted) => {
    vendor.fault("submit", null, fault);
    expect((await submit()).status).toBe(200);
    const response = await submit();
    expect(response.status).toBe(fault.status);
    expect(vendor.tasks).toHaveLength(1 + accepted);
  });

  it("hangs with the task accepted", async () => {
    vendor.fault("submit", { do: "hang", after: true });
    const ending = new AbortController();
    const answer = submit({ signal: ending.signal });
    await vendor.when(() => vendor.tasks.length === 1);
    ending.abort();
    await expect(answer).rejects.toThrow("aborted");
  });

  it("is held until it is let go", async () => {
    const release = vendor.hold("submit");
    const answer = submit();
    await vendor.when(() => vendor.count("submit") === 1);
    expect(vendor.tasks).toHaveLength(0);
    release();
    expect(await (await answer).json()).toEqual({ id: vendor.last.id });
    expect(vendor.seen[0]).toMatchObject({ operation: "submit", protocol: "ark", key: "k", id: vendor.last.id });
  });
});

it("goes through the plan poll by poll, and then as it is told", async () => {
  vendor.next("queued", "running");
  await submit();
  const { id } = vendor.last;
  const states = [];
  for (let i = 0; i < 3; i += 1) states.push((await poll(id))["status"]);
  expect(states).toEqual(["queued", "running", "running"]);
  vendor.advance(id, "failed");
  expect(await poll(id)).toMatchObject({ status: "failed", error: vendor.last.error });
  vendor.last.override = { status: "odd" };
  expect(await poll(id)).toMatchObject({ status: "odd" });
  expect(vendor.polls(id)).toBe(5);
});

it("serves results at whole addresses without a key, and breaks off where it is told", async () => {
  vendor.plan = ["succeeded"];
  await submit();
  const content = (await poll(vendor.last.id))["content"] as { video_url: string; last_frame_url: string };
  expect(Buffer.from(await (await fetch(content.video_url)).arrayBuffer())).toEqual(vendor.last.video);
  expect((await fetch(content.last_frame_url)).headers.get("content-type")).toBe("image/png");
  vendor.fault("file", { do: "cut", bytes: 100 });
  const cut = await fetch(content.video_url);
  await expect(cut.arrayBuffer()).rejects.toThrow("terminated");
  expect(vendor.complaints).toEqual([]);
  expect((await fetch(content.video_url, { headers: AUTHORIZED })).status).toBe(400);
  expect((await fetch(content.video_url.split("?")[0] ?? "")).status).toBe(403);
  expect(vendor.complaints).toHaveLength(2);
});

it("refuses what its vendor would, and notes what breaks the protocol", async () => {
  const dashscope = `${vendor.baseUrl("dashscope")}/api/v1/services/aigc/video-generation/video-synthesis`;
  const asynchronous = { ...AUTHORIZED, "x-dashscope-async": "enable" };
  const attempt = async (headers: Record<string, string>, body: object): Promise<unknown> =>
    (await fetch(dashscope, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const input = { prompt: "A cat" };
  expect(await attempt(AUTHORIZED, { model: "wan2.7-t2v", input })).toMatchObject({ code: "AccessDenied" });
  expect(await attempt(asynchronous, { model: "wan2.7-t2v", input, wait: true })).toHaveProperty("code");
  expect(await attempt(asynchronous, { model: "wan2.7-i2v", input: { img_url: "oss://a" } })).toHaveProperty("code");
  expect(vendor.complaints).toHaveLength(3);
  const refused = { code: "InvalidParameter", message: "Field required: input.img_url" };
  expect(await attempt(asynchronous, { model: "wan2.6-i2v", input })).toMatchObject(refused);
  expect((await fetch(`${vendor.origin}/elsewhere`, { headers: AUTHORIZED })).status).toBe(404);
  expect(vendor.complaints).toHaveLength(4);
  expect(vendor.tasks).toHaveLength(0);
  vendor.refusedKeys.add("k");
  expect((await submit()).status).toBe(401);
});
