import { afterEach, expect, it } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import type { VideoTask } from "../../../../gateway/contract/videos.ts";
import { until } from "../../../support/running-gateway.ts";
import { VideoStage } from "../../../support/video-acts.ts";
import { orderBody } from "../../../support/video-orders.ts";

/** Two submissions without a response, of which the provider took one. Its list says nothing of prompts. */

let stage: VideoStage;
afterEach(() => stage.close());

const detail = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);

/** Lets the gateway's time pass. */
async function pass(ms: number): Promise<void> {
  const end = stage.time.monotonic() + ms;
  await until(() => stage.time.monotonic() >= end);
}

async function lose(...prompts: readonly [string, string]): Promise<[VideoTask, VideoTask]> {
  stage = await VideoStage.open();
  stage.provider.plan = ["running"];
  // Nothing is looked for before both are lost.
  const release = stage.provider.hold("list");
  stage.provider.fault("submit", { do: "drop" }, { do: "drop", after: true });
  const first = await stage.submit(orderBody("alpha", prompts[0]));
  const second = await stage.submit(orderBody("alpha", prompts[1]));
  expect([first.status, second.status]).toEqual(["unknown", "unknown"]);
  release();
  return [first, second];
}

it("no lost task is taken for another one's: the owner says which it is, and the other never arrived", async () => {
  const [first, second] = await lose("A lighthouse at dusk.", "A harbour at dawn.");
  const contested = async (id: string): Promise<boolean> =>
    (await detail(id)).timeline.some(({ note }) => note?.includes("another lost one") === true);
  await until(async () => (await contested(first.id)) && (await contested(second.id)));
  await pass(200_000);
  expect([(await stage.read(first.id)).status, (await stage.read(second.id)).status]).toEqual(["unknown", "unknown"]);
  await stage.gateway.ask("POST", `/tasks/${second.id}/resolve`, { provider_task_id: stage.provider.last.id });
  expect(await stage.over(first.id)).toMatchObject({ status: "failed", error: { code: "not_submitted" } });
  stage.provider.advance(stage.provider.last.id, "succeeded");
  expect((await stage.over(second.id)).status).toBe("succeeded");
  expect(stage.provider.last.ordered.prompt).toBe("A harbour at dawn.");
});
