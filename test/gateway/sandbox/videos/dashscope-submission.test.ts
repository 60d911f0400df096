import { describe, expect, it } from "vitest";
import { useFilms } from "./running-films.ts";
import { ASYNC, SYNTHESIS, TASKS, UUID, WanClient } from "./wan-client.ts";

const films = useFilms();
const wan = new WanClient(films);
const url = "https://example.com/a.png";

describe("a submission to DashScope", () => {
  it("is answered with an id and PENDING, and nothing else", async () => {
    const { status, json } = await wan.t2v("a red fox");
    expect([status, json]).toEqual([
      200,
      {
        output: { task_status: "PENDING", task_id: expect.stringMatching(UUID) as string },
        request_id: expect.stringMatching(UUID) as string,
      },
    ]);
  });

  it("is refused unless it asks for a task", async () => {
    const { status, json } = await films.post(SYNTHESIS, { model: "wan2.7-t2v", input: { prompt: "a fox" } });
    expect([status, json]).toEqual([
      403,
      {
        code: "AccessDenied",
        message: "current user api does not support synchronous calls",
        request_id: expect.stringMatching(UUID) as string,
      },
    ]);
  });

  it.each<[string, string, object | undefined, object | undefined, string]>([
    ["no prompt", "wan2.7-t2v", {}, {}, "Field required: input.prompt"],
    ["no input", "wan2.7-t2v", undefined, {}, "Field required: input"],
    ["no picture, before 2.7", "wan2.6-i2v", { prompt: "x" }, {}, "Field required: input.img_url"],
    ["no references, before 2.7", "wan2.6-r2v", { prompt: "x" }, {}, "Field required: input.reference_urls"],
    ["no media", "wan2.7-i2v", { prompt: "x" }, {}, "Field required: input.media"],
    ["no media, at HappyHorse", "happyhorse-1.0-i2v", { prompt: "x" }, {}, "Field required: input.media"],
    [
      "media without an address",
      "wan2.7-i2v",
      { media: [{ type: "first_frame" }] },
      {},
      "Field required: input.media.0.url",
    ],
    [
      "no address",
      "wan2.6-i2v",
      { img_url: "a.png" },
      {},
      "The provided URL does not appear to be valid: input.img_url",
    ],
    [
      "another kind of media",
      "happyhorse-1.0-r2v",
      { prompt: "x", media: [{ type: "video", url }] },
      {},
      "Input should be 'reference_image': input.media.0.type",
    ],
    [
      "two first frames",
      "happyhorse-1.0-i2v",
      { media: [1, 2].map(() => ({ type: "first_frame", url })) },
      {},
      "Value error, media must hold exactly one first_frame: input.media",
    ],
    [
      "ten references",
      "happyhorse-1.0-r2v",
      { prompt: "x", media: Array.from({ length: 10 }, () => ({ type: "reference_image", url })) },
      {},
      "Value error, media must hold 1 to 9 references: input.media",
    ],
    [
      "a last frame alone",
      "wan2.7-i2v",
      { media: [{ type: "last_frame", url }] },
      {},
      "Value error, media must hold one first_frame or first_clip, and what may go with it: input.media",
    ],
    [
      "an edit of nothing",
      "happyhorse-1.0-video-edit",
      { prompt: "x", media: [{ type: "reference_image", url }] },
      {},
      "Value error, media must hold exactly one video and at most 5 reference_image: input.media",
    ],
    [
      "a resolution that it has not",
      "wan2.7-t2v",
      { prompt: "x" },
      { resolution: "480P" },
      "Input should be '720P' or '1080P': parameters.resolution",
    ],
    [
      "a ratio that it has not",
      "wan2.7-t2v",
      { prompt: "x" },
      { ratio: "2:1" },
      "Input should be '16:9', '9:16', '1:1', '4:3' or '3:4': parameters.ratio",
    ],
    [
      "too many seconds",
      "wan2.7-t2v",
      { prompt: "x" },
      { duration: 16 },
      "Input should be less than or equal to 15: parameters.duration",
    ],
    [
      "too few seconds",
      "happyhorse-1.0-t2v",
      { prompt: "x" },
      { duration: 2 },
      "Input should be greater than or equal to 3: parameters.duration",
    ],
    [
      "too many seconds with films",
      "wan2.7-r2v",
      { prompt: "x", media: [{ type: "reference_video", url }] },
      { duration: 11 },
      "Input should be less than or equal to 10: parameters.duration",
    ],
    [
      "seconds as text",
      "wan2.7-t2v",
      { prompt: "x" },
      { duration: "5" },
      "Input should be a valid integer: parameters.duration",
    ],
    [
      "seconds between",
      "wan2.5-t2v-preview",
      { prompt: "x" },
      { duration: 7 },
      "Input should be 5 or 10: parameters.duration",
    ],
    [
      "what 2.7 has no more",
      "wan2.7-t2v",
      { prompt: "x" },
      { size: "1280*720" },
      "Extra inputs are not permitted: parameters.size",
    ],
    [
      "a size in the other spelling",
      "wan2.6-t2v",
      { prompt: "x" },
      { size: "1280x720" },
      "The size is not match 1280x720: parameters.size",
    ],
    [
      "a size that 2.6 has not",
      "wan2.6-t2v",
      { prompt: "x" },
      { size: "832*480" },
      "The size is not match 832*480: parameters.size",
    ],
    [
      "a switch as text",
      "wan2.7-t2v",
      { prompt: "x" },
      { watermark: "yes" },
      "Input should be a valid boolean: parameters.watermark",
    ],
    [
      "a seed below",
      "wan2.7-t2v",
      { prompt: "x" },
      { seed: -1 },
      "Input should be greater than or equal to 0: parameters.seed",
    ],
  ])("is refused with %s", async (_name, model, input, parameters, message) => {
    const { status, json } = await films.post(SYNTHESIS, { model, input, parameters }, ASYNC);
    expect([status, json]).toMatchObject([400, { message, request_id: expect.stringMatching(UUID) as string }]);
    expect(json["code"]).toMatch(/^Invalid(Parameter|URL)$/);
  });

  it.each(["wan9.9-t2v", "doubao-seedance-2-0-260128", "gpt-5"])("is refused for the model %s", async (model) => {
    const { status, json } = await wan.submit(model, { prompt: "x" });
    expect([status, json]).toMatchObject([404, { code: "ModelNotFound", message: "Model not exist." }]);
  });

  it.each([
    [429, "Throttling.RateQuota"],
    [402, "Arrearage"],
    [503, "ServiceUnavailable"],
  ])("fails with %d when its prompt asks for it, and makes no task", async (status, code) => {
    const before = (await films.get(`${TASKS}/`)).json["total"];
    const response = await wan.t2v(`sandbox:error=${status} sandbox:fail`);
    expect([response.status, response.json["code"]]).toEqual([status, code]);
    expect((await films.get(`${TASKS}/`)).json["total"]).toBe(before);
  });

  it("breaks off when its prompt asks for it, and makes no task", async () => {
    const before = (await films.get(`${TASKS}/`)).json["total"];
    await expect(wan.t2v("sandbox:cut")).rejects.toThrow("fetch failed");
    expect((await films.get(`${TASKS}/`)).json["total"]).toBe(before);
  });
});
