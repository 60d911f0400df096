import { beforeAll, describe, expect, it } from "vitest";
import type { VideoTask, VideoTaskList } from "../../../gateway/contract/videos.ts";
import { until } from "../../support/running-gateway.ts";
import { T2V } from "../../support/video-acts.ts";
import { useVideoStage } from "../../support/video-stage.ts";
import { useWire } from "../../support/use-gateway.ts";

/** `content`, `usage` and `seed` stand on every task that is over, in every view of it. */

const receiver = useWire();
/** The address is allowed before it is known to the gateway: both are made in this order. */
const env: Record<string, string> = {};
beforeAll(async () => {
  receiver.on("POST /hook", (_seen, outgoing) => void outgoing.writeHead(204).end());
  env["POSTERN_ALLOW_TARGETS"] = receiver.origin.slice("http://".length);
});
const videos = useVideoStage({ env });

const input = { prompt: "A kite." };
const SEEDANCE = "doubao-seedance-1-5-pro-251215";

/** Where a request may say a seed, and which one it says. */
const SEEDS: readonly [string, object, number | null][] = [
  ["among the parameters", { ...T2V, parameters: { ...T2V.parameters, seed: 7 } }, 7],
  ["0 among the parameters", { ...T2V, parameters: { ...T2V.parameters, seed: 0 } }, 0],
  ["at the top", { ...T2V, seed: 7 }, 7],
  ["in the input", { ...T2V, input: { ...input, seed: 7 } }, 7],
  ["nowhere", T2V, null],
  ["nowhere: any", { ...T2V, parameters: { ...T2V.parameters, seed: -1 } }, null],
  ["of a newer model, at the top", { model: "alpha2.7-t2v", input, seed: 9 }, 9],
  ["of the beta family", { model: "beta-1.0-t2v", input, parameters: { seed: 9 } }, 9],
  ["in Seedance's own body", { model: SEEDANCE, content: [{ type: "text", text: "A kite." }], seed: 9 }, 9],
  ["beside Seedance's input", { model: SEEDANCE, input, seed: 9 }, 9],
  ["in a prompt that Seedance obeys", { model: SEEDANCE, input: { prompt: "A kite. --seed 11 --rt 16:9" } }, 11],
  ["at xAI, which knows none", { model: "grok-imagine-video", input, resolution: "480p", seed: 9 }, 9],
];

/** What the provider does with a task, and how it is over then. */
const ENDS = ["succeeded", "failed"] as const;

async function views(task: VideoTask): Promise<Record<string, VideoTask | undefined>> {
  const { stage } = videos;
  const list = (await (await stage.get("/videos/generations")).json()) as VideoTaskList;
  await until(() => receiver.seen.some((seen) => seen.body.includes(task.id)));
  const called = receiver.seen.find((seen) => seen.body.includes(task.id));
  return {
    GET: await stage.read(task.id),
    list: list.data.find(({ id }) => id === task.id),
    callback: (JSON.parse(called?.body.toString("utf8") ?? "{}") as { data?: VideoTask }).data,
  };
}

describe.each(SEEDS)("a seed %s", (_place, order, seed) => {
  it.each(ENDS)("stands on a task that has %s, in every view", async (end) => {
    const { stage } = videos;
    const task = await stage.submit({ ...order, webhook_url: `${receiver.origin}/hook` });
    for (const field of ["content", "usage", "seed"]) expect(task).not.toHaveProperty(field);
    await videos.ended(task, end);
    // Seedance says of each video which seed it has.
    const reported =
      end === "succeeded" && stage.provider.last.protocol === "ark" ? stage.provider.last.ordered.seed : seed;
    for (const [name, view] of Object.entries(await views(task))) {
      expect({ name, view }).toMatchObject({ name, view: { status: end, seed: reported } });
      if (end === "failed") expect({ name, view }).toMatchObject({ name, view: { content: null, usage: null } });
      else expect(view?.usage).toMatchObject({ duration_seconds: expect.any(Number) });
    }
  });
});

it("a seed at the top is the one that the video is made with", async () => {
  expect(await videos.sent({ ...T2V, seed: 7 })).toMatchObject({ parameters: { ...T2V.parameters, seed: 7 } });
  expect(await videos.sent({ model: SEEDANCE, input, seed: 9 })).toMatchObject({ seed: 9 });
});

it("a task that was cancelled has them in the response to DELETE, and afterwards", async () => {
  const { stage, provider } = videos;
  provider.plan = ["queued"];
  const task = await stage.submit({ ...T2V, parameters: { ...T2V.parameters, seed: 7 } });
  const cancelled = await stage.delete(`/videos/generations/${task.id}`);
  const outcome = { status: "cancelled", content: null, usage: null, seed: 7 };
  expect(await cancelled.json()).toMatchObject(outcome);
  expect(await stage.read(task.id)).toMatchObject(outcome);
});

it("clients that wait for a task receive them", async () => {
  const { stage, provider } = videos;
  provider.plan = ["succeeded"];
  const task = await stage.submit({ ...T2V, seed: 7 }, { status: 200, query: "?wait=true&wait_seconds=600" });
  expect(task).toMatchObject({ status: "succeeded", seed: 7, content: { video_url: expect.any(String) } });
});
