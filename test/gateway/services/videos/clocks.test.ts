import { afterEach, describe, expect, it } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import { until } from "../../../support/running-gateway.ts";
import { VideoStage } from "../../../support/video-acts.ts";
import { orderBody } from "../../../support/video-orders.ts";

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

/** Lets the gateway's time pass. */
async function pass(ms: number): Promise<void> {
  const end = stage.time.monotonic() + ms;
  await until(() => stage.time.monotonic() >= end);
}

describe("a laptop that is opened after more than a day, before its network is back", () => {
  it("does not give up a task that its provider goes on with", async () => {
    stage = await VideoStage.open();
    stage.provider.plan = ["running"];
    const task = await stage.submit();
    await stage.when(task.id, ({ status }) => status === "running");
    const back = await away();
    stage.time.jump(DAY_MS + 3_600_000);
    stage.gateway.gateway.resumed();
    await until(async () => (await detail(task.id)).timeline.some(({ note }) => note !== null));
    expect((await stage.read(task.id)).status).toBe("running");
    await back();
    stage.provider.advance(stage.provider.last.id, "succeeded");
    expect((await stage.over(task.id)).status).toBe("succeeded");
  });

  it("goes on with the file of a task", async () => {
    stage = await VideoStage.open();
    stage.provider.plan = ["succeeded"];
    const release = stage.provider.hold("file");
    const task = await stage.submit();
    await stage.provider.when(() => stage.provider.count("file") === 1);
    stage.time.jump(DAY_MS + 3_600_000);
    const back = await away();
    release();
    await pass(10_000);
    await back();
    const done = await stage.when(task.id, ({ content }) => content?.local_url != null);
    const file = await fetch(done.content?.local_url as string);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(stage.provider.last.video);
  });

  it("looks for a lost task in the provider's list all the same", async () => {
    stage = await VideoStage.open();
    stage.provider.fault("submit", { do: "drop", after: true });
    const task = await stage.submit();
    expect(task.status).toBe("unknown");
    stage.time.jump(DAY_MS + 3_600_000);
    stage.gateway.gateway.resumed();
    expect((await stage.over(task.id)).status).toBe("succeeded");
  });
});

describe("a wall clock that jumps", () => {
  it("a day ahead and back again ends nothing, and polls are as before", async () => {
    stage = await VideoStage.open();
    stage.provider.plan = ["running"];
    stage.provider.fault("submit", null, { do: "drop", after: true });
    const running = await stage.submit();
    const lost = await stage.submit(orderBody("xai", "A kite."));
    expect(lost.status).toBe("unknown");
    for (const jump of [DAY_MS, -DAY_MS, -DAY_MS, DAY_MS]) {
      stage.time.jump(jump);
      await pass(20_000);
    }
    expect((await stage.read(lost.id)).status).toBe("unknown");
    expect((await stage.read(running.id)).status).toBe("running");
    stage.provider.advance(stage.provider.tasks[0]?.id ?? "", "succeeded");
    expect((await stage.over(running.id)).status).toBe("succeeded");
    const polls = stage.provider.count("poll");
    // 80 s at a question in 15 s, and one for each jump.
    expect(polls).toBeLessThan(20);
  });
});

it("ends a task that its provider has forgotten although it was made under a date that is still to come", async () => {
  stage = await VideoStage.open({}, 1_000);
  stage.provider.plan = ["running"];
  stage.time.jump(40 * 365 * DAY_MS);
  const task = await stage.submit();
  await stage.when(task.id, ({ status }) => status === "running");
  stage.time.jump(-40 * 365 * DAY_MS);
  stage.provider.advance(stage.provider.last.id, "absent");
  expect(await stage.over(task.id)).toMatchObject({ status: "failed", error: { code: "expired" } });
});

it("says of no lost task that it was never ordered when the clock was set back since", async () => {
  stage = await VideoStage.open({}, 1_000);
  stage.time.jump(40 * 365 * DAY_MS);
  stage.provider.fault("submit", { do: "drop", after: true });
  const task = await stage.submit();
  expect(task.status).toBe("unknown");
  stage.time.jump(-40 * 365 * DAY_MS);
  stage.gateway.gateway.resumed();
  await until(async () => (await detail(task.id)).timeline.some(({ note }) => note?.includes("set back") === true));
  expect((await stage.read(task.id)).status).toBe("unknown");
});

it("gives a task up for which its provider has no response for an hour after it must have forgotten it", async () => {
  stage = await VideoStage.open({}, 1_000);
  stage.provider.plan = ["running"];
  const task = await stage.submit();
  await stage.when(task.id, ({ status }) => status === "running");
  const back = await away();
  stage.time.jump(DAY_MS + 3_600_000);
  stage.gateway.gateway.resumed();
  const over = await stage.over(task.id);
  expect(over).toMatchObject({ status: "failed", error: { code: "expired" } });
  expect(await stage.gateway.receipt()).toMatchObject({ outcome: "unknown", estimated: true, nano: 500_000_000 });
  await back();
});
