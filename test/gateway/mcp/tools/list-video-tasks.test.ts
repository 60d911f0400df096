import { afterEach, beforeEach, expect, it } from "vitest";
import type { TaskFacts } from "../../../../gateway/mcp/videos/video-task-response.ts";
import { VideoToolStage } from "../../../support/video-tools.ts";

const OTHER = "sk-test-other-key-of-00002";

let stage: VideoToolStage;
beforeEach(async () => {
  stage = await VideoToolStage.open({ keys: [{ key: OTHER, name: "other" }] });
});
afterEach(() => stage.close());

const idsOf = (structured: Readonly<Record<string, unknown>> = {}): string[] =>
  (structured["tasks"] as TaskFacts[]).map(({ id }) => id);

it("lists the key's own tasks, newest first, page by page", async () => {
  const ids: string[] = [];
  for (const prompt of ["one", "two", "three"]) ids.unshift((await stage.order({ model: "alpha2.6-t2v", prompt })).id);
  await stage.order({ model: "alpha2.6-t2v", prompt: "of another" }, { key: OTHER });
  const first = await stage.list({ limit: 2 });
  expect(idsOf(first.response?.structured)).toEqual(ids.slice(0, 2));
  expect(first.response?.structured).toMatchObject({ has_more: true, last_id: ids[1] });
  expect(first.response?.content[0]).toMatchObject({
    text: expect.stringMatching(/^vt_\w+ \w+, alpha2\.6-t2v, 5 s at 720p, 20.*: "three"/),
  });
  const second = await stage.list({ limit: 2, after: ids[1] });
  expect(idsOf(second.response?.structured)).toEqual(ids.slice(2));
  expect(second.response?.structured["has_more"]).toBe(false);
});

it("lists those of a status and of a model", async () => {
  stage.provider.plan = ["running"];
  const running = await stage.order({ model: "sora-2", prompt: "runs" });
  stage.provider.plan = ["failed"];
  const failed = await stage.order({ model: "alpha2.6-t2v", prompt: "fails" });
  await stage.over(failed.id);
  expect(idsOf((await stage.list({ status: "failed" })).response?.structured)).toEqual([failed.id]);
  expect(idsOf((await stage.list({ model: "sora-2" })).response?.structured)).toEqual([running.id]);
  const none = await stage.list({ status: "cancelled" });
  expect(none.response?.content).toEqual([{ type: "text", text: "There are no such video tasks." }]);
});

it.each([
  [{ limit: 0 }, "limit"],
  [{ limit: 101 }, "limit"],
  [{ after: "vt_unknown" }, "after"],
  [{ status: "done" }, "status"],
])("refuses %j", async (args, param) => {
  expect((await stage.list(args)).error?.details.param).toBe(param);
});
