import type OpenAI from "openai";
import { toFile } from "openai";
import type { Video, VideoListParams } from "openai/resources/videos";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findEnding } from "../../../../gateway/catalog/endings.ts";
import { allModels, findModel } from "../../../../gateway/catalog/lookup.ts";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import { jpeg, png } from "../../../support/pictures.ts";
import { VideoStage } from "../../../support/video-acts.ts";
import { mp4 } from "../../../support/video-provider.ts";

/** OpenAI's SDK, its resource of videos, against every family of models. */

const LISTER = "sk-test-lister-key-0000001";
const SORA = "sk-test-sora-key-000000001";
let stage: VideoStage;
let sdk: OpenAI;
beforeAll(async () => {
  stage = await VideoStage.open({
    keys: [
      { key: LISTER, name: "lister" },
      { key: SORA, name: "sora", models: ["sora-2"] },
    ],
  });
  sdk = stage.gateway.sdk();
});
beforeEach(() => {
  stage.provider.reset();
  stage.provider.plan = ["running"];
});
afterEach(() => expect(stage.provider.complaints).toEqual([]));
afterAll(() => stage.close());

const prompt = "A lighthouse at dusk.";
const picture = () => toFile(new Uint8Array(png()), "frame.png", { type: "image/png" });
const film = () => toFile(new Uint8Array(mp4()), "film.mp4", { type: "video/mp4" });
const PICTURE = /^data:image\/png;base64,/;

/** Lets the provider end the newest task, and polls for it as programs do. */
async function ended(video: Video, state: "succeeded" | "failed" = "succeeded"): Promise<Video> {
  stage.provider.advance(stage.provider.last.id, state);
  await stage.over(video.id);
  return sdk.videos.retrieve(video.id);
}

/** Whatever a model makes: those of text, and those that also take it without a picture. */
const videoModels = allModels().filter(({ video }) => video !== undefined);
const FROM_TEXT = videoModels.filter(({ video }) => video?.kind === "t2v" || video?.kind === "any");
const FROM_PICTURE = videoModels.filter(({ video }) => video?.kind !== "edit" && video?.family !== "seedance");

describe("create", () => {
  it.each(FROM_TEXT.map(({ id }) => id))("makes a video from text by %s, in a size that it has", async (id) => {
    const video = await sdk.videos.create({ model: id, prompt });
    expect(video).toMatchObject({
      object: "video",
      model: id,
      status: "queued",
      progress: 0,
      prompt,
      completed_at: null,
      expires_at: null,
      error: null,
      remixed_from_video_id: null,
    });
    // OpenAI's own default is upright and 4 s long: what is nearest to it is made, and reported.
    const [width = 0, height = 0] = video.size.split("x").map(Number);
    expect(height).toBeGreaterThan(width);
    const { ordered } = stage.provider.last;
    expect(ordered.prompt).toBe(prompt);
    expect(video.seconds).toBe(String(ordered.seconds));
    expect(["4", "5"]).toContain(video.seconds);
  });

  it.each([
    ["alpha2.7-t2v", "12", "1920x1080", { resolution: "1080P", duration: 12 }],
    ["alpha2.6-t2v", "8", "720x1280", { size: "720*1280", duration: 8 }],
    ["alpha2.5-t2v-preview", "10", "832x480", { size: "832*480", duration: 10 }],
    ["beta-1.0-t2v", "4", "1280x720", { resolution: "720P", duration: 4 }],
  ])("asks %s for %s seconds of %s", async (model, seconds, size, parameters) => {
    await sdk.videos.create({ model, prompt, seconds: seconds as "4", size: size as "720x1280" });
    expect(stage.provider.last.ordered.fields).toMatchObject({ input: { prompt }, parameters });
  });

  it("passes the fields of our own API on", async () => {
    const own = {
      aspect_ratio: "1:1",
      resolution: "1080p",
      duration: 7,
      input: { negative_prompt: "rain" },
      parameters: { watermark: false, seed: 0 },
    };
    await sdk.videos.create({ model: "alpha2.7-t2v", prompt, ...own });
    expect(stage.provider.last.ordered.fields).toEqual({
      model: "wan2.7-t2v",
      input: { negative_prompt: "rain", prompt },
      parameters: { watermark: false, seed: 0, resolution: "1080P", duration: 7, ratio: "1:1" },
    });
  });

  it.each(FROM_PICTURE.map(({ id, video }) => [id, video?.withImage ?? id] as const))(
    "begins from a file by %s: %s is asked",
    async (id, requested) => {
      const video = await sdk.videos.create({ model: id, prompt, input_reference: await picture() });
      expect(video).toMatchObject({ model: requested, status: "queued", prompt });
      const { fields } = stage.provider.last.ordered;
      const sent = fields["input_reference"];
      if (Buffer.isBuffer(sent)) expect(sent).toEqual(Buffer.from(png()));
      else expect(JSON.stringify(fields)).toContain(`data:image/png;base64,${png().toString("base64")}`);
    },
  );

  it("puts a file where each family looks for it", async () => {
    const placed = async (model: string, file: Promise<unknown>): Promise<unknown> => {
      await sdk.videos.create({ model, prompt, input_reference: (await file) as never });
      return stage.provider.last.ordered.fields;
    };
    const url = expect.stringMatching(PICTURE) as string;
    const video = expect.stringMatching(/^data:video\/mp4;base64,/) as string;
    expect(await placed("alpha2.6-t2v", picture())).toMatchObject({ model: "wan2.6-i2v", input: { img_url: url } });
    expect(await placed("alpha2.6-r2v", film())).toMatchObject({ input: { reference_urls: [video] } });
    expect(await placed("alpha2.7-t2v", picture())).toMatchObject({ input: { media: [{ type: "first_frame", url }] } });
    expect(await placed("alpha2.7-r2v", film())).toMatchObject({
      input: { media: [{ type: "reference_video", url: video }] },
    });
    expect(await placed("beta-1.0-r2v", picture())).toMatchObject({
      input: { media: [{ type: "reference_image", url }] },
    });
    expect(await placed("beta-1.0-video-edit", film())).toMatchObject({
      input: { media: [{ type: "video", url: video }] },
    });
    expect(await placed("doubao-seedance-2-0-260128", picture())).toMatchObject({
      content: [
        { type: "text", text: prompt },
        { type: "image_url", image_url: { url }, role: "first_frame" },
      ],
    });
    expect(await placed("grok-imagine-video", picture())).toMatchObject({ image: { url } });
  });

  it("begins from a picture's address, which the SDK writes as an object in the form", async () => {
    const image_url = "https://pictures.example/a.png";
    const input_reference = { image_url };
    await sdk.videos.create({ model: "alpha2.7-t2v", prompt, input_reference });
    expect(stage.provider.last.ordered.fields).toMatchObject({
      model: "wan2.7-i2v",
      input: { media: [{ type: "first_frame", url: image_url }] },
    });
    await sdk.videos.create({ model: "sora-2", prompt, input_reference });
    expect(stage.provider.last.ordered.fields).toMatchObject({ input_reference });
    const stored = sdk.videos.create({ model: "sora-2", prompt, input_reference: { file_id: "file_1" } });
    await expect(stored).rejects.toMatchObject({ status: 400, param: "input_reference" });
  });

  it("takes a model that lasts where none is named, and sora-2 for a key that may use no other", async () => {
    const { model } = await sdk.videos.create({ prompt });
    const spec = findModel(model);
    expect(spec?.video?.kind).toMatch(/^(any|t2v)$/);
    expect(spec === undefined ? null : findEnding(spec)).toBeNull();
    const made = await stage.gateway.sdk(SORA).videos.create({ prompt });
    expect(made).toMatchObject({ model: "sora-2", seconds: "4", size: "720x1280" });
    expect(stage.provider.last.ordered.fields).toMatchObject({ model: "sora-2", seconds: "4", size: "720x1280" });
  });

  it("makes one video for one idempotency key", async () => {
    const named = { idempotencyKey: "ignored by this SDK", headers: { "Idempotency-Key": "order 9" } };
    const first = await sdk.videos.create({ model: "alpha2.7-t2v", prompt }, named);
    expect((await sdk.videos.create({ model: "alpha2.7-t2v", prompt }, named)).id).toBe(first.id);
    const other = sdk.videos.create({ model: "alpha2.7-t2v", prompt: "Another." }, named);
    await expect(other).rejects.toMatchObject({ status: 409, code: "idempotency_conflict" });
    expect(stage.provider.count("submit")).toBe(1);
  });

  it.each([
    [{ model: "no-such-video", prompt }, 404, "model"],
    [{ model: "gpt-4.1", prompt }, 400, "model"],
    [{ model: "alpha2.7-t2v" }, 400, "prompt"],
    [{ model: "alpha2.7-t2v", prompt, seconds: "99" }, 400, "seconds"],
    [{ model: "sora-2", prompt, seconds: "5" }, 400, "seconds"],
    [{ model: "alpha2.7-t2v", prompt, size: "big" }, 400, "size"],
    [{ model: "alpha2.7-i2v", prompt }, 400, "input.media"],
  ])("refuses %j before the provider", async (body, status, param) => {
    await expect(sdk.videos.create(body as never)).rejects.toMatchObject({ status, param });
    expect(stage.provider.count("submit")).toBe(0);
  });
});

describe("from retrieve to delete", () => {
  it.each([
    "alpha2.6-t2v",
    "beta-1.0-t2v",
    "doubao-seedance-1-5-pro-251215",
    "grok-imagine-video",
    "sora-2",
    "some-video-model",
  ])("a video by %s is polled for, downloaded whole and in part, deleted and gone", async (model) => {
    const made = await sdk.videos.create({ model, prompt });
    await expect(sdk.videos.downloadContent(made.id)).rejects.toMatchObject({ status: 404 });
    const done = await ended(made);
    expect(done).toMatchObject({ id: made.id, status: "completed", progress: 100, expires_at: null, error: null });
    expect(done.completed_at).toBeGreaterThanOrEqual(done.created_at);

    const whole = await sdk.videos.downloadContent(made.id);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.headers.get("content-type"), bytes]).toEqual(["video/mp4", stage.provider.last.video]);
    const headers = { Range: "bytes=10-19" };
    const part = await sdk.videos.downloadContent(made.id, { variant: "video" }, { headers });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    const past = sdk.videos.downloadContent(made.id, {}, { headers: { Range: `bytes=${bytes.length}-` } });
    await expect(past).rejects.toMatchObject({ status: 416 });

    expect(await sdk.videos.delete(made.id)).toEqual({ id: made.id, object: "video.deleted", deleted: true });
    for (const gone of [
      sdk.videos.retrieve(made.id),
      sdk.videos.downloadContent(made.id),
      sdk.videos.delete(made.id),
    ]) {
      await expect(gone).rejects.toMatchObject({ status: 404, code: "not_found" });
    }
    expect(stage.provider.count("submit")).toBe(1);
  });

  it("shows a still as soon as the library has one", async () => {
    const made = await sdk.videos.create({ model: "alpha2.6-t2v", prompt });
    await ended(made);
    const thumbnail = () => sdk.videos.downloadContent(made.id, { variant: "thumbnail" });
    await expect(thumbnail()).rejects.toMatchObject({ status: 404 });
    const { media } = await stage.gateway.ask<TaskDetail>("GET", `/tasks/${made.id}`);
    const still = jpeg(32, 18);
    await stage.gateway.ask("POST", `/media/${media}/poster`, { image: still.toString("base64") });
    const shown = await thumbnail();
    expect([shown.headers.get("content-type"), Buffer.from(await shown.arrayBuffer())]).toEqual(["image/jpeg", still]);
    const spritesheet = sdk.videos.downloadContent(made.id, { variant: "spritesheet" });
    await expect(spritesheet).rejects.toMatchObject({ status: 400, param: "variant" });
  });

  it("says in OpenAI's words how a video failed", async () => {
    const made = await sdk.videos.create({ model: "alpha2.6-t2v", prompt });
    stage.provider.last.error = { code: "DataInspectionFailed", message: "Inappropriate content." };
    const failed = await ended(made, "failed");
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "DataInspectionFailed", message: "Inappropriate content." },
      completed_at: null,
    });
    await expect(sdk.videos.downloadContent(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it("cancels what still waits when it is deleted, and keeps what cannot be cancelled", async () => {
    stage.provider.plan = ["queued"];
    const waiting = await sdk.videos.create({ model: "alpha2.6-t2v", prompt });
    expect((await sdk.videos.delete(waiting.id)).deleted).toBe(true);
    expect(stage.provider.last.state).toBe("cancelled");
    stage.provider.plan = ["running"];
    const running = await sdk.videos.create({ model: "alpha2.6-t2v", prompt });
    await expect(sdk.videos.delete(running.id)).rejects.toMatchObject({ status: 409, code: "not_cancellable" });
    expect((await sdk.videos.retrieve(running.id)).id).toBe(running.id);
  });
});

describe("list", () => {
  it("goes through all pages in both orders, and leaves out what is deleted", async () => {
    const lister = stage.gateway.sdk(LISTER);
    const ids: string[] = [];
    const models = ["alpha2.7-t2v", "doubao-seedance-2-0-260128", "grok-imagine-video", "sora-2", "beta-1.0-t2v"];
    for (const model of models) ids.push((await lister.videos.create({ model, prompt })).id);
    const all = async (query: VideoListParams): Promise<string[]> => {
      const found: string[] = [];
      for await (const { id } of lister.videos.list(query)) found.push(id);
      return found;
    };
    for (const limit of [1, 2, 5, 100]) {
      expect(await all({ limit })).toEqual(ids.toReversed());
      expect(await all({ limit, order: "desc" })).toEqual(ids.toReversed());
      expect(await all({ limit, order: "asc" })).toEqual(ids);
    }
    expect(await all({ order: "asc", after: ids[1] as string })).toEqual(ids.slice(2));
    expect(await all({ order: "desc", after: ids[3] as string, limit: 2 })).toEqual(ids.slice(0, 3).toReversed());
    const first = await lister.videos.list({ limit: 2, order: "asc" });
    expect([first.has_more, first.last_id, first.data.map(({ model }) => model)]).toEqual([
      true,
      ids[1],
      models.slice(0, 2),
    ]);

    stage.provider.advance(stage.provider.last.id, "failed");
    await stage.over(ids[4] as string, LISTER);
    await lister.videos.delete(ids[4] as string);
    expect(await all({ order: "asc" })).toEqual(ids.slice(0, 4));
    expect(await all({ order: "desc", after: ids[4] as string })).toEqual(ids.slice(0, 4).toReversed());
  });

  it.each([
    [{ order: "up" }, "order"],
    [{ limit: 0 }, "limit"],
    [{ limit: 101 }, "limit"],
    [{ after: "video_none" }, "after"],
  ])("refuses %j", async (query, param) => {
    await expect(sdk.videos.list(query as never)).rejects.toMatchObject({ status: 400, param });
  });

  it("is of one key alone", async () => {
    const made = await sdk.videos.create({ model: "alpha2.7-t2v", prompt });
    await expect(stage.gateway.sdk(LISTER).videos.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  });
});
