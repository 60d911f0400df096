import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { VideoProvider } from "./video-provider.ts";

/** What the engine's tests rely on: that the provider does go wrong as it is ordered, and says so when it is spoken to wrongly. */

const provider = new VideoProvider();
beforeAll(() => provider.listen());
afterAll(() => provider.close());
afterEach(() => provider.reset());

const AUTHORIZED = { authorization: "Bearer k", "content-type": "application/json" };
const ORDER = { model: "m", content: [{ type: "text", text: "A cat" }], return_last_frame: true };

const submit = (init: RequestInit = {}): Promise<Response> =>
  fetch(`${provider.baseUrl("ark")}/contents/generations/tasks`, {
    method: "POST",
    headers: AUTHORIZED,
    body: JSON.stringify(ORDER),
    ...init,
  });
const poll = async (id: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${provider.baseUrl("ark")}/contents/generations/tasks/${id}`, { headers: AUTHORIZED });
  return (await response.json()) as Record<string, unknown>;
};

describe("a submission", () => {
  it.each([
    [{ do: "drop", after: true }, 1],
    [{ do: "drop" }, 0],
  ] as const)("breaks off by %j, with %i tasks accepted", async (fault, accepted) => {
    provider.fault("submit", fault);
    await expect(submit()).rejects.toThrow("fetch failed");
    expect(provider.accepted("A cat")).toHaveLength(accepted);
    expect((await submit()).status).toBe(200);
    expect(provider.count("submit")).toBe(2);
  });

  it.each([
    [{ do: "answer", status: 500, body: { error: { code: "InternalServiceError", message: "…" } } }, 0],
    [{ do: "answer", status: 429, headers: { "retry-after": "7" }, after: true }, 1],
  ] as const)("is answered by %j, with %i tasks accepted", async (fault, accepted) => {
    provider.fault("submit", null, fault);
    expect((await submit()).status).toBe(200);
    const response = await submit();
    expect(response.status).toBe(fault.status);
    expect(provider.tasks).toHaveLength(1 + accepted);
  });

  it("hangs with the task accepted", async () => {
    provider.fault("submit", { do: "hang", after: true });
    const ending = new AbortController();
    const response = submit({ signal: ending.signal });
    await provider.when(() => provider.tasks.length === 1);
    ending.abort();
    await expect(response).rejects.toThrow("aborted");
  });

  it("is held until it is let go", async () => {
    const release = provider.hold("submit");
    const response = submit();
    await provider.when(() => provider.count("submit") === 1);
    expect(provider.tasks).toHaveLength(0);
    release();
    expect(await (await response).json()).toEqual({ id: provider.last.id });
    expect(provider.seen[0]).toMatchObject({ operation: "submit", protocol: "ark", key: "k", id: provider.last.id });
  });
});

it("goes through the plan poll by poll, and then as it is ordered", async () => {
  provider.next("queued", "running");
  await submit();
  const { id } = provider.last;
  const states = [];
  for (let i = 0; i < 3; i += 1) states.push((await poll(id))["status"]);
  expect(states).toEqual(["queued", "running", "running"]);
  provider.advance(id, "failed");
  expect(await poll(id)).toMatchObject({ status: "failed", error: provider.last.error });
  provider.last.override = { status: "odd" };
  expect(await poll(id)).toMatchObject({ status: "odd" });
  expect(provider.polls(id)).toBe(5);
});

it("serves results at whole addresses without a key, and breaks off where it is ordered", async () => {
  provider.plan = ["succeeded"];
  await submit();
  const content = (await poll(provider.last.id))["content"] as { video_url: string; last_frame_url: string };
  expect(Buffer.from(await (await fetch(content.video_url)).arrayBuffer())).toEqual(provider.last.video);
  expect((await fetch(content.last_frame_url)).headers.get("content-type")).toBe("image/png");
  provider.fault("file", { do: "cut", bytes: 100 });
  const cut = await fetch(content.video_url);
  await expect(cut.arrayBuffer()).rejects.toThrow("terminated");
  expect(provider.complaints).toEqual([]);
  expect((await fetch(content.video_url, { headers: AUTHORIZED })).status).toBe(400);
  expect((await fetch(content.video_url.split("?")[0] ?? "")).status).toBe(403);
  expect(provider.complaints).toHaveLength(2);
});

it("refuses what its provider would, and notes what breaks the protocol", async () => {
  const dashscope = `${provider.baseUrl("dashscope")}/api/v1/services/aigc/video-generation/video-synthesis`;
  const asynchronous = { ...AUTHORIZED, "x-dashscope-async": "enable" };
  const attempt = async (headers: Record<string, string>, body: object): Promise<unknown> =>
    (await fetch(dashscope, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const input = { prompt: "A cat" };
  expect(await attempt(AUTHORIZED, { model: "wan2.7-t2v", input })).toMatchObject({ code: "AccessDenied" });
  expect(await attempt(asynchronous, { model: "wan2.7-t2v", input, wait: true })).toHaveProperty("code");
  expect(await attempt(asynchronous, { model: "wan2.7-i2v", input: { img_url: "oss://a" } })).toHaveProperty("code");
  expect(provider.complaints).toHaveLength(3);
  const refused = { code: "InvalidParameter", message: "Field required: input.img_url" };
  expect(await attempt(asynchronous, { model: "wan2.6-i2v", input })).toMatchObject(refused);
  expect((await fetch(`${provider.origin}/elsewhere`, { headers: AUTHORIZED })).status).toBe(404);
  expect(provider.complaints).toHaveLength(4);
  expect(provider.tasks).toHaveLength(0);
  provider.refusedKeys.add("k");
  expect((await submit()).status).toBe(401);
});
