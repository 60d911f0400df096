import { expect, it } from "vitest";
import { videos } from "../../../../gateway/vendors/openai/videos.ts";
import { videoCall } from "../dialect-call.ts";

it("asks OpenAI for a video in the common dialect, and as often as that", () => {
  const body = { prompt: "A cat", seconds: "4", size: "720x1280" };
  const wire = videos.toRequest(videoCall("sora-2-pro", body), "sk-1");
  expect(wire).toMatchObject({ method: "POST", path: "/videos", headers: { authorization: "Bearer sk-1" } });
  expect(JSON.parse(String(wire.body))).toEqual({ ...body, model: "sora-2-pro" });
  expect(videos.pace).toMatchObject({ first: 1_000, watched: 1_000, usual: 10_000, gap: 250 });
});
