import { afterEach, describe, expect, it } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import { until } from "../../../support/running-gateway.ts";
import { VideoStage } from "../../../support/video-acts.ts";

let stage: VideoStage;
afterEach(() => stage.close());

const DAY_MS = 24 * 3_600_000;
const detail = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);

/** The network goes away, and comes back when the returned function is called. */
async function away(): Promise<() => Promise<unknown>> {
  const { port } = stage.provider;
  await stage.provider.close();
  return () => stage.provider.listen(port);
}

describe("a laptop that is opened after more than a day, before its network is back", () => {
  it("does not give up a task that its provider goes on with", async () => {
    stage = await VideoStage.open();
    stage.provider.plan = ["running"];
    const task = await stage.submit();
    await stage.when(task.id, ({ status }) => status === "running");
    const back = await away();
    stage.time.jump(DAY_MS + 3_600_000);
    stage.gateway.gateway.onResume();
    await until(async () => (await detail(task.id)).timeline.some(({ note }) => note !== null));
    expect((await stage.read(task.id)).status).toBe("running");
    await back();
    stage.provider.advance(stage.provider.last.id, "succeeded");
    expect((await stage.over(task.id)).status).toBe("succeeded");
  });
});

it("gives a task up for which its provider has no response for an hour after it must have forgotten it", async () => {
  stage = await VideoStage.open({}, 1_000);
  stage.provider.plan = ["running"];
  const task = await stage.submit();
  await stage.when(task.id, ({ status }) => status === "running");
  const back = await away();
  stage.time.jump(DAY_MS + 3_600_000);
  stage.gateway.gateway.onResume();
  const over = await stage.over(task.id);
  expect(over).toMatchObject({ status: "failed", error: { code: "expired" } });
  expect(await stage.gateway.receipt()).toMatchObject({ outcome: "unknown", estimated: true, nano: 500_000_000 });
  await back();
});
