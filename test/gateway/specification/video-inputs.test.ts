import { describe, expect, it } from "vitest";
import { errorOf } from "../../support/running-gateway.ts";
import { T2V } from "../../support/video-acts.ts";
import { FILM, PICTURE, SOUND, useVideoStage } from "../../support/video-stage.ts";

/**
 * The shapes that inputs of `POST /v1/videos/generations` have by protocol, row by row, and their limits. Every field of
 * each is checked without a gateway in `test/gateway/providers`.
 */

const videos = useVideoStage();
const { sent, refused } = videos;

const prompt = "A lighthouse at dusk.";
const frame = { type: "first_frame", url: PICTURE };
const reference = { type: "reference_image", url: PICTURE };
const newer = { resolution: "720P", duration: 6, prompt_extend: false, watermark: false };
const older = { size: "1280*720", duration: 6, audio: false, shot_type: "multi", prompt_extend: false };
const beta = { resolution: "720P", duration: 6 };
const times = (count: number, item: object): object[] => Array.from({ length: count }, () => item);
const everyReference = [
  { type: "reference_video", url: FILM },
  { ...reference, reference_voice: SOUND },
  frame,
  { type: "driving_audio", url: SOUND },
];

describe("input shapes by protocol", () => {
  it.each<[string, string, string, object, object, object, string]>([
    ["alpha 2.7 and later, t2v › prompt", "alpha2.7-t2v", "wan2.7-t2v", { prompt }, newer, {}, "input.prompt"],
    [
      "alpha 2.7 and later, i2v › prompt and media with a first_frame",
      "alpha2.7-i2v",
      "wan2.7-i2v",
      { prompt, media: [frame, { type: "last_frame", url: PICTURE }, { type: "driving_audio", url: SOUND }] },
      newer,
      { prompt, media: [reference] },
      "input.media[0].type",
    ],
    [
      "alpha 2.7 and later, r2v › prompt and media of four types",
      "alpha2.7-r2v",
      "wan2.7-r2v",
      { prompt, media: everyReference },
      newer,
      { prompt, media: [reference, { type: "reference_image" }] },
      "input.media[1].url",
    ],
    [
      "alpha 2.6, t2v › prompt, and a size of width*height",
      "alpha2.6-t2v",
      "wan2.6-t2v",
      { prompt },
      { ...older, size: "720*1280" },
      { prompt: " " },
      "input.prompt",
    ],
    [
      "alpha 2.6, i2v › prompt, img_url and audio_url",
      "alpha2.6-i2v",
      "wan2.6-i2v",
      { prompt, img_url: PICTURE, audio_url: SOUND },
      { ...older, resolution: "720P" },
      { prompt, img_url: "" },
      "input.img_url",
    ],
    [
      "alpha 2.6, r2v › prompt and reference_urls",
      "alpha2.6-r2v",
      "wan2.6-r2v",
      { prompt, reference_urls: [PICTURE, FILM] },
      older,
      { prompt, reference_urls: [PICTURE, { url: PICTURE }] },
      "input.reference_urls[1]",
    ],
    ["beta-1.0 t2v › prompt", "beta-1.0-t2v", "happyhorse-1.0-t2v", { prompt }, beta, { prompt: 5 }, "input.prompt"],
    [
      "beta-1.0 i2v › prompt and exactly one first_frame",
      "beta-1.0-i2v",
      "happyhorse-1.0-i2v",
      { prompt, media: [frame] },
      beta,
      { prompt, media: [frame, reference] },
      "input.media[1].type",
    ],
    [
      "beta-1.0 r2v › prompt and at most 9 reference_image items",
      "beta-1.0-r2v",
      "happyhorse-1.0-r2v",
      { prompt, media: times(9, reference) },
      { ...beta, ratio: "9:16" },
      { prompt, media: [frame] },
      "input.media[0].type",
    ],
  ])("%s", async (_title, model, upstream, input, parameters, wrong, param) => {
    expect(await sent({ model, duration: 6, resolution: "720p", input, parameters })).toEqual({
      model: upstream,
      input,
      parameters,
    });
    expect((await refused({ model, duration: 6, input: wrong })).param).toBe(param);
  });
});

describe("limits", () => {
  it.each([
    [9, 202],
    [10, 400],
  ])("reference images of beta-1.0 r2v: %i are %i", async (count, status) => {
    const body = { model: "beta-1.0-r2v", input: { prompt, media: times(count, reference) } };
    if (status === 202) expect(await sent(body)).toMatchObject({ input: body.input });
    else expect((await refused(body)).message).toMatch(/10 items.*at most 9/);
  });

  it.each([
    [0, 400],
    [1, 202],
    [2, 400],
  ])("first frames of beta-1.0 i2v: %i are %i", async (count, status) => {
    const body = { model: "beta-1.0-i2v", input: { prompt, media: times(count, frame) } };
    if (status === 202) expect(await sent(body)).toMatchObject({ input: body.input });
    else expect((await refused(body)).message).toContain("exactly one");
  });
});

describe("what is no order", () => {
  it("two places that differ about what is billed: 400 with what each says", async () => {
    const error = await refused({ ...T2V, duration: 5, parameters: { duration: 10 } });
    expect(error.code).toBe("invalid_value");
    for (const words of ["'duration' is 5", "'parameters.duration' is 10"]) expect(error.message).toContain(words);
  });

  it("an unknown model: 404, as for chat", async () => {
    const error = await refused({ ...T2V, model: "no-such-video" }, 404);
    const messages = [{ role: "user", content: "x" }];
    const chat = await errorOf(await videos.stage.gateway.chat({ model: "no-such-video", messages }));
    expect(error).toMatchObject({ code: "model_not_found", message: expect.stringContaining("no-such-video") });
    expect(chat).toEqual(error);
    const film = await videos.stage.gateway.chat({ model: "alpha2.6-t2v", messages });
    expect([film.status, (await errorOf(film)).code]).toEqual([400, "endpoint_model_mismatch"]);
  });

  it.each(["qwen-plus", "text-embedding-v4", "gamma-image-2.0"])(
    "%s, which makes no videos: 400 endpoint_model_mismatch",
    async (model) => {
      const message: unknown = expect.stringContaining("/v1/videos/generations");
      expect(await refused({ ...T2V, model })).toMatchObject({ code: "endpoint_model_mismatch", message });
    },
  );

  it.each([
    "http://127.0.0.1:1/hook",
    "http://localhost/hook",
    "https://10.0.0.7/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/hook",
    "https://receiver.example:8443/hook",
    "https://user:password@receiver.example/hook",
    "file:///etc/passwd",
    "receiver.example/hook",
  ])("a webhook_url that is not allowed: %s", async (webhook_url) => {
    expect(await refused({ ...T2V, webhook_url })).toMatchObject({ param: "webhook_url" });
  });
});
