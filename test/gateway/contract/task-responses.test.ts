import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod";
import { controlOperations } from "../../../gateway/contract/control.ts";
import type { ControlInput, ControlName, ControlOutput } from "../../../gateway/contract/control.ts";
import { gatewayEventSchema, type GatewayEvent } from "../../../gateway/contract/events.ts";
import {
  openAiVideoDeletedSchema,
  openAiVideoListSchema,
  openAiVideoSchema,
} from "../../../gateway/contract/openai-videos.ts";
import { videoTaskListSchema, videoTaskSchema } from "../../../gateway/contract/videos.ts";
import { jpeg } from "../../support/pictures.ts";
import { until } from "../../support/running-gateway.ts";
import { VideoStage } from "../../support/video-acts.ts";
import { orderBody } from "../../support/video-orders.ts";
import { WebhookReceiver } from "../../support/webhook-receiver.ts";

/** What a running gateway sends about videos, held to the schemas that pages, commands and /openapi.json are made of. */

const receiver = new WebhookReceiver();
let stage: VideoStage;
beforeAll(async () => {
  await receiver.listen();
  stage = await VideoStage.open();
  await stage.gateway.ask("PATCH", "/settings", { allow_targets: [receiver.host] });
});
afterAll(async () => {
  await stage.close();
  await receiver.close();
});
beforeEach(() => {
  stage.provider.reset();
  stage.provider.plan = ["queued", "running", "succeeded"];
  receiver.response = () => 204;
});

/** Every field that is sent is in the schema, and the other way round. */
function fits<T>(schema: z.ZodType<T>, sent: unknown): T {
  const read = schema.parse(sent);
  expect(read).toEqual(sent);
  return read;
}

/** A control operation, whose answer must be as its contract says. */
async function requestOf<N extends ControlName>(name: N, id = "", input?: ControlInput<N>): Promise<ControlOutput<N>> {
  const { method, path, output } = controlOperations[name];
  const query = method === "GET" && input !== undefined ? `?${new URLSearchParams(input as never).toString()}` : "";
  const response = await stage.gateway.control(
    method,
    path.replace("/control", "").replace(":id", id) + query,
    method === "GET" ? undefined : (input ?? {}),
  );
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return fits(output as unknown as z.ZodType<ControlOutput<N>>, body);
}

async function answered(asking: Promise<Response>): Promise<unknown> {
  const response = await asking;
  const body: unknown = await response.json();
  expect(response.ok, JSON.stringify(body)).toBe(true);
  return body;
}

describe("the public routes", () => {
  it("answer with tasks at each step, and with lists of them", async () => {
    stage.provider.plan = ["queued"];
    const { id } = fits(
      videoTaskSchema,
      await answered(stage.gateway.post("/videos/generations", orderBody("ark", "a"))),
    );
    fits(videoTaskSchema, await answered(stage.get(`/videos/generations/${id}`)));
    stage.provider.advance(stage.provider.last.id, "running");
    fits(videoTaskSchema, await stage.when(id, ({ status }) => status === "running"));
    stage.provider.advance(stage.provider.last.id, "succeeded");
    const done = fits(videoTaskSchema, await stage.over(id));
    expect(done).toMatchObject({
      content: { last_frame_url: expect.any(String) },
      usage: { cost_usd: expect.any(Number) },
    });
    stage.provider.plan = ["failed"];
    fits(videoTaskSchema, await answered(stage.gateway.post("/videos/generations?wait=true", orderBody("alpha", "b"))));
    stage.provider.plan = ["queued"];
    const waiting = await stage.submit(orderBody("alpha", "c"));
    expect(fits(videoTaskSchema, await answered(stage.delete(`/videos/generations/${waiting.id}`))).status).toBe(
      "cancelled",
    );
    const list = fits(videoTaskListSchema, await answered(stage.get("/videos/generations?limit=100")));
    expect(list.data.length).toBeGreaterThanOrEqual(3);
  });

  it("answer in OpenAI's words", async () => {
    const body = { model: "sora-2", prompt: "a", seconds: "4", size: "1280x720" };
    const { id } = fits(openAiVideoSchema, await answered(stage.gateway.post("/videos", body)));
    await stage.over(id);
    fits(openAiVideoSchema, await answered(stage.get(`/videos/${id}`)));
    stage.provider.plan = ["failed"];
    const failed = await stage.submit(orderBody("xai", "b"));
    await stage.over(failed.id);
    fits(openAiVideoSchema, await answered(stage.get(`/videos/${failed.id}`)));
    fits(openAiVideoListSchema, await answered(stage.get("/videos?limit=100")));
    expect(fits(openAiVideoDeletedSchema, await answered(stage.delete(`/videos/${id}`))).id).toBe(id);
  });
});

describe("the control API", () => {
  it("shows tasks as they are, and after everything that can be done with them", async () => {
    stage.provider.plan = ["queued"];
    const { id } = await stage.submit(orderBody("alpha", "a"));
    await requestOf("getTask", id);
    expect((await requestOf("refreshTask", id)).status).toBe("submitted");
    expect((await requestOf("cancelTask", id)).status).toBe("cancelled");
    stage.provider.plan = ["succeeded"];
    const again = await requestOf("repeatTask", id);
    await stage.over(again.public_id);
    await until(async () => (await requestOf("getTask", again.id)).results.length === 1);
    stage.provider.fault("submit", { do: "drop", after: true });
    const lost = await stage.submit(orderBody("xai", "b"));
    expect((await requestOf("getTask", lost.id)).status).toBe("unknown");
    expect((await requestOf("resolveTask", lost.id, { never_arrived: true })).status).toBe("failed");
    const page = await requestOf("listTasks", "", { limit: 10, sort: "nano", order: "asc", q: "a" });
    expect(page.total).toBeGreaterThanOrEqual(2);
  });

  it("shows callbacks, what receivers said, and the secret", async () => {
    receiver.response = () => 410;
    const url = receiver.url("gone");
    const { id } = await stage.submit({ ...orderBody("alpha", "c"), webhook_url: url });
    await until(async () => (await requestOf("webhooks")).disabled.length === 1);
    await requestOf("enableReceiver", "", { url });
    receiver.response = () => 204;
    expect((await requestOf("resendWebhook", id)).deliveries.at(-1)?.state).toBe("delivered");
    const before = await requestOf("webhooks");
    const after = await requestOf("rotateWebhookSecret");
    expect(after.secret).not.toBe(before.secret);
    expect(after.previous_until).toEqual(expect.any(Number));
  });

  it("shows the library, and takes from it and gives back", async () => {
    const { id } = await stage.submit(orderBody("ark", "a lighthouse"));
    await stage.over(id);
    await until(async () => (await requestOf("listMedia")).data.some(({ kind }) => kind === "image"));
    const page = await requestOf("listMedia", "", { kind: "video", q: "lighthouse", limit: 1, offset: 0, min_nano: 1 });
    const video = page.data[0]?.id ?? "";
    await requestOf("setPoster", video, { image: jpeg(320, 180).toString("base64") });
    expect((await requestOf("getMedia", video)).poster).not.toBeNull();
    expect((await requestOf("exportMedia", "", { ids: [video] })).link).toMatch(/^\/media\/export\//);
    expect((await requestOf("deleteMedia", "", { ids: [video] })).deleted).toEqual([video]);
    expect((await requestOf("restoreMedia", "", { ids: [video] })).restored).toEqual([video]);
  });

  it("shows the settings of the library and of receivers", async () => {
    const { media_keep_days } = await requestOf("updateSettings", "", { media_keep_days: 30, media_max_gib: 100 });
    expect(media_keep_days).toBe(30);
    expect((await requestOf("getSettings")).allow_targets).toEqual([receiver.host]);
  });
});

it("events of tasks, money, callbacks and the library are as pages read them", async () => {
  const seen: GatewayEvent[] = [];
  const stop = stage.gateway.gateway.events.subscribe((event) => seen.push(event));
  const { id } = await stage.submit({ ...orderBody("alpha", "d"), webhook_url: receiver.url("told") });
  await stage.over(id);
  const reports = ["task.changed", "request.settled", "media.changed", "webhooks.changed"];
  await until(() => reports.every((type) => seen.some((event) => event.type === type)));
  stop();
  const sent: unknown[] = seen.map((event) => JSON.parse(JSON.stringify(event)) as unknown);
  expect(sent.map((event) => gatewayEventSchema.parse(event))).toEqual(sent);
});
