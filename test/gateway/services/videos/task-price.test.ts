import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Totals } from "../../../../gateway/contract/totals.ts";
import type { VideoTask } from "../../../../gateway/contract/videos.ts";
import { FastTime } from "../../../support/fast-time.ts";
import { errorOf, startGateway, until, type TestGateway, type TestKey } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { FILM } from "../../../support/video-stage.ts";

/**
 * docs/specification.md#video, the price: held at submission, settled on what the provider reports, released on
 * failure; and key limits.
 */

const RICH: TestKey = { key: "sk-test-rich-key-000000001", name: "rich", limit_usd: 1_000 };
const KEYS: readonly TestKey[] = [
  RICH,
  { key: "sk-test-dollar-key-0000001", name: "dollar", limit_usd: 1 },
  { key: "sk-test-hurried-key-000001", name: "hurried", rpm: 2 },
  { key: "sk-test-single-key-0000001", name: "single", concurrency: 1 },
  { key: "sk-test-beta-key-000000001", name: "beta only", models: ["beta-*"] },
  { key: "sk-test-expired-key-000001", name: "expired", expires_at: 1 },
];
const keyOf = (name: string): string => KEYS.find((key) => key.name === name)?.key as string;

let stage: VideoStage;
beforeEach(async () => {
  stage = await VideoStage.open({ keys: KEYS });
  stage.provider.plan = ["running"];
});
afterEach(() => stage.close());

const viewOf = (name: string): Promise<KeyView> => stage.gateway.keyView(name);
const submitted = (body: object, name = "rich"): Promise<VideoTask> => stage.submit(body, { key: keyOf(name) });
const refused = async (
  body: object,
  name: string,
): Promise<{ status: number; code: string | null; wait: string | null }> => {
  const response = await stage.gateway.post("/videos/generations", body, keyOf(name));
  const { code } = await errorOf(response);
  return { status: response.status, code, wait: response.headers.get("retry-after") };
};

/** `[body, nano held, seconds that the provider reports, nano charged]`; a second of each as the catalog has it. */
const ORDERS: readonly (readonly [string, object, number, number | null, number])[] = [
  ["5 s at 720p", T2V, 500_000_000, null, 500_000_000],
  ["fewer seconds than were ordered", { ...T2V, duration: 10, parameters: {} }, 1_000_000_000, 7, 700_000_000],
  [
    "seconds of input and output of a reference to video",
    { model: "alpha2.6-r2v", input: { prompt: "A kite.", reference_urls: [FILM] } },
    1_000_000_000,
    10,
    1_000_000_000,
  ],
  [
    "fractions of seconds of an edit",
    { model: "beta-1.0-video-edit", input: { prompt: "Red.", media: [{ type: "video", url: FILM }] } },
    4_200_000_000,
    13.24,
    1_853_600_000,
  ],
  [
    "Seedance's own choice, of which the longest is held",
    {
      model: "doubao-seedance-2-0-mini",
      resolution: "480p",
      input: { prompt: "A kite." },
      parameters: { duration: -1 },
    },
    // 864 × 480 × 24 / 1024 tokens a second, at $3.50 per million.
    15 * 34_020_000,
    5,
    5 * 34_020_000,
  ],
];

describe("the price", () => {
  it.each(ORDERS)(
    "of %s is held, and settled on the provider's seconds",
    async (_name, body, reserved, reported, charged) => {
      const task = await submitted(body);
      expect((await viewOf("rich")).held_nano).toBe(reserved);
      if (reported !== null) stage.provider.last.seconds = reported;
      stage.provider.advance(stage.provider.last.id, "succeeded");
      const done = await stage.over(task.id, RICH.key);
      expect(done.usage?.cost_usd).toBe(charged / 1e9);
      await until(async () => (await viewOf("rich")).held_nano === 0);
      expect(await viewOf("rich")).toMatchObject({ held_nano: 0, spent_nano: charged });
      expect(await stage.gateway.spentCents(RICH.key)).toBe(charged / 1e7);
      expect(await stage.gateway.receipts()).toMatchObject([
        { endpoint: "videos", outcome: "completed", nano: charged },
      ]);
    },
  );

  it.each(["failed", "cancelled", "expired"] as const)("is released when the provider says %s", async (state) => {
    const task = await submitted(T2V);
    expect((await viewOf("rich")).held_nano).toBe(500_000_000);
    // What DashScope has forgotten is believed after a minute: UNKNOWN right after the submission means nothing.
    if (state === "expired") stage.time.jump(120_000);
    stage.provider.advance(stage.provider.last.id, state);
    const over = await stage.over(task.id, RICH.key);
    expect(over.usage).toBeNull();
    await until(async () => (await viewOf("rich")).held_nano === 0);
    expect((await viewOf("rich")).spent_nano).toBe(0);
    expect(await stage.gateway.spentCents(RICH.key)).toBe(0);
  });
});

describe("the key's limits, before the provider is asked", () => {
  it("402 where what is left does not cover the hold, with those that run counted", async () => {
    expect(await refused({ ...T2V, duration: 11, parameters: {} }, "dollar")).toMatchObject({
      status: 402,
      code: "insufficient_quota",
    });
    await submitted(T2V, "dollar");
    const second = await submitted(T2V, "dollar");
    expect(await refused({ ...T2V, duration: 2, parameters: {} }, "dollar")).toMatchObject({
      status: 402,
      code: "insufficient_quota",
    });
    expect(stage.provider.count("submit")).toBe(2);
    // What fails gives its money back.
    stage.provider.advance(stage.provider.last.id, "failed");
    await stage.over(second.id, keyOf("dollar"));
    await until(async () => (await viewOf("dollar")).held_nano === 500_000_000);
    await submitted({ ...T2V, duration: 2, parameters: {} }, "dollar");
  });

  it("429 for too many at once; tasks that run are not of them", async () => {
    const release = stage.provider.hold("submit");
    const first = submitted(T2V, "single");
    await stage.provider.when(() => stage.provider.count("submit") === 1);
    expect(await refused(T2V, "single")).toMatchObject({ status: 429, code: "concurrency_limit_exceeded" });
    release();
    await first;
    await submitted(T2V, "single");
    expect(stage.provider.count("submit")).toBe(2);
  });

  it("401 for a key that is expired, disabled or revoked; what it ordered goes on", async () => {
    expect(await refused(T2V, "expired")).toMatchObject({ status: 401, code: "key_expired" });
    const task = await submitted(T2V);
    const { id } = await viewOf("rich");
    await stage.gateway.ask("PATCH", `/keys/${id}`, { disabled: true });
    expect(await refused(T2V, "rich")).toMatchObject({ status: 401, code: "key_disabled" });
    await stage.gateway.ask("DELETE", `/keys/${id}`);
    expect(await refused(T2V, "rich")).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(stage.provider.count("submit")).toBe(1);
    stage.provider.advance(stage.provider.last.id, "succeeded");
    await until(async () => (await stage.gateway.receipts()).some(({ outcome }) => outcome === "completed"));
    expect(await stage.gateway.ask("GET", `/tasks/${task.id}`)).toMatchObject({ key: id, nano: 500_000_000 });
  });
});

describe("the sandbox's videos", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const time = new FastTime();
    gateway = await startGateway({ keys: KEYS, env: { POSTERN_SANDBOX: "on" }, clock: time, later: time.later });
  });
  afterAll(() => gateway.close());

  it("are priced, held and limited like real ones, and left out of the app's own spend", async () => {
    const path = "/videos/generations";
    expect((await gateway.post(path, { ...T2V, duration: 11, parameters: {} }, keyOf("dollar"))).status).toBe(402);
    const response = await gateway.post(`${path}?wait=true&wait_seconds=600`, T2V, keyOf("dollar"));
    expect([response.status, response.headers.get("x-postern-provider")]).toEqual([200, "sandbox"]);
    expect(await response.json()).toMatchObject({ status: "succeeded", usage: { cost_usd: 0.5 } });
    await until(async () => (await gateway.spentCents(keyOf("dollar"))) === 50);
    const { total } = await gateway.ask<{ total: Totals }>("GET", "/usage");
    expect(total).toMatchObject({ nano: 0, sandbox_nano: 500_000_000 });
    expect((await gateway.post(path, { ...T2V, duration: 6, parameters: {} }, keyOf("dollar"))).status).toBe(402);
  });
});
