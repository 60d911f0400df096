import { afterEach, beforeEach, expect, it } from "vitest";
import type { TaskFacts } from "../../../../gateway/mcp/videos/video-task-response.ts";
import type { MediaOrigin } from "../../../../gateway/services/media/keep-media.ts";
import { newId } from "../../../../gateway/lib/ids.ts";
import { png } from "../../../support/media-samples.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { LIGHTHOUSE, VideoToolStage } from "../../../support/video-tools.ts";

const OTHER = "sk-test-other-key-of-00002";
const RICH = "sk-test-rich-key-of-0005";

let stage: VideoToolStage;
beforeEach(async () => {
  stage = await VideoToolStage.open({
    keys: [
      { key: OTHER, name: "other" },
      { key: RICH, name: "rich", limit_usd: 10 },
    ],
  });
});
afterEach(() => stage.close());

/** A picture in the library, made by a key. */
async function saved(secret = KEY): Promise<string> {
  const { media } = stage.tools.services;
  const id = newId("media");
  const origin: MediaOrigin = {
    requestId: "req_1",
    keyId: stage.tools.key(secret).record.id,
    endpoint: "images",
    model: "gpt-image-1",
    provider: "openai",
    prompt: "A fox.",
    parameters: {},
    seed: null,
    nano: 0,
    sandbox: false,
  };
  async function* chunks() {
    yield png(64, 36, 1);
  }
  if (!(await media.saveAs(id, chunks(), origin))) throw new Error("it was not saved");
  return id;
}

it("returns a task at once, names it as a resource and says what it will cost", async () => {
  stage.provider.plan = ["running"];
  const { response, requestId } = await stage.generate(
    { ...LIGHTHOUSE, duration_seconds: 5, resolution: "720p" },
    { key: RICH },
  );
  expect(response?.structured).toMatchObject({
    expected_cost_usd: 0.5,
    max_cost_usd: 0.5,
    repeated: false,
    task: {
      status: "submitted",
      model: "alpha2.6-t2v",
      prompt: "A lighthouse at dusk.",
      cost_usd: null,
      held_usd: 0.5,
      video: null,
      request_id: requestId,
      sandbox: false,
    },
  });
  const id = (response?.structured["task"] as TaskFacts | undefined)?.id;
  expect(response?.content).toEqual([
    { type: "text", text: `Task ${id} is queued. Call get_video_task with wait_seconds to follow it.` },
    expect.objectContaining({ type: "resource_link", uri: `postern://tasks/${id}` }),
    {
      type: "text",
      text: "Cost: not known yet, $0.50 is held (alpha2.6-t2v). It is charged only when it succeeds.",
    },
    { type: "text", text: "Expected cost: $0.50." },
  ]);
});

it("holds nothing of a key without a limit, and still says what is to be expected", async () => {
  const { response } = await stage.generate();
  expect(response?.structured).toMatchObject({ expected_cost_usd: 0.5, max_cost_usd: null, task: { held_usd: 0 } });
});

it("gives a repeated order's task again, billed once; the same name for another order is a conflict", async () => {
  const named = { ...LIGHTHOUSE, idempotency_key: "order-1" };
  const first = await stage.order(named);
  const [second, third] = await Promise.all([stage.generate(named), stage.generate(named)]);
  for (const { response } of [second, third]) {
    expect(response?.structured).toMatchObject({ repeated: true, task: { id: first.id } });
  }
  const other = await stage.generate({ ...named, prompt: "A harbour." });
  expect(other.error?.code).toBe("idempotency_conflict");
  expect((await stage.over(first.id)).cost_usd).toBe(0.5);
  const late = await stage.generate(named);
  expect(late.response?.content[0]).toMatchObject({ text: expect.stringContaining(`Task ${first.id} has succeeded.`) });
  expect(stage.provider.tasks).toHaveLength(1);
  const { requests, nano } = stage.tools.services.usage.today();
  expect([requests, nano]).toEqual([1, 500_000_000]);
});

it("is quoted by the very same story, which orders, holds and names nothing", async () => {
  const args = { ...LIGHTHOUSE, duration_seconds: 10, idempotency_key: "order-1" };
  const { quoted, response } = await stage.generate(args, { quote: true, key: RICH });
  expect(response).toBeNull();
  expect(quoted).toMatchObject({ model: "alpha2.6-t2v", nano: 1_000_000_000, open: false });
  const sibling = await stage.generate({ ...args, first_frame_image: "https://p.example/a.png" }, { quote: true });
  expect(sibling.quoted?.model).toBe("alpha2.6-i2v");
  expect(stage.provider.count("submit")).toBe(0);
  expect((await stage.list({}, { key: RICH })).response?.structured["tasks"]).toEqual([]);
});

it("sends what this key has in the library along, the same way each time", async () => {
  const uri = `postern://media/${await saved()}`;
  const args = { model: "alpha2.6-i2v", first_frame_image: uri, idempotency_key: "order-1" };
  const { id } = await stage.order(args);
  const url = `data:image/png;base64,${png(64, 36, 1).toString("base64")}`;
  expect(stage.sent["input"]).toEqual({ img_url: url });
  expect((await stage.order(args)).id).toBe(id);
  expect(stage.provider.tasks).toHaveLength(1);
});

it("finds nothing of another key's library, in the words for what is not there at all", async () => {
  const id = await saved(OTHER);
  for (const name of [id, "media_unknown"]) {
    const { error } = await stage.generate({ ...LIGHTHOUSE, reference_images: [`postern://media/${name}`] });
    expect(error?.code).toBe("not_found");
    expect(error?.message).toBe(`There is no ${name} in the media library.`);
  }
  expect(stage.provider.count("submit")).toBe(0);
});

it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
  ["a callback into a private network", { ...LIGHTHOUSE, webhook_url: "http://169.254.169.254/" }, "invalid_value"],
  ["a name that is none", { ...LIGHTHOUSE, idempotency_key: "ü" }, "invalid_value"],
  ["an argument that is not there", { ...LIGHTHOUSE, wait: true }, "unsupported_parameter"],
])("refuses %s with the code of /v1", async (_, args, code) => {
  const { error } = await stage.generate(args);
  expect(error?.code).toBe(code);
  expect(stage.provider.count("submit")).toBe(0);
});

it("goes on with an order whose caller leaves while the provider is asked", async () => {
  const release = stage.provider.hold("submit");
  const leaving = new AbortController();
  const order = stage.generate({ ...LIGHTHOUSE, idempotency_key: "order-1" }, { signal: leaving.signal });
  await stage.provider.when(() => stage.provider.count("submit") === 1);
  leaving.abort();
  release();
  await order;
  const { response } = await stage.generate({ ...LIGHTHOUSE, idempotency_key: "order-1" });
  expect(response?.structured).toMatchObject({ repeated: true });
  expect(stage.provider.tasks).toHaveLength(1);
});

it("is made by the sandbox where no provider is connected, which is reported next to what it would cost", async () => {
  const offline = await VideoToolStage.open({}, false);
  try {
    const task = await offline.order();
    expect(task).toMatchObject({ sandbox: true, held_usd: 0 });
    const { response } = await offline.get({ id: task.id, wait_seconds: 600 });
    expect(response?.structured).toMatchObject({ status: "succeeded", cost_usd: 0.5, sandbox: true });
    expect(response?.content.at(-1)).toEqual({
      type: "text",
      text: "Cost: $0.50 (alpha2.6-t2v, made by the offline sandbox).",
    });
  } finally {
    await offline.close();
  }
});

it("says of a task whose response was lost that it must not be started again", async () => {
  stage.provider.fault("submit", { do: "drop", after: true });
  stage.provider.hold("list");
  const { response } = await stage.generate();
  expect(response?.structured).toMatchObject({ task: { status: "unknown" } });
  expect(response?.content[0]).toMatchObject({ text: expect.stringContaining("Do not start it again") });
});
