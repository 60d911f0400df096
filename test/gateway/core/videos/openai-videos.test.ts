import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { openAiVideoDeletedSchema, openAiVideoSchema } from "../../../../gateway/contract/openai-videos.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { toOpenAiDeleted, toOpenAiVideo } from "../../../../gateway/core/videos/openai-video.ts";
import { videoFromOpenAi } from "../../../../gateway/core/videos/openai-videos.ts";
import type { OrderedModel } from "../../../../gateway/core/videos/video-order.ts";
import { estimateLikelySides } from "../../../../gateway/core/videos/video-size.ts";
import { takesDuration } from "../../../../gateway/core/videos/video-terms.ts";
import { TASK_AT, closedTask, taskOrder, taskRecord, taskResult } from "../../../support/tasks.ts";
import { PICTURE, PROMPT, listed, orderOf, unlisted, type Json } from "../../providers/video-fixture.ts";

const INLINE = { dataUrl: "data:image/png;base64,AAAA" };
const MOVIE = { dataUrl: "data:video/mp4;base64,AAAA" };
const prompt = PROMPT;
const ids = allModels().flatMap(({ id, video }) => (video === undefined ? [] : [id]));

const from = (id: string | OrderedModel, fields: Json, reference: typeof INLINE | null = null) =>
  videoFromOpenAi(fields, reference, typeof id === "string" ? listed(id) : id);

/** The order that comes of it, by way of our own request. */
function orderFrom(id: string, fields: Json, reference: typeof INLINE | null = null) {
  const { model, request } = from(id, fields, reference);
  return orderOf(model, request);
}

function refusal(id: string | OrderedModel, fields: Json): GatewayError {
  try {
    from(id, fields);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe.each(ids)("%s by OpenAI's clients", (id) => {
  const { rules } = listed(id);
  const begin = rules?.kind === "edit" ? MOVIE : rules?.kind === "i2v" || rules?.kind === "r2v" ? INLINE : null;

  it("films a bare prompt", () => {
    const order = orderFrom(id, { prompt }, begin);
    expect(order).toMatchObject({ prompt: PROMPT, resolution: "720p" });
    if (rules !== null && rules.kind !== "edit") expect(takesDuration(order.seconds, rules)).toBe(true);
    if (begin === null) expect(order.ratio).toBe("9:16");
  });

  it("films from a picture, or a video where it edits one", () => {
    const reference = begin ?? INLINE;
    const { model } = from(id, { prompt }, reference);
    expect(model).toBe(rules?.withImage ?? id);
    expect(JSON.stringify(orderFrom(id, { prompt }, reference).body)).toContain(reference.dataUrl);
  });

  it("makes every length of its rules that is said as text, and refuses others with what it makes", () => {
    const durations = rules?.durations ?? { oneOf: [] };
    const some = "oneOf" in durations ? durations.oneOf : [durations.from, durations.to];
    for (const seconds of some) {
      expect(from(id, { prompt, seconds: String(seconds) }, begin).request["duration"]).toBe(seconds);
    }
    const error = refusal(id, { prompt, seconds: "99" });
    expect(error.code).toBe("unsupported_value");
    expect(error.details.param).toBe("seconds");
    expect(error.message).toContain(`"${id}" makes ${some[0]}`);
  });
});

describe("OpenAI's own lengths", () => {
  it.each([
    ["4", 5],
    ["8", 10],
    ["12", 10],
  ])("%s s become %i s at a model that makes 5 or 10", (seconds, made) => {
    const { request } = videoFromOpenAi({ prompt: PROMPT, seconds }, null, listed("alpha2.5-t2v-preview"));
    expect(request["duration"]).toBe(made);
  });

  it("other lengths are refused there, and OpenAI's own models take none but theirs", () => {
    expect(refusal("alpha2.5-t2v-preview", { prompt: PROMPT, seconds: "6" }).message).toContain("5 or 10");
    expect(refusal("sora-2", { prompt: PROMPT, seconds: "5" }).status).toBe(400);
  });
});

describe("what OpenAI's clients say", () => {
  it.each<[string, Json, Json]>([
    ["alpha2.7-t2v", {}, { duration: 4, resolution: "720p", aspect_ratio: "9:16" }],
    ["alpha2.5-t2v-preview", {}, { duration: 5, resolution: "720p", aspect_ratio: "9:16" }],
    ["alpha2.7-t2v", { size: "1280x720", seconds: "8" }, { duration: 8, resolution: "720p", aspect_ratio: "16:9" }],
    ["alpha2.7-t2v", { size: "1024x1792" }, { duration: 4, resolution: "1080p", aspect_ratio: "9:16" }],
    ["alpha2.5-t2v-preview", { size: "600x480" }, { duration: 5, resolution: "480p", aspect_ratio: "1:1" }],
    ["grok-imagine-video", { size: "1536x1024", seconds: 6 }, { duration: 6, resolution: "720p", aspect_ratio: "3:2" }],
    ["doubao-seedance-2-0-260128", { size: "3840x2160" }, { duration: 4, resolution: "4k", aspect_ratio: "16:9" }],
    ["alpha2.7-t2v", { resolution: "1080p" }, { duration: 4, resolution: "1080p" }],
    ["alpha2.7-t2v", { aspect_ratio: "1:1", duration: 6 }, { duration: 6, aspect_ratio: "1:1" }],
    [
      "alpha2.7-t2v",
      { parameters: { duration: 7, resolution: "1080P" } },
      { parameters: { duration: 7, resolution: "1080P" } },
    ],
    ["alpha2.6-t2v", { parameters: { size: "1920*1080" } }, { duration: 4, parameters: { size: "1920*1080" } }],
    ["sora-2", {}, { duration: 4, parameters: { size: "720x1280" } }],
    [
      "sora-2",
      { size: "1280X720", seconds: "12", characters: ["c"] },
      { duration: 12, parameters: { size: "1280x720" }, input: { prompt, characters: ["c"] } },
    ],
    [
      "alpha2.7-t2v",
      { webhook_url: "https://example.com/", wait: "true", user: "u" },
      { duration: 4, resolution: "720p", aspect_ratio: "9:16", webhook_url: "https://example.com/", wait: true },
    ],
  ])("%s with %j", (id, fields, request) => {
    expect(from(id, { prompt, model: id, ...fields }).request).toEqual({ model: id, input: { prompt }, ...request });
  });

  it("a form's texts have the types of JSON", () => {
    const fields = { prompt, duration: "6", parameters: '{"seed":0}', input: '{"negative_prompt":"rain"}' };
    const { request } = from("alpha2.7-t2v", fields);
    expect(request).toMatchObject({
      duration: 6,
      parameters: { seed: 0 },
      input: { prompt, negative_prompt: "rain" },
    });
  });

  it("a picture decides about its shape unless the client names a size", () => {
    const id = "doubao-seedance-2-0-260128";
    expect(from(id, { prompt }, INLINE).request).not.toHaveProperty("aspect_ratio");
    expect(from(id, { prompt, size: "1280x720" }, INLINE).request["aspect_ratio"]).toBe("16:9");
  });

  it.each<[string, unknown, Json]>([
    ["alpha2.7-t2v", PICTURE, { media: [{ type: "first_frame", url: PICTURE }] }],
    ["alpha2.7-t2v", { image_url: PICTURE }, { media: [{ type: "first_frame", url: PICTURE }] }],
    [
      "alpha2.7-t2v",
      '{"image_url":{"url":"https://e.com/a"}}',
      { media: [{ type: "first_frame", url: "https://e.com/a" }] },
    ],
    ["alpha2.6-t2v", PICTURE, { img_url: PICTURE }],
    ["alpha2.6-r2v", PICTURE, { reference_urls: [PICTURE] }],
    ["beta-1.0-r2v", PICTURE, { media: [{ type: "reference_image", url: PICTURE }] }],
    ["grok-imagine-video", PICTURE, { image: { url: PICTURE } }],
    ["sora-2", PICTURE, { input_reference: PICTURE }],
  ])("%s begins from %j", (id, input_reference, input) => {
    expect(from(id, { prompt, input_reference }).request["input"]).toEqual({ prompt, ...input });
  });

  it("the client's own media come after the file", () => {
    const last = { type: "last_frame", url: PICTURE };
    const { request } = from("alpha2.7-t2v", { prompt, input: { media: [last] } }, INLINE);
    expect(request["input"]).toEqual({ prompt, media: [{ type: "first_frame", url: INLINE.dataUrl }, last] });
  });

  it("a server that only its owner knows learns no more than what is said", () => {
    expect(from(unlisted("sora"), { prompt }).request).toEqual({ model: "new-model", input: { prompt } });
  });

  it.each<[string, Json, string]>([
    ["no prompt", {}, "prompt"],
    ["an empty prompt", { prompt: " " }, "prompt"],
    ["a prompt that is no text", { prompt: 1 }, "prompt"],
    ["seconds that are none", { prompt, seconds: "four" }, "seconds"],
    ["half a second", { prompt, seconds: 4.5 }, "seconds"],
    ["two lengths", { prompt, seconds: "4", parameters: { duration: 5 } }, "seconds"],
    ["a size that is none", { prompt, size: "large" }, "size"],
    ["two resolutions", { prompt, size: "1280x720", resolution: "1080p" }, "size"],
    ["a file of OpenAI's", { prompt, input_reference: { file_id: "file-1" } }, "input_reference"],
    ["an input that is none", { prompt, input: "{" }, "input"],
    ["parameters that are none", { prompt, parameters: "[]" }, "parameters"],
  ])("%s is refused", (_, fields, param) => {
    const error = refusal("alpha2.7-t2v", fields);
    expect(error.status).toBe(400);
    expect(error.details.param).toBe(param);
  });

  test("any size is made as the nearest, or refused: never another error", () => {
    const side = fc.integer({ min: 1, max: 99_999 });
    fc.assert(
      fc.property(fc.constantFrom(...ids), side, side, (id, width, height) => {
        const { rules } = listed(id);
        fc.pre(rules?.family !== "sora" && rules?.kind === "t2v");
        const order = orderFrom(id, { prompt, size: `${width}x${height}` });
        expect(rules.resolutions).toContain(order.resolution);
      }),
    );
  });
});

describe("a task in OpenAI's words", () => {
  it.each([
    ["submitting", "queued"],
    ["unknown", "queued"],
    ["submitted", "queued"],
    ["running", "in_progress"],
    ["fetching", "in_progress"],
    ["succeeded", "completed"],
    ["failed", "failed"],
    ["cancelled", "failed"],
  ] as const)("%s is %s", (phase, status) => {
    const video = toOpenAiVideo(taskRecord({ phase }));
    expect(video.status).toBe(status);
    expect(openAiVideoSchema.strict().safeParse(video).error).toBeUndefined();
  });

  it("has every field, in seconds and texts", () => {
    const task = closedTask({ order: taskOrder({ seconds: 8, resolution: "720p", ratio: "9:16" }) });
    expect(toOpenAiVideo(task)).toEqual({
      id: task.id,
      object: "video",
      model: "alpha2.6-t2v",
      status: "completed",
      progress: 100,
      created_at: TASK_AT / 1_000,
      completed_at: TASK_AT / 1_000 + 60,
      expires_at: null,
      prompt: "A lighthouse at dusk.",
      seconds: "8",
      size: "720x1280",
      remixed_from_video_id: null,
      error: null,
    });
  });

  it("says when the file is gone where it is only at the provider", () => {
    const task = closedTask({ result: taskResult({ saved: false }) });
    expect(toOpenAiVideo(task).expires_at).toBe(task.forgotten_at / 1_000);
  });

  it("says how far it is, and is known by the provider's id where clients know it so", () => {
    const task = taskRecord({ phase: "running", progress: 42, operation: { id: "cgt-20261120-abcde" } });
    expect(toOpenAiVideo(task)).toMatchObject({ id: "cgt-20261120-abcde", progress: 42, completed_at: null });
  });

  it("says why it failed", () => {
    const error = { code: "moderation_blocked", message: "No." };
    expect(toOpenAiVideo(taskRecord({ phase: "failed", error })).error).toEqual(error);
    expect(toOpenAiVideo(taskRecord({ phase: "failed" })).error).toMatchObject({ code: "failed" });
    expect(toOpenAiVideo(taskRecord({ phase: "cancelled" })).error).toMatchObject({ code: "cancelled" });
  });

  it.each(["1280x720", "720x1280", "1024x1792", "1792x1024"])("the size %s comes back as it was asked for", (size) => {
    const { resolution, ratio } = orderFrom("sora-2-pro", { prompt, size });
    expect(estimateLikelySides(resolution, ratio).join("x")).toBe(size);
  });

  it("a deleted one is reported as deleted", () => {
    expect(openAiVideoDeletedSchema.safeParse(toOpenAiDeleted("vt_1")).success).toBe(true);
  });
});
