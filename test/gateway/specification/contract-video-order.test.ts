import { describe, expect, it } from "vitest";
import { errorOf } from "../../support/running-gateway.ts";
import { T2V } from "../../support/video-acts.ts";
import { PICTURE, useVideoStage } from "./video-stage.ts";

/** docs/contract.md#video: what must agree, what is taken for granted, and what is no order. */

const videos = useVideoStage();
const { sent, refused } = videos;
const prompt = "A kite.";
const SEEDANCE = "doubao-seedance-2-0-260128";
const GROK = "grok-imagine-video";

/** Two places that say different things; both are named, with what each says. */
const DISAGREEING: readonly (readonly [string, object, readonly string[]])[] = [
  [
    "duration",
    { ...T2V, duration: 5, parameters: { duration: 10 } },
    ["'duration' is 5", "'parameters.duration' is 10"],
  ],
  [
    "resolution",
    { model: "alpha2.7-t2v", input: { prompt }, resolution: "720p", parameters: { resolution: "1080P" } },
    ["'resolution' is \"720p\"", "'parameters.resolution' is \"1080P\""],
  ],
  [
    "size, in the legacy protocol",
    { ...T2V, resolution: "1080p" },
    ["'resolution' is \"1080p\"", "'parameters.size' is \"1280*720\""],
  ],
  [
    "size of a picture's video",
    {
      model: "alpha2.6-i2v",
      resolution: "1080p",
      input: { prompt, img_url: PICTURE },
      parameters: { size: "1280*720" },
    },
    ["'resolution'", "'parameters.size'"],
  ],
  [
    "two of the provider's own fields",
    {
      model: "alpha2.6-i2v",
      input: { prompt, img_url: PICTURE },
      parameters: { size: "1280*720", resolution: "1080P" },
    },
    ["'parameters.resolution'", "'parameters.size'"],
  ],
  [
    "ratio",
    { model: "beta-1.0-t2v", input: { prompt }, aspect_ratio: "16:9", parameters: { ratio: "9:16" } },
    ["'aspect_ratio'", "'parameters.ratio'"],
  ],
  ["the shape of a size", { ...T2V, aspect_ratio: "9:16" }, ["'aspect_ratio'", "'parameters.size'"]],
  [
    "Seedance's duration",
    { model: SEEDANCE, input: { prompt }, duration: 5, parameters: { duration: 8 } },
    ["'duration'", "'parameters.duration'"],
  ],
  [
    "Seedance's resolution",
    { model: SEEDANCE, input: { prompt, resolution: "480p" }, resolution: "720p" },
    ["'resolution'", "'input.resolution'"],
  ],
  [
    "what a first Seedance's prompt says",
    { model: "doubao-seedance-1-0-pro-250528", input: { prompt: "A kite. --dur 8" }, duration: 5 },
    ["'duration'", "'input.prompt'"],
  ],
  ["xAI's duration", { model: GROK, input: { prompt, duration: 8 }, duration: 5 }, ["'duration'", "'input.duration'"]],
  [
    "xAI's resolution",
    { model: GROK, input: { prompt }, resolution: "480p", parameters: { resolution: "720p" } },
    ["'resolution'", "'parameters.resolution'"],
  ],
  [
    "Sora's seconds",
    { model: "sora-2", input: { prompt, seconds: "8" }, duration: 4 },
    ["'duration'", "'input.seconds'"],
  ],
  [
    "Sora's size",
    { model: "sora-2-pro", input: { prompt }, resolution: "1024p", parameters: { size: "1280x720" } },
    ["'resolution'", "'parameters.size'"],
  ],
];

describe("what is billed and what is rendered", () => {
  it.each(DISAGREEING)("must agree: %s", async (_name, body, words) => {
    const error = await refused(body);
    expect(error.code).toBe("invalid_value");
    for (const word of words) expect(error.message).toContain(word);
  });

  it("may be said in two spellings", async () => {
    const parameters = { resolution: "1080P", duration: 8, ratio: "9:16" };
    const body = {
      model: "alpha2.7-t2v",
      input: { prompt },
      duration: 8,
      resolution: "1080p",
      aspect_ratio: "9:16",
      parameters,
    };
    expect(await sent(body)).toMatchObject({ parameters });
    expect(await sent({ ...T2V, resolution: "720P" })).toMatchObject({ parameters: T2V.parameters });
    await sent({ model: "alpha2.6-t2v", aspect_ratio: "4:3", input: { prompt }, parameters: { size: "1088*832" } });
  });

  it("is taken from parameters where the top level is silent", async () => {
    const { stage } = videos;
    const newer = await stage.submit({
      model: "alpha2.7-t2v",
      input: { prompt },
      parameters: { resolution: "1080P", duration: 8 },
    });
    expect(await videos.detailOf(newer)).toMatchObject({ seconds: 8, resolution: "1080p" });
    const older = await stage.submit({
      model: "alpha2.6-t2v",
      input: { prompt },
      parameters: { size: "1920*1080", duration: 3 },
    });
    expect(await videos.detailOf(older)).toMatchObject({ seconds: 3, resolution: "1080p" });
  });

  it("is 5 s at 720p and 16:9 where nobody says anything", async () => {
    for (const model of ["alpha2.6-t2v", "alpha2.7-t2v", "beta-1.0-t2v", GROK]) {
      const task = await videos.stage.submit({ model, input: { prompt } });
      expect(await videos.detailOf(task)).toMatchObject({ seconds: 5, resolution: "720p", ratio: "16:9" });
    }
  });
});

describe("what is no order", () => {
  it("an unknown model: 404, as for chat", async () => {
    const error = await refused({ ...T2V, model: "no-such-video" }, 404);
    const chat = await errorOf(
      await videos.stage.gateway.chat({ model: "no-such-video", messages: [{ role: "user", content: "x" }] }),
    );
    expect(error).toMatchObject({ code: "model_not_found", message: expect.stringContaining("no-such-video") });
    expect(chat).toEqual(error);
  });

  it.each(["qwen-plus", "text-embedding-v4", "gamma-image-2.0"])(
    "%s, which makes no videos: 400 endpoint_model_mismatch",
    async (model) => {
      expect(await refused({ ...T2V, model })).toMatchObject({
        code: "endpoint_model_mismatch",
        message: expect.stringContaining("/v1/videos/generations"),
      });
    },
  );

  it("a video model at the chat endpoint: 400 endpoint_model_mismatch", async () => {
    const response = await videos.stage.gateway.chat({
      model: "alpha2.6-t2v",
      messages: [{ role: "user", content: "x" }],
    });
    expect([response.status, (await errorOf(response)).code]).toEqual([400, "endpoint_model_mismatch"]);
  });

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
