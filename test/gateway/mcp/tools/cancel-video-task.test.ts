import { afterEach, beforeEach, expect, it } from "vitest";
import { VideoToolStage } from "../../../support/video-tools.ts";

const RICH = "sk-test-rich-key-of-0005";

let stage: VideoToolStage;
beforeEach(async () => {
  stage = await VideoToolStage.open({ keys: [{ key: RICH, name: "rich", limit_usd: 10 }] });
});
afterEach(() => stage.close());

it("cancels a task that waits at its provider, which frees its money; a second call changes nothing", async () => {
  stage.provider.plan = ["queued"];
  const { id, held_usd: reserved } = await stage.order(undefined, { key: RICH });
  expect(reserved).toBe(0.5);
  const { response } = await stage.cancel({ id }, { key: RICH });
  expect(response?.structured).toMatchObject({ id, status: "cancelled", cost_usd: 0, held_usd: 0 });
  expect(response?.content[0]).toMatchObject({ text: `Task ${id} was cancelled.` });
  expect(stage.provider.last.state).toBe("cancelled");
  expect((await stage.cancel({ id }, { key: RICH })).error?.code).toBe("not_cancellable");
  expect(stage.provider.count("cancel")).toBe(1);
});

it("ends the waiting of another call for the same task", async () => {
  stage.provider.plan = ["queued"];
  const { id } = await stage.order();
  const waiting = stage.get({ id, wait_seconds: 600 });
  await stage.cancel({ id });
  expect((await waiting).response?.structured["status"]).toBe("cancelled");
});

it("cannot cancel a task that runs, nor one at a provider that has no way to", async () => {
  stage.provider.plan = ["running"];
  for (const model of ["alpha2.6-t2v", "sora-2"]) {
    const { id } = await stage.order({ model, prompt: "A fox." });
    expect((await stage.cancel({ id })).error?.code).toBe("not_cancellable");
    stage.provider.advance(stage.provider.last.id, "succeeded");
    expect((await stage.over(id)).status).toBe("succeeded");
  }
});

it("knows no task of another key", async () => {
  const { id } = await stage.order();
  expect((await stage.cancel({ id }, { key: RICH })).error?.code).toBe("not_found");
  expect(stage.provider.count("cancel")).toBe(0);
});
