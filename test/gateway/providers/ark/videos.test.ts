import { describe, expect, it } from "vitest";
import { videos } from "../../../../gateway/providers/ark/videos.ts";

const ID = "cgt-20250622134237-plkgw";
const TASKS = "/contents/generations/tasks";

/** docs/providers/ark.md#video-tasks */
const DONE = {
  id: ID,
  model: "doubao-seedance-1-5-pro-251215",
  status: "succeeded",
  error: null,
  content: {
    video_url: "https://ark-content-generation.example/a.mp4?X-Tos-Algorithm=x&X-Tos-Expires=86400",
    last_frame_url: "https://ark-content-generation.example/a.png",
  },
  usage: { completion_tokens: 108_900, total_tokens: 108_900 },
  created_at: 1_743_414_619,
  updated_at: 1_743_414_673,
  seed: 10,
  resolution: "720p",
  ratio: "16:9",
  duration: 5,
  framespersecond: 24,
  service_tier: "default",
};
const RESULT = {
  url: DONE.content.video_url,
  lastFrameUrl: DONE.content.last_frame_url,
  seconds: 5,
  resolution: "720p",
  seed: 10,
  usage: DONE.usage,
};

const read = (changes: object) => videos.toState(200, { ...DONE, content: null, usage: undefined, ...changes });

it("is answered with an id alone", () => {
  expect(videos.fromResponse({ id: ID })).toEqual({ id: ID });
  for (const body of [null, {}, { id: null }, { id: "" }, [{ id: ID }]]) expect(videos.fromResponse(body)).toBeNull();
});

it.each([
  ["queued", { state: "queued", progress: null }],
  ["running", { state: "running", progress: null }],
  ["something new", { state: "running", progress: null }],
  ["cancelled", { state: "cancelled" }],
  ["canceled", { state: "cancelled" }],
  ["expired", { state: "expired" }],
])("%s is %j, with content and error null", (status, state) => {
  expect(read({ status })).toEqual(state);
});

describe("a success", () => {
  it("is reported with its last frame, length, seed and usage", () => {
    expect(videos.toState(200, DONE)).toEqual({ state: "succeeded", result: RESULT });
  });

  it.each([
    [{ content: { ...DONE.content, last_frame_url: null } }, { lastFrameUrl: null }],
    [
      { content: { video_url: null, file_url: "https://a.example/b" } },
      { url: "https://a.example/b", lastFrameUrl: null },
    ],
    [{ duration: 5.04 }, { seconds: 5.04 }],
    [{ duration: undefined, frames: 57 }, { seconds: 2.375 }],
    [{ duration: null, frames: 29 }, { seconds: 1.208 }],
    [{ duration: undefined, frames: 57, framespersecond: 0 }, { seconds: null }],
    [{ duration: -1 }, { seconds: null }],
    [{ seed: 0 }, { seed: 0 }],
    [
      { seed: "x", usage: null, resolution: null },
      { seed: null, usage: {}, resolution: null },
    ],
    [{ resolution: "4k" }, { resolution: "4k" }],
  ])("with %j", (changes, result) => {
    expect(videos.toState(200, { ...DONE, ...changes })).toEqual({
      state: "succeeded",
      result: { ...RESULT, ...result },
    });
  });

  it.each([null, undefined, {}, { video_url: "" }, { video_url: null }])(
    "with the content %j is a failure that says so",
    (content) => {
      expect(videos.toState(200, { ...DONE, content })).toMatchObject({ state: "failed", code: "result_missing" });
    },
  );
});

it("is a failure in Ark's words", () => {
  const error = {
    code: "OutputVideoSensitiveContentDetected",
    message: "The request failed because the output video may contain sensitive information. Request id: 0217",
  };
  expect(read({ status: "failed", error })).toEqual({ state: "failed", ...error });
  expect(read({ status: "failed", error: null })).toMatchObject({ state: "failed", code: "failed" });
});

it("does not know a task that was deleted, in Ark's envelope only", () => {
  const error = { code: "NotFound.id", message: "The specified task is not found.", param: "", type: "NotFound" };
  expect(videos.toState(404, { error })).toEqual({ state: "absent" });
  for (const body of [undefined, null, {}, { error: "Not Found" }]) expect(videos.toState(404, body)).toBeNull();
});

it.each([undefined, null, [], "x", {}, { status: null }, { error: { code: "InternalServiceError" } }])(
  "%j says nothing of a task",
  (body) => {
    expect(videos.toState(200, body)).toBeNull();
  },
);

describe("the list", () => {
  const { listing } = videos;
  const QUERY = { upstreamModel: "ep-2025&x", from: 0, to: 1, page: null };

  it("is asked for by the model, or the endpoint that stands for it", () => {
    const wire = listing?.toRequest({ upstreamModel: "ep-2025&x", from: 0, to: 1, page: "3" }, "ark-1");
    const url = new URL(wire?.path ?? "", "http://provider");
    expect(url.pathname).toBe(TASKS);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      page_num: "3",
      page_size: "100",
      "filter.model": "ep-2025&x",
    });
  });

  it("tells what tasks of one model differ in", () => {
    const queued = { id: "cgt-2", status: "queued", created_at: null, content: null };
    expect(listing?.fromResponse({ items: [DONE, queued, null, { id: 5 }], total: 4 }, QUERY)).toEqual({
      tasks: [
        { id: ID, upstreamModel: null, createdAt: 1_743_414_619_000, seconds: 5, resolution: "720p", seed: 10 },
        { id: "cgt-2", upstreamModel: null, createdAt: null, seconds: null, resolution: null, seed: null },
      ],
      next: null,
    });
  });

  it.each([
    [{ items: [DONE], total: 2 }, "2"],
    [{ items: [DONE], total: 1 }, null],
    [{ items: [DONE] }, "2"],
    [{ items: [], total: 2 }, null],
  ])("goes on to its end: after %j comes %s", (body, next) => {
    expect(listing?.fromResponse(body, QUERY)?.next).toBe(next);
  });

  it.each([null, {}, { items: null }, { error: { code: "AuthenticationError" } }])("%j is invalid", (body) => {
    expect(listing?.fromResponse(body, QUERY)).toBeNull();
    expect(videos.batch?.fromResponse(body)).toBeNull();
  });
});

it("several tasks are asked for by their ids, and each is reported whole", () => {
  const wire = videos.batch?.toRequest([{ id: ID }, { id: "cgt-2" }], "ark-1");
  const url = new URL(wire?.path ?? "", "http://provider");
  expect(url.searchParams.getAll("filter.task_ids")).toEqual([ID, "cgt-2"]);
  const reports = videos.batch?.fromResponse({ items: [DONE, null, { id: 5 }], total: 1 });
  expect([...(reports ?? [])]).toEqual([[ID, DONE]]);
  expect(videos.toState(200, reports?.get(ID))).toEqual(videos.toState(200, DONE));
});
