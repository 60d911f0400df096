import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VideoTask } from "../../../gateway/contract/videos.ts";
import { errorOf, until } from "../../support/running-gateway.ts";
import { T2V } from "../../support/video-acts.ts";
import { useVideoStage } from "../../support/video-stage.ts";

/** The specification's Video task: its fields, its states, how it is read back, and the callback when it ends. */

interface Callback {
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: VideoTask };
}

const callbacks: Callback[] = [];
let receiver: Server;
/** The address is allowed before it is known to the gateway: both are made in this order. */
const env: Record<string, string> = {};
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as Callback["body"];
      callbacks.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  env["POSTERN_ALLOW_TARGETS"] = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
const videos = useVideoStage({ env });
afterAll(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

const hook = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const SEEDANCE = {
  model: "doubao-seedance-1-5-pro-251215",
  duration: 5,
  resolution: "480p",
  input: { prompt: "A kite." },
  parameters: { seed: 11, return_last_frame: true },
} as const;

describe("fields", () => {
  it("row id › a platform identifier, or an upstream-issued one", async () => {
    const { stage, provider } = videos;
    expect((await stage.submit()).id).toMatch(/^vt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const issued = await stage.submit(SEEDANCE);
    expect(issued.id).toBe(provider.last.id);
    expect(issued.id).toMatch(/^cgt-\d{14}-\w{5}$/);
  });

  it("row model › the model of the task, by the name of the model list", async () => {
    expect((await videos.stage.submit()).model).toBe("alpha2.6-t2v");
    expect((await videos.stage.submit({ ...T2V, model: "wan2.6-t2v" })).model).toBe("alpha2.6-t2v");
    expect((await videos.stage.submit(SEEDANCE)).model).toBe(SEEDANCE.model);
  });

  it("row status › submitted, then what became of it", async () => {
    const { stage } = videos;
    const task = await stage.submit();
    expect(task.status).toBe("submitted");
    expect((await stage.when(task.id, ({ status }) => status !== "submitted")).status).toBe("running");
    expect((await videos.ended(task, "succeeded")).status).toBe("succeeded");
  });

  it("row created_at › Unix seconds, the same from the submission to the end", async () => {
    const { stage } = videos;
    const before = stage.time.now();
    const task = await stage.submit();
    expect(Number.isInteger(task.created_at)).toBe(true);
    expect(task.created_at).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
    expect(task.created_at).toBeLessThanOrEqual(Math.floor(stage.time.now() / 1_000));
    expect((await videos.ended(task, "succeeded")).created_at).toBe(task.created_at);
  });

  it("row error › code and message on failure, and on no other task", async () => {
    const { stage, provider } = videos;
    const task = await stage.submit();
    expect(task).not.toHaveProperty("error");
    provider.last.error = { code: "InvalidParameter", message: "The size is not match 1280*721" };
    const failed = await videos.ended(task, "failed");
    expect(failed.error).toEqual({ code: "InvalidParameter", message: "The size is not match 1280*721" });
    expect(await videos.ended(await stage.submit(), "succeeded")).not.toHaveProperty("error");
  });

  it("row content, usage, seed › in a terminal state, next to the upstream's native format", async () => {
    const { stage, provider } = videos;
    const task = await stage.submit(SEEDANCE);
    for (const field of ["content", "usage", "seed"]) expect(task).not.toHaveProperty(field);
    const done = await videos.ended(task, "succeeded");
    const files = `${provider.origin}/files/${task.id}`;
    expect(done.content).toEqual({
      video_url: `${files}/video.mp4?Expires=1&Signature=s%2B1`,
      last_frame_url: `${files}/last.png?Expires=1&Signature=s%2B1`,
      local_url: expect.stringMatching(new RegExp(`^${stage.gateway.url}/media/`)),
    });
    expect(done.usage).toMatchObject({
      completion_tokens: 108_900,
      total_tokens: 108_900,
      duration_seconds: 5,
      resolution: "480p",
    });
    expect(done.seed).toBe(11);
    expect(done.native).toMatchObject({
      id: task.id,
      status: "succeeded",
      framespersecond: 24,
      seed: 11,
      service_tier: "default",
    });
  });
});

describe("states", () => {
  it("(none) › a request that is accepted makes a submitted task: 202 with id, model, status and created_at", async () => {
    const response = await videos.stage.gateway.post("/videos/generations", T2V);
    expect(response.status).toBe(202);
    const task = (await response.json()) as VideoTask;
    expect([task.model, task.status]).toEqual([T2V.model, "submitted"]);
    expect([typeof task.id, typeof task.created_at]).toEqual(["string", "number"]);
    expect((await videos.stage.read(task.id)).id).toBe(task.id);
  });

  it("(none) › a request that is refused makes no task", async () => {
    const { stage } = videos;
    const newest = async (): Promise<unknown> =>
      ((await (await stage.get("/videos/generations?limit=1")).json()) as { first_id: unknown }).first_id;
    const before = await newest();
    expect((await stage.gateway.post("/videos/generations", { ...T2V, input: null })).status).toBe(400);
    expect(await newest()).toBe(before);
  });

  it("(terminal failure) › generation that fails is read as failed, with the upstream's validation message", async () => {
    const { stage, provider } = videos;
    const task = await stage.submit();
    provider.last.error = { code: "failed", message: "Field required: input.img_url" };
    expect(await videos.ended(task, "failed")).toMatchObject({
      status: "failed",
      error: { code: "failed", message: "Field required: input.img_url" },
    });
    expect(await videos.receiptOf(task)).toMatchObject({ outcome: "failed", nano: 0 });
  });

  it("(terminal failure) › generation that times out is read as failed", async () => {
    const { stage } = videos;
    const task = await stage.submit();
    await stage.when(task.id, ({ status }) => status === "running");
    stage.time.jump(4 * 3_600_000);
    const late = await stage.over(task.id);
    expect(late).toMatchObject({
      status: "failed",
      error: { code: "timeout", message: expect.stringContaining("in time") },
    });
  });
});

describe("GET /v1/videos/generations/{id}", () => {
  it("finds a task by the platform's id and by the upstream's, whichever it was given", async () => {
    const { stage, provider } = videos;
    const task = await stage.submit();
    expect(await stage.read(provider.last.id)).toMatchObject({ id: task.id });
    const issued = await stage.submit(SEEDANCE);
    const [row] = (await stage.gateway.ask<{ data: { id: string; public_id: string }[] }>("GET", "/tasks?limit=1"))
      .data;
    expect([row?.public_id, row?.id]).toEqual([issued.id, expect.stringMatching(/^vt_/)]);
    expect(await stage.read(row?.id as string)).toMatchObject({ id: issued.id, model: SEEDANCE.model });
    expect(await stage.read(issued.id)).toMatchObject({ id: issued.id });
  });

  it("is 404 for an invalid id", async () => {
    for (const id of [
      "vt_00000000000000000000000000",
      "cgt-20260101000000-aaaaa",
      "%00",
      "__proto__",
      "x".repeat(500),
    ]) {
      const response = await videos.stage.get(`/videos/generations/${id}`);
      expect([id, response.status, await errorOf(response)]).toEqual([
        id,
        404,
        expect.objectContaining({ code: "not_found", type: "invalid_request_error", param: "id" }),
      ]);
    }
  });
});

describe("events", () => {
  it("rule 1 › the webhook address is called when the task reaches a terminal state, and not before", async () => {
    const { stage, provider } = videos;
    callbacks.length = 0;
    const ends = ["succeeded", "failed"] as const;
    const tasks: VideoTask[] = [];
    for (const end of ends) {
      const task = await stage.submit({ ...T2V, webhook_url: hook() });
      await stage.when(task.id, ({ status }) => status === "running");
      expect(callbacks).toHaveLength(tasks.length);
      tasks.push(await videos.ended(task, end));
      await until(() => callbacks.length === tasks.length);
    }
    provider.plan = ["queued"];
    const waiting = await stage.submit({ ...T2V, webhook_url: hook() });
    expect((await stage.delete(`/videos/generations/${waiting.id}`)).status).toBe(200);
    await until(() => callbacks.length === 3);
    expect(callbacks.map(({ body }) => [body.type, body.data.id, body.data.status])).toEqual([
      ["video.task.succeeded", tasks[0]?.id, "succeeded"],
      ["video.task.failed", tasks[1]?.id, "failed"],
      ["video.task.cancelled", waiting.id, "cancelled"],
    ]);
  });

  it("rule 2 › payload, headers and signature are those of Standard Webhooks, with the task as GET shows it", async () => {
    const { stage } = videos;
    callbacks.length = 0;
    const task = await stage.submit({ ...T2V, webhook_url: hook() });
    const done = await videos.ended(task, "succeeded");
    await until(() => callbacks.length === 1);
    const [{ headers, body } = {} as Callback] = callbacks;
    expect(headers).toMatchObject({
      "content-type": expect.stringContaining("application/json"),
      "webhook-id": expect.stringMatching(/^\S+$/),
      "webhook-timestamp": expect.stringMatching(/^\d{10,}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=/),
    });
    expect(Object.keys(body).toSorted()).toEqual(["data", "timestamp", "type"]);
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    const content = { ...done.content, local_url: expect.stringContaining("/media/") };
    expect(body.data).toEqual({ ...done, content });
  });
});
