import { describe, expect, it } from "vitest";
import { findModel } from "../../../gateway/catalog/lookup.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { T2V } from "../../support/video-acts.ts";
import { PICTURE, inputFor, useVideoStage } from "../../support/video-stage.ts";

/** The specification's table of `POST /v1/videos/generations`, row by row, and its rules. */

const videos = useVideoStage();
const { sent, refused } = videos;

const NEWER = { model: "alpha2.7-t2v", input: { prompt: "A lighthouse." } } as const;

it("input and parameters pass through unchanged, whatever they hold", async () => {
  const input = {
    prompt: " A lighthouse.\n",
    negative_prompt: "",
    audio_url: null,
    unknown: { deep: [0, false, "", null, { "": 1.5 }] },
  };
  const parameters = {
    resolution: "1080P",
    duration: 8,
    ratio: "9:16",
    prompt_extend: false,
    watermark: false,
    seed: 0,
    unknown: [0, false],
  };
  const body = { model: "alpha2.7-t2v", duration: 8, resolution: "1080p", aspect_ratio: "9:16", input, parameters };
  expect(await sent({ ...body, unknown: "at the top" })).toEqual({ model: "wan2.7-t2v", input, parameters });
});

it("row model › required, and known by the model list", async () => {
  for (const model of [undefined, null, "", 5, {}, []])
    expect(await refused({ ...T2V, model })).toMatchObject({ param: "model" });
  const listed = (await (await videos.stage.get("/models")).json()) as {
    data: { id: string; capabilities: string[] }[];
  };
  expect(listed.data.find(({ id }) => id === T2V.model)?.capabilities).toEqual(["video"]);
  expect(await sent(T2V)).toMatchObject({ model: "wan2.6-t2v" });
});

it("row duration › whole seconds, 5 unless given", async () => {
  for (const duration of ["5", 1.5, true, {}, [], 0, -2, 61, 1e308]) {
    expect(await refused({ ...NEWER, duration })).toMatchObject({ param: "duration" });
  }
  // The provider's own default is 5 too, so that it need not be reported.
  const reported = async (duration: unknown): Promise<unknown> =>
    ((await sent({ ...NEWER, duration }))["parameters"] as Record<string, unknown>)["duration"];
  expect([
    await reported(undefined),
    await reported(null),
    await reported(5),
    await reported(2),
    await reported(15),
  ]).toEqual([undefined, undefined, undefined, 2, 15]);
  const task = await videos.stage.submit(NEWER);
  expect((await videos.ended(task, "succeeded")).usage?.duration_seconds).toBe(5);
});

describe("resolution", () => {
  it("row resolution › 480p, 720p or 1080p, 720p unless given", async () => {
    for (const resolution of [720, true, {}, [], "", "7p", "2160p"]) {
      expect(await refused({ ...NEWER, resolution })).toMatchObject({ param: "resolution" });
    }
    const reported = async (resolution: unknown): Promise<unknown> =>
      (await sent({ ...NEWER, resolution }))["parameters"];
    expect([await reported(undefined), await reported("720p"), await reported("1080p")]).toEqual([
      { resolution: "720P" },
      { resolution: "720P" },
      { resolution: "1080P" },
    ]);
    const task = await videos.stage.submit(NEWER);
    expect((await videos.ended(task, "succeeded")).usage?.resolution).toBe("720p");
  });

  it.each(["alpha2.5-t2v-preview", "alpha2.5-i2v-preview"])("480p is made by %s", async (model) => {
    await sent({ model, resolution: "480p", input: inputFor(model) });
    expect(videos.provider.last.ordered.resolution).toBe("480p");
  });

  it.each([
    "alpha2.6-t2v",
    "alpha2.6-r2v-flash",
    "alpha2.7-t2v",
    "alpha2.7-i2v-2026-04-25",
    "beta-1.0-t2v",
    "beta-1.0-r2v",
  ])("480p is refused by %s, with what it makes", async (model) => {
    const error = await refused({ model, resolution: "480p", input: inputFor(model) });
    expect(error).toMatchObject({ param: "resolution", message: expect.stringMatching(/480p.*720p/) });
  });
});

it("row aspect_ratio › 16:9 unless given", async () => {
  for (const aspect_ratio of [16, true, {}, [], "wide", "7:1"]) {
    expect(await refused({ ...NEWER, aspect_ratio })).toMatchObject({ param: "aspect_ratio" });
  }
  const reported = async (body: object): Promise<unknown> => (await sent(body))["parameters"];
  expect(await reported(NEWER)).toEqual({ resolution: "720P" });
  expect(await reported({ ...NEWER, aspect_ratio: "16:9" })).toEqual({ resolution: "720P" });
  expect(await reported({ ...NEWER, aspect_ratio: "9:16" })).toEqual({ resolution: "720P", ratio: "9:16" });
  expect(await reported({ ...T2V, aspect_ratio: "9:16", parameters: {} })).toEqual({ size: "720*1280" });
});

it("row input › required, an object", async () => {
  for (const input of [undefined, null, "A lighthouse.", 5, true, []]) {
    expect(await refused({ ...T2V, input })).toMatchObject({ param: "input" });
  }
  const input = { prompt: "A lighthouse.", anything: 1 };
  expect((await sent({ ...T2V, input }))["input"]).toEqual(input);
});

it("row parameters › an object, or nothing", async () => {
  for (const parameters of ["720P", 5, true, []]) {
    expect(await refused({ ...T2V, parameters })).toMatchObject({ param: "parameters" });
  }
  for (const parameters of [undefined, null, {}]) {
    expect((await sent({ ...NEWER, parameters }))["parameters"]).toEqual({ resolution: "720P" });
  }
});

it("row webhook_url › an address, or nothing", async () => {
  for (const webhook_url of [
    5,
    true,
    {},
    [],
    "",
    "receiver",
    "ftp://receiver.example/",
    `https://r.example/${"x".repeat(2_100)}`,
  ]) {
    expect(await refused({ ...T2V, webhook_url })).toMatchObject({ param: "webhook_url" });
  }
  expect(await sent({ ...T2V, webhook_url: "https://receiver.example/hook" })).not.toHaveProperty("webhook_url");
  await sent({ ...T2V, webhook_url: null });
});

describe("rules", () => {
  it("rule 1 › wrong upstream fields produce the upstream's message, and the client corrects and resubmits", async () => {
    const { provider, stage } = videos;
    const message = "Field required: input.img_url";
    provider.fault("submit", {
      do: "answer",
      status: 400,
      body: { code: "InvalidParameter", message, request_id: "r" },
    });
    const response = await stage.gateway.post("/videos/generations", T2V);
    expect([response.status, await errorOf(response)]).toEqual([
      400,
      expect.objectContaining({ type: "invalid_request_error", code: "InvalidParameter", message }),
    ]);
    expect((await stage.submit(T2V)).status).toBe("submitted");
  });

  it("rule 1 › what is surely wrong is reported here in the same manner", async () => {
    const error = await refused({ model: "alpha2.6-i2v", input: { prompt: "It runs." } });
    expect(error).toMatchObject({
      param: "input.img_url",
      message: expect.stringContaining("Missing required parameter"),
    });
  });

  it("rule 2 › 202 with id, model, status and created_at; 200 only for a task that is complete and waited for", async () => {
    const { provider, stage } = videos;
    const before = Math.floor(stage.time.now() / 1_000);
    const task = await stage.submit(T2V, { status: 202 });
    expect(task).toMatchObject({ id: expect.stringMatching(/^vt_/), model: T2V.model, status: "submitted" });
    expect(task.created_at).toBeGreaterThanOrEqual(before);
    expect(task.created_at).toBeLessThanOrEqual(stage.time.now() / 1_000);
    expect((await stage.submit({ ...T2V, wait: true }, { status: 202, query: "?wait_seconds=20" })).status).not.toBe(
      "succeeded",
    );
    provider.plan = ["succeeded"];
    const patient = { status: 200, query: "?wait_seconds=600" };
    expect((await stage.submit({ ...T2V, wait: true }, patient)).status).toBe("succeeded");
    expect((await stage.submit({ ...T2V, wait: false }, { status: 202 })).status).toBe("submitted");
  });
});

/** Nano USD of a second, as the catalog has it for a resolution: kept there for 10⁶ seconds. */
function secondOf(model: string, resolution: string): number {
  const price = findModel(model)?.price;
  const rate = price?.variants?.find(({ when }) => when["resolution"] === resolution)?.rates.second;
  return (rate as number) / 1_000_000;
}

describe("billing", () => {
  it.each([
    ["alpha2.6-t2v", 5, "720p", 100_000_000],
    ["alpha2.7-t2v", 15, "1080p", 150_000_000],
    ["alpha2.5-t2v-preview", 10, "480p", 50_000_000],
    ["beta-1.0-t2v", 3, "1080p", 240_000_000],
    ["grok-imagine-video", 7, "480p", 50_000_000],
  ])("rule 3 › USD per second times duration: %s, %i s at %s", async (model, duration, resolution, second) => {
    expect(secondOf(model, resolution)).toBe(second);
    const task = await videos.stage.submit({ model, duration, resolution, input: { prompt: "A lighthouse." } });
    const done = await videos.ended(task, "succeeded");
    expect(done.usage?.cost_usd).toBe((second * duration) / 1e9);
    expect(await videos.receiptOf(task)).toMatchObject({
      endpoint: "videos",
      nano: second * duration,
      terms: [{ unit: "second", quantity: duration, nano_per_million: second * 1e6, nano: second * duration }],
    });
  });
});

describe("other families on the same path", () => {
  it("Grok-style videos and Seedance: frames, references, sound, drafts and seeds", async () => {
    const content = [
      { type: "text", text: "A kite." },
      { type: "image_url", image_url: { url: PICTURE }, role: "first_frame" },
      { type: "image_url", image_url: { url: PICTURE }, role: "last_frame" },
    ];
    const settings = { seed: 11, draft: true, generate_audio: false, return_last_frame: true, camera_fixed: false };
    const seedance = { model: "doubao-seedance-1-5-pro-251215", duration: 4, resolution: "480p" };
    expect(await sent({ ...seedance, input: { content }, parameters: settings })).toEqual({
      ...seedance,
      content,
      ...settings,
    });
    const references = [
      { type: "text", text: "A kite." },
      { type: "video_url", video_url: { url: "https://films.example/a.mp4" }, role: "reference_video" },
      { type: "image_url", image_url: { url: PICTURE }, role: "reference_image" },
      { type: "audio_url", audio_url: { url: "https://sounds.example/a.mp3" }, role: "reference_audio" },
    ];
    const model = "doubao-seedance-2-0-260128";
    expect(await sent({ model, input: { content: references } })).toEqual({
      model,
      content: references,
      duration: 5,
      resolution: "720p",
    });
    const grok = { model: "grok-imagine-video", duration: 6, resolution: "480p" };
    expect(await sent({ ...grok, input: { prompt: "A kite.", image: { url: PICTURE } } })).toEqual({
      ...grok,
      prompt: "A kite.",
      image: { url: PICTURE },
    });
  });
});
