import { describe, expect, it } from "vitest";
import type { VideoTask, VideoTaskList } from "../../../../gateway/contract/videos.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { T2V } from "../../../support/video-acts.ts";
import { useVideoStage } from "../../../support/video-stage.ts";

/** docs/specification.md#video: a task's fields, the list of tasks, cancelling one, and whose it is. */

const OTHER = "sk-test-other-key-00000001";
const LISTER = "sk-test-lister-key-0000001";
const videos = useVideoStage({
  keys: [
    { key: OTHER, name: "other" },
    { key: LISTER, name: "lister" },
  ],
});
const SEEDANCE = {
  model: "doubao-seedance-1-5-pro-251215",
  input: { prompt: "A kite." },
  parameters: { seed: 3 },
} as const;
const GROK = { model: "grok-imagine-video", input: { prompt: "A kite." } } as const;

const keysOf = (task: object): string[] => Object.keys(task).toSorted();
const ALWAYS = ["created_at", "id", "model", "native", "object", "status", "updated_at"];
/** With them once it is over. */
const OUTCOME = ["content", "usage", "seed"];

describe("the task", () => {
  it("has exactly these fields while it waits and runs", async () => {
    const { stage } = videos;
    const task = await stage.submit();
    expect(keysOf(task)).toEqual(ALWAYS);
    const running = await stage.when(task.id, ({ status }) => status === "running");
    expect(keysOf(running)).toEqual(ALWAYS);
    expect(running.object).toBe("video.task");
    expect(running.updated_at).toBeGreaterThanOrEqual(running.created_at);
    const grok = await stage.submit(GROK);
    const progressed = await stage.when(grok.id, ({ progress }) => progress !== undefined);
    expect(keysOf(progressed)).toEqual([...ALWAYS, "progress"].toSorted());
    expect(progressed.progress).toBe(42);
  });

  it("has exactly these fields when it succeeded", async () => {
    const done = await videos.ended(await videos.stage.submit(), "succeeded");
    expect(keysOf(done)).toEqual([...ALWAYS, ...OUTCOME, "progress"].toSorted());
    expect(keysOf(done.content as object)).toEqual(["local_url", "video_url"]);
    expect(done.usage).toEqual({
      duration: 5,
      input_video_duration: 0,
      output_video_duration: 5,
      video_count: 1,
      SR: 720,
      ratio: "16:9",
      duration_seconds: 5,
      resolution: "720p",
      cost_usd: 0.5,
    });
    expect(done.progress).toBe(100);
    expect(done.seed).toBeNull();
  });

  it("has exactly these fields when it failed, and when it was cancelled", async () => {
    const { stage, provider } = videos;
    const failed = await videos.ended(await stage.submit(), "failed");
    expect(keysOf(failed)).toEqual([...ALWAYS, ...OUTCOME, "error"].toSorted());
    expect(keysOf(failed.error as object)).toEqual(["code", "message"]);
    provider.plan = ["queued"];
    const waiting = await stage.submit();
    expect((await stage.delete(`/videos/generations/${waiting.id}`)).status).toBe(200);
    expect(keysOf(await stage.read(waiting.id))).toEqual([...ALWAYS, ...OUTCOME].toSorted());
  });

  it("has the provider's last body verbatim", async () => {
    const { stage, provider } = videos;
    const task = await stage.submit();
    expect(task.native).toEqual({
      output: { task_status: "PENDING", task_id: provider.last.id },
      request_id: expect.any(String),
    });
    provider.last.override = { strange: [0, false, null, { "": "é" }] };
    const done = await videos.ended(task, "succeeded");
    expect(done.native).toMatchObject({
      output: { task_status: "SUCCEEDED", video_url: done.content?.video_url },
      strange: [0, false, null, { "": "é" }],
    });
  });

  it("is answered with the request's id and the provider's name", async () => {
    const { stage } = videos;
    const providers = [];
    for (const body of [T2V, SEEDANCE, GROK, { model: "sora-2", input: { prompt: "A kite." } }]) {
      const response = await stage.gateway.post("/videos/generations", body);
      const task = (await response.json()) as VideoTask;
      providers.push(response.headers.get("x-postern-provider"));
      const [row] = (await stage.gateway.ask<{ data: { id: string }[] }>("GET", "/tasks?limit=1")).data;
      expect((await videos.detailOf({ id: row?.id as string })).request_id).toBe(response.headers.get("x-request-id"));
      const read = await stage.get(`/videos/generations/${task.id}`);
      expect(read.headers.get("x-request-id")).toMatch(/^\S{8,}$/);
    }
    expect(providers).toEqual(["dashscope", "ark", "xai", "openai"]);
  });
});

describe("the list", () => {
  const list = async (query: string, key = LISTER): Promise<VideoTaskList> => {
    const response = await videos.stage.get(`/videos/generations${query}`, key);
    expect(response.status).toBe(200);
    return (await response.json()) as VideoTaskList;
  };

  it("has the key's own tasks, newest first, in pages, by status and by model", async () => {
    const { stage, provider } = videos;
    const ids: string[] = [];
    for (const body of [T2V, SEEDANCE, T2V, GROK, T2V]) {
      provider.next(ids.length === 2 ? "failed" : "running");
      ids.unshift((await stage.submit(body, { key: LISTER })).id);
    }
    await stage.submit(T2V, { key: OTHER });
    await stage.when(ids[2] as string, ({ status }) => status === "failed", LISTER);
    for (const id of [0, 1, 3, 4]) await stage.when(ids[id] as string, ({ status }) => status === "running", LISTER);

    const whole = await list("");
    expect(keysOf(whole)).toEqual(["data", "first_id", "has_more", "last_id", "object"]);
    expect(whole).toMatchObject({ object: "list", has_more: false, first_id: ids[0], last_id: ids[4] });
    expect(whole.data.map(({ id }) => id)).toEqual(ids);
    expect(whole.data[1]).toEqual(await stage.read(ids[1] as string, LISTER));

    const pages: VideoTaskList[] = [await list("?limit=2")];
    while (pages.at(-1)?.has_more === true) pages.push(await list(`?limit=2&after=${pages.at(-1)?.last_id}`));
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(pages.map(({ has_more, first_id, last_id }) => [has_more, first_id, last_id])).toEqual([
      [true, ids[0], ids[1]],
      [true, ids[2], ids[3]],
      [false, ids[4], ids[4]],
    ]);

    expect((await list("?status=failed")).data.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await list("?status=running&limit=3")).data.map(({ id }) => id)).toEqual([ids[0], ids[1], ids[3]]);
    expect((await list(`?model=${SEEDANCE.model}`)).data.map(({ id }) => id)).toEqual([ids[3]]);
    expect((await list(`?status=running&model=${T2V.model}`)).data.map(({ id }) => id)).toEqual([ids[0], ids[4]]);
    // The provider's own name of the model means the same.
    expect((await list("?status=running&model=wan2.6-t2v")).data.map(({ id }) => id)).toEqual([ids[0], ids[4]]);
    expect(await list("?status=cancelled")).toEqual({
      object: "list",
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=ten", "limit"],
    ["limit=1e1", "limit"],
    ["status=done", "status"],
    ["status=", "status"],
    ["after=vt_00000000000000000000000000", "after"],
    ["limit=1&limit=2", "limit"],
  ])("refuses ?%s", async (query, param) => {
    const response = await videos.stage.get(`/videos/generations?${query}`);
    expect([response.status, await errorOf(response)]).toEqual([400, expect.objectContaining({ param })]);
  });
});

describe("cancelling", () => {
  it.each([
    ["DashScope", T2V],
    ["Ark", SEEDANCE],
  ])("answers 200 with the cancelled task while it waits at %s", async (_provider, body) => {
    const { stage, provider } = videos;
    provider.plan = ["queued"];
    const task = await stage.submit(body);
    const response = await stage.delete(`/videos/generations/${task.id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: task.id, object: "video.task", status: "cancelled" });
    expect(provider.last.state).toBe("cancelled");
    expect(await videos.receiptOf(await stage.read(task.id))).toMatchObject({ nano: 0 });
  });

  it.each([
    ["runs at DashScope", T2V, "running"],
    ["runs at Ark", SEEDANCE, "running"],
    ["waits at xAI, which cannot", GROK, "queued"],
    ["is over", T2V, "succeeded"],
    ["has failed", T2V, "failed"],
  ] as const)("answers 409 not_cancellable where the task %s", async (_why, body, state) => {
    const { stage, provider } = videos;
    provider.plan = [state];
    const task = await stage.submit(body);
    const response = await stage.delete(`/videos/generations/${task.id}`);
    expect([response.status, (await errorOf(response)).code]).toEqual([409, "not_cancellable"]);
    expect(provider.last.state).toBe(state);
    if (state === "succeeded") expect((await stage.over(task.id)).status).toBe("succeeded");
  });
});

describe("whose tasks", () => {
  it("a key sees its own only, by either id, whatever it asks", async () => {
    const { stage, provider } = videos;
    for (const body of [T2V, SEEDANCE]) {
      const task = await stage.submit(body);
      for (const id of [task.id, provider.last.id]) {
        const responses = [
          await stage.get(`/videos/generations/${id}`, OTHER),
          await stage.delete(`/videos/generations/${id}`, OTHER),
          await stage.get(`/videos/${id}`, OTHER),
          await stage.get(`/videos/${id}/content`, OTHER),
          await stage.delete(`/videos/${id}`, OTHER),
        ];
        for (const response of responses)
          expect([response.status, (await errorOf(response)).code]).toEqual([404, "not_found"]);
        const after = await stage.get(`/videos/generations?after=${id}`, OTHER);
        expect([after.status, (await errorOf(after)).param]).toEqual([400, "after"]);
      }
      expect(provider.count("cancel")).toBe(0);
      const { data } = (await (await stage.get("/videos/generations?limit=100", OTHER)).json()) as VideoTaskList;
      expect(data.map(({ id }) => id)).not.toContain(task.id);
    }
  });
});
