import { describe, expect, it } from "vitest";
import { videos } from "../../../../gateway/providers/xai/videos.ts";
import { videoCall } from "../dialect-call.ts";

const ID = "d97415a1-5796-b7ec-379f-4e6819e08fdf";

/** docs/providers/xai.md#videos */
const DONE = {
  status: "done",
  model: "grok-imagine-video",
  progress: 100,
  video: { url: "https://vidgen.x.ai/a.mp4", duration: 6, respect_moderation: true },
  usage: { cost_in_usd_ticks: 500_000_000 },
};
const RESULT = {
  url: DONE.video.url,
  lastFrameUrl: null,
  seconds: 6,
  resolution: null,
  seed: null,
  usage: DONE.usage,
};

describe("the submission", () => {
  const video = { url: "https://example.com/a.mp4" };

  it.each([
    [{ prompt: "A cat", duration: 6, resolution: "480p", image: { url: "data:image/png;base64,iV" } }, "generations"],
    [{ prompt: "A cat", video: null, duration: 6 }, "generations"],
    [{ prompt: "Make it snow", video }, "edits"],
    [{ prompt: "Make it snow", video, duration: null }, "edits"],
    [{ prompt: "And on", video, duration: 6 }, "extensions"],
    [{ prompt: "And on", video, duration: 0, user: "" }, "extensions"],
  ])("of %j goes to %s, as the client said it", (body, path) => {
    const wire = videos.toRequest(videoCall("grok-imagine-video", body), "xai-1");
    expect(wire).toMatchObject({
      method: "POST",
      path: `/videos/${path}`,
      headers: { authorization: "Bearer xai-1" },
    });
    expect(JSON.parse(String(wire.body))).toEqual({ ...body, model: "grok-imagine-video" });
  });

  it("is answered with a request id", () => {
    expect(videos.fromResponse({ request_id: ID })).toEqual({ id: ID });
    for (const body of [null, {}, { id: ID }, { request_id: "" }]) expect(videos.fromResponse(body)).toBeNull();
  });
});

it("asks by the id, and can neither cancel nor list", () => {
  expect(videos.toStatusRequest({ id: ID }, "k")).toMatchObject({ method: "GET", path: `/videos/${ID}`, body: null });
  expect(videos).toMatchObject({ toCancelRequest: null, listing: null, toContentRequest: null });
});

it.each([
  [202, undefined, { state: "queued", progress: null }],
  [202, null, { state: "queued", progress: null }],
  [202, {}, { state: "running", progress: null }],
  [202, { status: "pending", progress: 42 }, { state: "running", progress: 42 }],
  [200, { status: "pending", progress: "42" }, { state: "running", progress: 42 }],
  [202, { status: "pending", progress: 142 }, { state: "running", progress: null }],
  [200, { progress: 7 }, { state: "running", progress: 7 }],
  [200, { status: "something new" }, { state: "running", progress: null }],
  [200, { status: "expired" }, { state: "expired" }],
  [202, DONE, { state: "succeeded", result: RESULT }],
])("%i %j is %j", (status, body, state) => {
  expect(videos.toState(status, body)).toEqual(state);
});

describe("a success", () => {
  it("may leave its state out", () => {
    expect(videos.toState(200, DONE)).toEqual({ state: "succeeded", result: RESULT });
    expect(videos.toState(200, { ...DONE, status: undefined })).toEqual({ state: "succeeded", result: RESULT });
    expect(videos.toState(200, { video: { url: DONE.video.url } })).toEqual({
      state: "succeeded",
      result: { ...RESULT, seconds: null, usage: {} },
    });
  });

  it("that was filtered is a failure in words, whatever address it has", () => {
    for (const url of ["", undefined, DONE.video.url]) {
      const state = videos.toState(200, { ...DONE, video: { ...DONE.video, url, respect_moderation: false } });
      expect(state).toMatchObject({ state: "failed", code: "content_policy_violation" });
      expect(state).toHaveProperty("message", expect.stringContaining("moderation"));
    }
  });

  it.each([null, {}, { url: "" }, { url: null, duration: 6 }])(
    "with the video %j is a failure that says so",
    (video) => {
      expect(videos.toState(200, { ...DONE, video })).toMatchObject({ state: "failed", code: "result_missing" });
    },
  );
});

it("is a failure in xAI's words", () => {
  const error = { code: "invalid_argument", message: "The image could not be read." };
  expect(videos.toState(200, { status: "failed", error })).toEqual({ state: "failed", ...error });
  expect(videos.toState(200, { status: "failed", error: "No." })).toEqual({
    state: "failed",
    code: "failed",
    message: "No.",
  });
  expect(videos.toState(200, { status: "failed" })).toMatchObject({ state: "failed", code: "failed" });
});

it("does not know a task in the words of xAI only", () => {
  const unknown = { code: "Some requested entity was not found", error: "Request was not found" };
  expect(videos.toState(404, unknown)).toEqual({ state: "absent" });
  for (const body of [undefined, "Not Found", { detail: "Not Found" }]) expect(videos.toState(404, body)).toBeNull();
});

it.each([undefined, null, [], "x", {}, { video: null }, { error: "No." }])("200 %j says nothing of a task", (body) => {
  expect(videos.toState(200, body)).toBeNull();
});
