import { afterEach, beforeEach, expect, it } from "vitest";
import { readModelsResource } from "../../../../gateway/mcp/resources/resources.ts";
import { listTaskResources, readTaskResource } from "../../../../gateway/mcp/resources/resources-tasks.ts";
import { VideoToolStage } from "../../../support/video-tools.ts";

const NARROW = "sk-test-narrow-key-of-0004";

let stage: VideoToolStage;
beforeEach(async () => {
  stage = await VideoToolStage.open({ keys: [{ key: NARROW, name: "narrow", models: ["sora-2"] }] });
});
afterEach(() => stage.close());

it("a task is read as GET /v1/videos/generations/{id} tells it, by its own key alone", async () => {
  const { tools } = stage;
  const { id } = await stage.order();
  await stage.over(id);
  const { uri, mimeType, text } = await readTaskResource(tools.deps, tools.key(), id);
  expect([uri, mimeType]).toEqual([`postern://tasks/${id}`, "application/json"]);
  expect(JSON.parse(text)).toMatchObject({ id, object: "video.task", status: "succeeded", usage: { cost_usd: 0.5 } });
  await expect(readTaskResource(tools.deps, tools.key(NARROW), id)).rejects.toMatchObject({ code: "not_found" });
});

it("the key's tasks are listed, newest first", async () => {
  const { tools } = stage;
  const older = await stage.order();
  const newer = await stage.order({ model: "sora-2", prompt: "A fox." });
  const listed = await listTaskResources(tools.deps, tools.key());
  expect(listed.map(({ uri }) => uri)).toEqual([`postern://tasks/${newer.id}`, `postern://tasks/${older.id}`]);
  expect(listed[0]?.title).toMatch(/^sora-2, /);
  expect(await listTaskResources(tools.deps, tools.key(NARROW))).toEqual([]);
});

it("models are those that the key may use", async () => {
  const { tools } = stage;
  const { mimeType, text } = await readModelsResource(tools.deps, tools.key(NARROW));
  expect(mimeType).toBe("application/json");
  const { data } = JSON.parse(text) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(["sora-2"]);
});
