import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../../gateway/providers/registry.ts";
import type { VideoListQuery, VideoOperation, VideoState, VideosAdapter } from "../../../gateway/providers/videos.ts";
import type { WireRequest } from "../../../gateway/providers/wire-request.ts";
import { VideoProvider, mp4, type Protocol } from "../../support/video-provider.ts";

/** The adapters against providers that were written from docs/providers alone, over HTTP. */

const PROTOCOLS = ["dashscope", "ark", "xai", "openai", "compatible"] as const;

const provider = new VideoProvider();
beforeAll(() => provider.listen());
afterAll(() => provider.close());
afterEach(() => {
  expect(provider.complaints).toEqual([]);
  provider.reset();
});

function adapterOf(protocol: Protocol): VideosAdapter {
  const videos = providers[protocol === "compatible" ? "openai-compatible" : protocol].videos;
  if (videos === null) throw new Error(`${protocol} makes no videos`);
  return videos;
}

const ORDERS: Readonly<Record<Protocol, { readonly model: string; readonly body: Record<string, unknown> }>> = {
  dashscope: {
    model: "wan2.7-t2v",
    body: {
      input: { prompt: "A cat runs" },
      parameters: { resolution: "720P", duration: 5, watermark: false, seed: 0 },
    },
  },
  ark: {
    model: "doubao-seedance-1-5-pro-251215",
    body: {
      content: [{ type: "text", text: "A cat runs" }],
      resolution: "720p",
      duration: 5,
      seed: 0,
      camera_fixed: false,
      return_last_frame: true,
    },
  },
  xai: { model: "grok-imagine-video", body: { prompt: "A cat runs", duration: 6, resolution: "720p" } },
  openai: { model: "sora-2", body: { prompt: "A cat runs", seconds: "8", size: "1280x720" } },
  compatible: { model: "some-video-model", body: { prompt: "A cat runs", seconds: "5", size: "1280x720" } },
};

function bytesOf(body: NonNullable<WireRequest["body"]>): Buffer {
  if (typeof body === "string") return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.concat(body);
}

async function send(protocol: Protocol, wire: WireRequest): Promise<{ status: number; body: unknown; bytes: Buffer }> {
  const response = await fetch(`${provider.baseUrl(protocol)}${wire.path}`, {
    method: wire.method,
    headers: wire.headers,
    body: wire.body === null ? null : new Uint8Array(bytesOf(wire.body)),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get("content-type") === "application/json";
  return { status: response.status, body: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined, bytes };
}

async function submit(protocol: Protocol, body = ORDERS[protocol].body): Promise<VideoOperation> {
  const adapter = adapterOf(protocol);
  const call = { body, upstreamModel: ORDERS[protocol].model, model: null };
  const response = await send(protocol, adapter.toRequest(call, "key-1"));
  const operation = response.status === 200 ? adapter.fromResponse(response.body) : null;
  if (operation === null) throw new Error(`refused: ${response.bytes.toString()}`);
  return operation;
}

async function poll(protocol: Protocol, operation: VideoOperation, key = "key-1"): Promise<VideoState | null> {
  const adapter = adapterOf(protocol);
  const { status, body } = await send(protocol, adapter.toStatusRequest(operation, key));
  return adapter.toState(status, body);
}

describe.each(PROTOCOLS)("%s", (protocol) => {
  const adapter = adapterOf(protocol);

  it("makes a video", async () => {
    const operation = await submit(protocol);
    expect(provider.last.ordered.fields).toEqual({ ...ORDERS[protocol].body, model: ORDERS[protocol].model });
    expect((await poll(protocol, operation))?.state).toBe("queued");
    expect((await poll(protocol, operation))?.state).toBe("running");
    const done = await poll(protocol, operation);
    if (done?.state !== "succeeded") throw new Error(`it is ${JSON.stringify(done)}`);
    expect(done.result.seconds).toBe(provider.last.seconds);
    const { url } = done.result;
    const content = adapter.toContentRequest;
    if (url === null) {
      if (content === null) throw new Error("there is no way to the file");
      expect((await send(protocol, content(operation, "key-1"))).bytes).toEqual(provider.last.video);
    } else {
      expect(content).toBeNull();
      expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(provider.last.video);
    }
    expect(provider.polls(operation.id)).toBe(3);
  });

  it("fails in the provider's words", async () => {
    provider.next("failed");
    const operation = await submit(protocol);
    provider.last.error = { code: "InvalidParameter", message: "The size is not match." };
    expect(await poll(protocol, operation)).toEqual({ state: "failed", ...provider.last.error });
  });

  it("is absent for another account, and where no one knows it", async () => {
    const operation = await submit(protocol);
    expect(await poll(protocol, operation, "key-2")).toEqual({ state: "absent" });
    expect(await poll(protocol, { id: "never-there" })).toEqual({ state: "absent" });
  });
});

describe.each(["dashscope", "ark"] as const)("%s", (protocol) => {
  const { toCancelRequest } = adapterOf(protocol);
  if (toCancelRequest === null) throw new Error("it cannot cancel");

  it("takes a task back while it waits, and not later", async () => {
    const operation = await submit(protocol);
    expect((await send(protocol, toCancelRequest(operation, "key-1"))).status).toBe(200);
    expect(await poll(protocol, operation)).toEqual({ state: "cancelled" });
    provider.next("running");
    const late = await submit(protocol);
    await poll(protocol, late);
    expect((await send(protocol, toCancelRequest(late, "key-1"))).status).toBeGreaterThanOrEqual(400);
    expect(await poll(protocol, late)).toMatchObject({ state: "running" });
  });
});

it.each(["dashscope", "ark", "openai"] as const)(
  "%s: a lost task is found in the provider's list, over its pages",
  async (protocol) => {
    const { listing } = adapterOf(protocol);
    if (listing === null) throw new Error("it has no list");
    const at = Date.UTC(2026, 10, 20, 23, 59, 30);
    provider.now = () => at;
    provider.pageSize = 10;
    provider.fault("submit", ...Array.from({ length: 12 }, () => null), { do: "drop", after: true });
    const made = [];
    for (let i = 0; i < 12; i += 1) made.push((await submit(protocol)).id);
    await expect(submit(protocol)).rejects.toThrow("fetch failed");
    made.push(provider.last.id);
    const found = [];
    let page: string | null = null;
    do {
      const query: VideoListQuery = {
        upstreamModel: ORDERS[protocol].model,
        from: at - 60_000,
        to: at + 60_000,
        page,
      };
      const list = listing.fromResponse((await send(protocol, listing.toRequest(query, "key-1"))).body, query);
      if (list === null) throw new Error("no list");
      found.push(...list.tasks);
      page = list.next;
    } while (page !== null);
    provider.now = Date.now;
    expect(found.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    for (const { createdAt, upstreamModel } of found) {
      expect(createdAt).toBe(at);
      expect([ORDERS[protocol].model, null]).toContain(upstreamModel);
    }
  },
);

it.each(["ark", "openai"] as const)("%s reports several tasks at once what it reports each", async (protocol) => {
  const { batch, toState } = adapterOf(protocol);
  if (batch === null) throw new Error("it tells of one at a time");
  const operations = [await submit(protocol), await submit(protocol), await submit(protocol)];
  for (const [index, state] of (["running", "succeeded", "failed"] as const).entries())
    provider.advance(operations[index]?.id ?? "", state);
  const reports = batch.fromResponse((await send(protocol, batch.toRequest(operations, "key-1"))).body);
  for (const operation of operations)
    expect(toState(200, reports?.get(operation.id))).toEqual(await poll(protocol, operation));
  expect(reports?.get("never-there")).toBeUndefined();
});

it.each(["xai", "openai", "compatible"] as const)("%s cannot cancel", (protocol) => {
  expect(adapterOf(protocol).toCancelRequest).toBeNull();
});

it.each(["xai", "compatible"] as const)("%s has no list", (protocol) => {
  expect(adapterOf(protocol)).toMatchObject({ listing: null, batch: null });
});

it.each(["openai", "compatible"] as const)(
  "sends %s a picture that came inside the order as a file",
  async (protocol) => {
    const picture = mp4("any bytes");
    await submit(protocol, {
      ...ORDERS[protocol].body,
      input_reference: `data:video/mp4;base64,${picture.toString("base64")}`,
    });
    expect(provider.last.ordered.fields).toEqual({
      ...ORDERS[protocol].body,
      model: ORDERS[protocol].model,
      input_reference: picture,
    });
  },
);

it("edits and lengthens a video at xAI by the paths for it", async () => {
  const video = { url: "https://example.com/a.mp4" };
  await submit("xai", { prompt: "Make it snow", video });
  expect(provider.last.path).toBe("/xai/v1/videos/edits");
  await submit("xai", { prompt: "And on", video, duration: 6 });
  expect(provider.last.path).toBe("/xai/v1/videos/extensions");
});
