import { describe, expect, it } from "vitest";
import { videos } from "../../../../gateway/providers/openai/videos.ts";
import { videoCall } from "../dialect-call.ts";

it("asks OpenAI for a video in the common dialect, and as often as that", () => {
  const body = { prompt: "A cat", seconds: "4", size: "720x1280" };
  const wire = videos.toRequest(videoCall("sora-2-pro", body), "sk-1");
  expect(wire).toMatchObject({ method: "POST", path: "/videos", headers: { authorization: "Bearer sk-1" } });
  expect(JSON.parse(String(wire.body))).toEqual({ ...body, model: "sora-2-pro" });
  expect(videos.pace).toMatchObject({ first: 1_000, watched: 1_000, usual: 10_000, gap: 90 });
});

describe("the list", () => {
  const FROM = 1_758_940_000_000;
  const QUERY = { upstreamModel: "sora-2", from: FROM, to: FROM + 600_000, page: null };
  const row = { id: "video_1", object: "video", model: "sora-2", created_at: FROM / 1_000 + 60, seconds: "8" };
  const task = {
    id: "video_1",
    upstreamModel: "sora-2",
    createdAt: FROM + 60_000,
    seconds: 8,
    resolution: null,
    seed: null,
  };
  const read = (body: unknown) => videos.listing?.fromResponse(body, QUERY) ?? null;

  it("is asked for from the newest on, after the last one of the page before", () => {
    expect(videos.listing?.toRequest(QUERY, "k").path).toBe("/videos?limit=100&order=desc");
    expect(videos.listing?.toRequest({ ...QUERY, page: "video_7&x" }, "k").path).toBe(
      "/videos?limit=100&order=desc&after=video_7%26x",
    );
  });

  it("tells what tasks differ in; a snapshot's name is its model's", () => {
    expect(
      read({ data: [row, { ...row, model: "sora-2-2025-10-06" }, { ...row, model: "sora-2-pro" }, null] }),
    ).toEqual({
      tasks: [task, task, { ...task, upstreamModel: "sora-2-pro" }],
      next: null,
    });
  });

  it.each([
    [{ has_more: true, data: [row] }, "video_1"],
    [{ has_more: true, data: [{ ...row, created_at: FROM / 1_000 - 1 }] }, null],
    [{ has_more: true, data: [] }, null],
    [{ has_more: false, data: [row] }, null],
  ])("is read while it may hold what is looked for: after %j comes %s", (body, next) => {
    expect(read(body)?.next).toBe(next);
  });

  it.each([null, {}, { data: {} }, { error: { message: "no" } }])("%j is invalid", (body) => {
    expect(read(body)).toBeNull();
    expect(videos.batch?.fromResponse(body)).toBeNull();
  });
});
