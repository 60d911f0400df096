import { afterEach, beforeEach, expect, it } from "vitest";
import type { TaskFacts } from "../../../../gateway/mcp/videos/video-task-response.ts";
import type { Step } from "../../../../gateway/mcp/tool/progress.ts";
import { VideoToolStage } from "../../../support/video-tools.ts";

const OTHER = "sk-test-other-key-of-00002";

let stage: VideoToolStage;
beforeEach(async () => {
  stage = await VideoToolStage.open({ keys: [{ key: OTHER, name: "other" }] });
});
afterEach(() => stage.close());

it("answers at once unless it is asked to wait", async () => {
  stage.provider.plan = ["running"];
  const { id } = await stage.order();
  const startedAt = stage.time.monotonic();
  const { response } = await stage.get({ id });
  expect(stage.time.monotonic() - startedAt).toBeLessThan(5_000);
  expect(response?.structured).toMatchObject({ id, status: "submitted", video: null, error: null });
});

it("waits for the end, and gives the film as a link with what it cost", async () => {
  const { id } = await stage.order();
  const { response } = await stage.get({ id, wait_seconds: 600 });
  const video = response?.structured["video"] as TaskFacts["video"] | undefined;
  expect(response?.structured).toMatchObject({
    id,
    status: "succeeded",
    duration_seconds: 5,
    resolution: "720p",
    cost_usd: 0.5,
    held_usd: 0,
  });
  expect(video).toMatchObject({
    uri: expect.stringMatching(/^postern:\/\/media\/media_/),
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:6174\/media\/media_\w+\?/),
    provider_url: expect.stringContaining(`${stage.provider.origin}/files/`),
    mime_type: "video/mp4",
  });
  expect(response?.content).toEqual([
    { type: "text", text: expect.stringContaining(`Task ${id} has succeeded. The video is saved as ${video?.uri}`) },
    expect.objectContaining({ type: "resource_link", uri: video?.uri, mimeType: "video/mp4", size: video?.bytes }),
    { type: "text", text: "Cost: $0.50 (alpha2.6-t2v)." },
  ]);
});

it("tells each change, in figures that only grow", async () => {
  stage.provider.plan = ["queued", "queued", "running", "running", "running", "succeeded"];
  const { id } = await stage.order();
  const { response, steps } = await stage.get({ id, wait_seconds: 600 }, { progress: true });
  expect(response?.structured["status"]).toBe("succeeded");
  expect(growing(steps)).toBe(true);
  expect(steps[0]?.message).toMatch(/^alpha2\.6-t2v: (submitted|running), 0 s$/);
  expect(steps.some(({ message }) => message.startsWith("alpha2.6-t2v: running"))).toBe(true);
  // Its provider tells no percent, so these are seconds; only once it is made all of it is known.
  expect(steps.every(({ total, message }) => total === undefined || message.includes("100 %"))).toBe(true);
});

it("tells now and then that it waits while nothing changes", async () => {
  const { id } = await stage.order();
  const release = stage.provider.hold("poll");
  const steps: Step[] = [];
  const { response } = await stage.get(
    { id, wait_seconds: 600 },
    { onStep: (step) => steps.push(step) === 4 && release() },
  );
  expect(response?.structured["status"]).toBe("succeeded");
  expect(steps.slice(0, 4).map(({ message }) => message.replace(/\d+ s$/, ""))).toEqual(
    Array.from({ length: 4 }, () => "alpha2.6-t2v: submitted, "),
  );
  expect(growing(steps)).toBe(true);
});

it("tells percent of 100 where the provider does", async () => {
  stage.provider.plan = ["running"];
  const { id } = await stage.order({ model: "sora-2", prompt: "A fox." });
  const task = stage.provider.last;
  task.progress = 10;
  const seen: Step[] = [];
  const { response } = await stage.get(
    { id, wait_seconds: 600 },
    {
      onStep: (step) => {
        seen.push(step);
        if (step.progress >= 10 && task.progress === 10) task.progress = 60;
        if (step.progress >= 60) stage.provider.advance(task.id, "succeeded");
      },
    },
  );
  expect(response?.structured).toMatchObject({ status: "succeeded", cost_usd: 0.4 });
  expect(growing(seen)).toBe(true);
  expect(seen.filter(({ progress }) => progress === 60)).toEqual([
    { progress: 60, total: 100, message: expect.stringMatching(/^sora-2: running, 60 %, \d+ s$/) },
  ]);
});

it("says how far it is when the time is over, and can be asked again", async () => {
  stage.provider.plan = ["running"];
  const { id } = await stage.order();
  const { response } = await stage.get({ id, wait_seconds: 30 });
  expect(response?.structured["status"]).toBe("running");
  stage.provider.advance(stage.provider.last.id, "succeeded");
  expect((await stage.over(id)).status).toBe("succeeded");
});

it("stops waiting when its caller does, and changes nothing by that", async () => {
  stage.provider.plan = ["running"];
  const { id } = await stage.order();
  const leaving = new AbortController();
  const { response } = await stage.get(
    { id, wait_seconds: 600 },
    { signal: leaving.signal, onStep: () => leaving.abort() },
  );
  expect(response?.structured["cost_usd"]).toBeNull();
  expect(stage.provider.count("cancel")).toBe(0);
  stage.provider.advance(stage.provider.last.id, "succeeded");
  expect((await stage.over(id)).cost_usd).toBe(0.5);
});

it("responses of a task that failed in its provider's words, with what it cost: nothing", async () => {
  stage.provider.next("queued", "failed");
  const { id } = await stage.order();
  const { response, error } = await stage.get({ id, wait_seconds: 600 });
  expect(error).toBeNull();
  expect(response?.structured).toMatchObject({
    status: "failed",
    error: { message: "The provider could not make this video." },
    cost_usd: 0,
    video: null,
  });
  expect(response?.content[0]).toMatchObject({
    text: expect.stringContaining("The provider could not make this video."),
  });
  expect(response?.content.at(-1)).toEqual({ type: "text", text: "Cost: nothing (alpha2.6-t2v)." });
});

it("finds a Seedance task by the provider's id, and its last picture", async () => {
  const ordered = await stage.order({
    model: "doubao-seedance-2-0-260128",
    prompt: "A fox.",
    parameters: { return_last_frame: true },
  });
  expect(ordered.id).toMatch(/^cgt-/);
  const task = await stage.over(ordered.id);
  expect(task.last_frame).toMatchObject({ mime_type: "image/png", uri: expect.stringContaining("postern://media/") });
});

it("knows no task of another key", async () => {
  const { id } = await stage.order();
  for (const requested of [id, "vt_unknown"]) {
    const { error } = await stage.get({ id: requested }, { key: OTHER });
    expect(error?.code).toBe("not_found");
  }
});

it.each([601, -1, 1.5])("takes no wait of %s s", async (seconds) => {
  const { error } = await stage.get({ id: "vt_1", wait_seconds: seconds });
  expect(error?.details.param).toBe("wait_seconds");
});

const growing = (steps: readonly Step[]): boolean =>
  steps.every(({ progress }, index) => index === 0 || progress > (steps[index - 1]?.progress ?? 0));
