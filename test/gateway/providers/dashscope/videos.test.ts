import { describe, expect, it } from "vitest";
import { videos } from "../../../../gateway/providers/dashscope/videos.ts";
import { videoCall } from "../dialect-call.ts";

const ID = "0385dc79-5ff8-4d82-bcb6-0123456789ab";
const SYNTHESIS = "/api/v1/services/aigc/video-generation/video-synthesis";

/** docs/providers/dashscope.md#tasks */
const SUBMITTED = { output: { task_status: "PENDING", task_id: ID }, request_id: "4909100c-7b5a-9f92-bfe5" };
const URL_A = "https://dashscope-result-sh.oss-cn-shanghai.aliyuncs.com/a.mp4?Expires=1&Signature=a%2Bb";

const reported = (status: unknown, output: object = {}, more: object = {}): unknown => ({
  request_id: "e5d70b02",
  output: { task_id: ID, task_status: status, submit_time: "2026-01-22 23:24:46.527", ...output },
  ...more,
});

const read = (body: unknown) => videos.toState(200, body);

describe("the submission", () => {
  it.each([
    { img_url: "oss://dashscope-instant/a.png" },
    {
      media: [
        { type: "video", url: "https://a.example" },
        { type: "reference_image", url: "oss://b" },
      ],
    },
    { reference_urls: ["https://a.example", "oss://b"] },
  ])("asks to resolve what was uploaded to DashScope: %j", (input) => {
    const { headers } = videos.toRequest(videoCall("wan2.6-r2v", { input }), "sk-1");
    expect(headers).toMatchObject({ "x-dashscope-async": "enable", "x-dashscope-ossresourceresolve": "enable" });
  });

  it("does not ask so for words about it", () => {
    const input = { prompt: "what oss:// is", img_url: "https://a.example/oss://b" };
    const { headers } = videos.toRequest(videoCall("wan2.6-i2v", { input }), "sk-1");
    expect(headers).not.toHaveProperty("x-dashscope-ossresourceresolve");
  });

  it.each([
    ["wan2.2-kf2v-flash", "/api/v1/services/aigc/image2video/video-synthesis"],
    ["wanx2.1-kf2v-plus", "/api/v1/services/aigc/image2video/video-synthesis"],
    ["happyhorse-1.0-t2v", SYNTHESIS],
  ])("of %s goes to %s", (model, path) => {
    expect(videos.toRequest(videoCall(model, { input: {} }), null).path).toBe(path);
  });

  it("is answered with the task's id", () => {
    expect(videos.fromResponse(SUBMITTED)).toEqual({ id: ID });
  });

  it.each([
    null,
    "x",
    {},
    { output: null },
    { output: { task_id: 5 } },
    { output: { task_id: "" } },
    { output: { task_id: ".." } },
    { output: { task_id: "a\ud800" } },
    { output: { task_id: "x".repeat(201) } },
  ])("%j names no task", (body) => {
    expect(videos.fromResponse(body)).toBeNull();
  });
});

it.each([
  ["PENDING", { state: "queued", progress: null }],
  ["RUNNING", { state: "running", progress: null }],
  ["SUSPENDED", { state: "running", progress: null }],
  ["SOMETHING_NEW", { state: "running", progress: null }],
  ["CANCELED", { state: "cancelled" }],
  ["UNKNOWN", { state: "absent" }],
])("%s is %j", (status, state) => {
  expect(read(reported(status))).toEqual(state);
});

describe("a success", () => {
  /** docs/providers/dashscope.md#usage-of-videos: usage of each generation, and what is billed by it. */
  it.each([
    [{ duration: 10, input_video_duration: 0, output_video_duration: 10, video_count: 1, SR: 720 }, 10, "720p"],
    [{ duration: 10.0, size: "1280*720", input_video_duration: 5, output_video_duration: 5, SR: "720" }, 10, "720p"],
    [{ duration: 13.24, input_video_duration: 6.62, output_video_duration: 6.62, SR: "1080P" }, 13.24, "1080p"],
    [{ duration: 5, SR: 480, video_count: 1 }, 5, "480p"],
    [{ video_duration: 5, video_ratio: "1280*720", video_count: 1 }, 5, null],
    [{ duration: 0, video_duration: "5", SR: "540" }, 5, "540p"],
    [{ duration: -1, SR: null }, null, null],
    [{ duration: 1e9, SR: "wide" }, null, null],
  ])("billed by %j", (usage, seconds, resolution) => {
    expect(read(reported("SUCCEEDED", { video_url: URL_A, orig_prompt: "x" }, { usage }))).toEqual({
      state: "succeeded",
      result: { url: URL_A, lastFrameUrl: null, seconds, resolution, seed: null, usage },
    });
  });

  it("needs no usage", () => {
    const result = { url: URL_A, lastFrameUrl: null, seconds: null, resolution: null, seed: null, usage: {} };
    for (const usage of [undefined, null, []])
      expect(read(reported("SUCCEEDED", { video_url: URL_A }, { usage }))).toEqual({ state: "succeeded", result });
    expect(read(reported("SUCCEEDED", { results: { video_url: URL_A } }))).toEqual({ state: "succeeded", result });
  });

  it.each([{}, { video_url: null }, { video_url: "" }, { video_url: 5 }, { results: [null] }])(
    "without an address is a failure that says so: %j",
    (output) => {
      const state = read(reported("SUCCEEDED", output));
      expect(state).toMatchObject({ state: "failed", code: "result_missing" });
      expect(state).toHaveProperty("message", expect.stringContaining("DashScope"));
    },
  );
});

describe("a failure", () => {
  it("comes inside a response that says 200, in the provider's words", () => {
    const words = { code: "InvalidParameter", message: "The size is not match xxxxxx" };
    expect(read(reported("FAILED", words))).toEqual({ state: "failed", ...words });
    expect(read(reported("FAILED", {}, words))).toEqual({ state: "failed", ...words });
  });

  it("may have no words", () => {
    expect(read(reported("FAILED", { code: null, message: null }))).toEqual({
      state: "failed",
      code: "failed",
      message: "The provider says that the task failed, and not why.",
    });
  });
});

it.each([undefined, null, [], "x", {}, { output: {} }, reported(null), { code: "Throttling", message: "…" }])(
  "%j says nothing of a task",
  (body) => {
    expect(read(body)).toBeNull();
  },
);

describe("the list", () => {
  const { listing } = videos;
  const at = Date.UTC(2026, 0, 22, 15, 24, 46);
  const QUERY = { upstreamModel: "wan2.6-t2v", from: at, to: at, page: "2" };

  it("is asked for a day more on both sides, in Beijing's time", () => {
    const wire = listing?.toRequest({ upstreamModel: "wan2.6-t2v", from: at, to: at + 60_000, page: "2" }, "sk-1");
    const url = new URL(wire?.path ?? "", "http://provider");
    expect(url.pathname).toBe("/api/v1/tasks/");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      start_time: "20260121232446",
      end_time: "20260123232546",
      page_no: "2",
      page_size: "10",
      model_name: "wan2.6-t2v",
    });
  });

  const row = { task_id: ID, model_name: "wan2.6-t2v", status: "SUCCEEDED", region: "cn-beijing" };
  const task = { id: ID, upstreamModel: "wan2.6-t2v", createdAt: at, seconds: null, resolution: null, seed: null };

  it.each([
    [{ gmt_create: at }, at],
    [{ gmt_create: String(at) }, at],
    [{ gmt_create: at / 1_000 }, at],
    [{ gmt_create: "2026-01-22 23:24:46.000" }, at],
    [{ gmt_create: "2026-01-22 23:24:46" }, at],
    [{ start_time: at }, at],
    [{ gmt_create: "2026-99-99 23:24:46" }, null],
    [{ gmt_create: "soon" }, null],
    [{ gmt_create: null }, null],
  ])("reads %j", (times, createdAt) => {
    const body = { total: 1, data: [{ ...row, ...times }], total_page: 1, page_no: 1, page_size: 10 };
    expect(listing?.fromResponse(body, QUERY)).toEqual({ tasks: [{ ...task, createdAt }], next: null });
  });

  it.each([
    [{ data: [row], total_page: 3, page_no: 2 }, "3"],
    [{ data: [row], total_page: 3, page_no: 3 }, null],
    [{ data: [row] }, "3"],
    [{ data: [] }, null],
    [{ data: [null, {}, { task_id: 5 }], total_page: 1, page_no: 1 }, null],
  ])("after %j comes page %s", (body, next) => {
    expect(listing?.fromResponse(body, QUERY)?.next).toBe(next);
  });

  it.each([null, {}, { data: {} }, { code: "InvalidParameter" }])("%j is invalid", (body) => {
    expect(listing?.fromResponse(body, QUERY)).toBeNull();
  });
});

it("asks as often as the provider recommends, and leaves some of what it allows to others", () => {
  expect(videos.pace).toEqual({
    first: 5_000,
    watched: 3_000,
    usual: 15_000,
    gap: 60,
    timeouts: 10_800_000,
    memory: 86_400_000,
  });
  expect(1_000 / videos.pace.gap).toBeLessThan(20);
});
