import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { VideoTaskList } from "../../../../gateway/contract/videos.ts";
import { KEY, errorOf } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";

/**
 * docs/specification.md#video: providers' errors in their own words without their keys, and reading without a
 * provider.
 */

const SEEDANCE = { model: "doubao-seedance-1-5-pro-251215", input: { prompt: "A kite." } } as const;
const GROK = { model: "grok-imagine-video", input: { prompt: "A kite." } } as const;
const SORA = { model: "sora-2", input: { prompt: "A kite." } } as const;

let logged: string[];
let stage: VideoStage;
beforeEach(async () => {
  logged = [];
  stage = await VideoStage.open({ logged });
  stage.provider.plan = ["running"];
});
afterEach(() => stage.close());

/** `[provider, request, its error's body, words, code]`; `KEY` stands for the provider's key. */
const REFUSALS: readonly (readonly [string, object, object, string])[] = [
  [
    "dashscope",
    T2V,
    { code: "InvalidParameter", message: "Field required: input.img_url, KEY", request_id: "r" },
    "InvalidParameter",
  ],
  [
    "ark",
    SEEDANCE,
    {
      error: {
        code: "InvalidParameter.content",
        message: "Field required: input.img_url, KEY",
        param: "content",
        type: "BadRequest",
      },
    },
    "InvalidParameter.content",
  ],
  [
    "xai",
    GROK,
    { code: "Client specified an invalid argument", error: "Field required: input.img_url, KEY" },
    "Client specified an invalid argument",
  ],
  [
    "openai",
    SORA,
    {
      error: {
        message: "Field required: input.img_url, KEY",
        type: "invalid_request_error",
        param: "size",
        code: "invalid_value",
      },
    },
    "invalid_value",
  ],
];

const withKey = (body: object, provider: string): object =>
  JSON.parse(JSON.stringify(body).replaceAll("KEY", `${provider}-provider-key`)) as object;

describe("a provider's validation error", () => {
  it.each(REFUSALS)(
    "of %s is reported at the submission in its own words, without its key",
    async (provider, order, body, code) => {
      stage.provider.fault("submit", { do: "answer", status: 400, body: withKey(body, provider) });
      const response = await stage.gateway.post("/videos/generations", order);
      expect([response.status, response.headers.get("x-postern-provider")]).toEqual([400, provider]);
      const error = await errorOf(response);
      expect(error).toMatchObject({ message: "Field required: input.img_url, [redacted]", code });
      expect(stage.provider.count("submit")).toBe(1);
      expect(await stage.gateway.receipt()).toMatchObject({
        endpoint: "videos",
        outcome: "failed",
        status: 400,
        nano: 0,
      });
    },
  );

  it.each([
    ["dashscope", T2V],
    ["ark", SEEDANCE],
    ["xai", GROK],
    ["openai", SORA],
  ])(
    "of %s is reported in the failed task in its own words, without its key, wherever the task is shown",
    async (provider, order) => {
      const task = await stage.submit(order);
      stage.provider.last.error = {
        code: "InvalidParameter",
        message: `The size is not match, ${provider}-provider-key`,
      };
      stage.provider.advance(stage.provider.last.id, "failed");
      const failed = await stage.over(task.id);
      expect(failed).toMatchObject({
        status: "failed",
        error: { code: "InvalidParameter", message: "The size is not match, [redacted]" },
      });
      const shown = [
        JSON.stringify(failed),
        await (await stage.get("/videos/generations")).text(),
        await (await stage.get(`/videos/${task.id}`)).text(),
        await (await stage.gateway.control("GET", "/tasks")).text(),
        await (await stage.gateway.control("GET", `/tasks/${task.id}`)).text(),
        await (await stage.gateway.control("GET", "/requests")).text(),
        logged.join("\n"),
      ];
      expect(shown.filter((text) => text.includes(`${provider}-provider-key`))).toEqual([]);
    },
  );
});

describe("while no provider can be reached", () => {
  it("tasks are read and listed from the data folder, also after a restart, with their files", async () => {
    const made = await stage.submit();
    stage.provider.advance(stage.provider.last.id, "succeeded");
    await stage.over(made.id);
    const done = await stage.when(made.id, ({ content }) => typeof content?.local_url === "string");
    const running = await stage.submit();
    await stage.when(running.id, ({ status }) => status === "running");
    await stage.provider.close();

    for (const again of [false, true]) {
      if (again) await stage.restart();
      expect(await stage.read(made.id)).toEqual({
        ...done,
        content: { ...done.content, local_url: expect.any(String) },
      });
      expect(await stage.read(running.id)).toMatchObject({ id: running.id, status: "running" });
      const list = (await (await stage.get("/videos/generations")).json()) as VideoTaskList;
      expect(list.data.map(({ id }) => id)).toEqual([running.id, made.id]);
      const { content } = await stage.read(made.id);
      expect((await fetch(content?.local_url as string)).status).toBe(200);
      const own = await fetch(`${stage.gateway.url}/v1/videos/${made.id}/content`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      expect([own.status, own.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    }
  });
});
